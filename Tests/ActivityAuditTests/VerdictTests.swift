import ActivityAudit
import ActivityCore
import Testing

@Suite("Verdicts and T")
struct VerdictTests {
  /// A card in a log, and what must be said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: String
    var complete = false
    var finished: Set<Int64> = []
    /// `rule severity verdict name` of every finding.
    var says: [String]
    var live = 0

    init(
      _ title: String, _ script: String, complete: Bool = false, finished: Set<Int64> = [],
      says: [String] = [], live: Int = 0
    ) {
      testDescription = title
      self.script = script
      self.complete = complete
      self.finished = finished
      self.says = says
      self.live = live
    }
  }

  static let cases = [
    Case(
      "T at X proves nothing yet",
      """
      0m start A recorder=phone device=p source=app content
      8h work recorder=phone key=Z outcome=open
      """, live: 1),
    Case(
      "T beyond X by a second does",
      """
      0m start A recorder=phone device=p source=app content
      8h1s work recorder=phone key=Z outcome=open
      """, says: ["never-ended error inferred A"]),
    Case(
      "another recorder's lines do not extend T",
      """
      0m start A recorder=phone device=p source=app content
      9h work recorder=orders key=Z outcome=open
      """, live: 1),
    Case(
      "a recorder with a row on the device does",
      """
      0m start A recorder=phone device=p source=app content
      1h authorization recorder=daemon device=p enabled=true
      9h work recorder=daemon key=Z outcome=open
      """, says: ["never-ended error inferred A"]),
    Case(
      "lines without a recorder are one recorder",
      """
      0m start A device=p source=app content
      9h work key=Z outcome=open
      """, says: ["never-ended error inferred A"]),
    Case(
      "what a recorder lost takes its word away",
      """
      0m start A recorder=phone device=p source=app content
      2h coverage recorder=phone from=@1h until=@2h lost=7
      9h work recorder=phone key=Z outcome=open
      """, live: 1),
    Case(
      "a hole before the card began takes nothing away",
      """
      0m coverage recorder=phone from=@-2h until=@-1h lost=7
      0m start A recorder=phone device=p source=app content
      9h work recorder=phone key=Z outcome=open
      """, says: ["never-ended error inferred A"]),
    Case(
      "another recorder that saw everything is enough",
      """
      0m start A recorder=phone device=p source=app content
      1m update A recorder=push source=app content
      2h coverage recorder=phone from=@1h until=@2h lost=7
      9h work recorder=push key=Z outcome=open
      """, says: ["never-ended error inferred A"]),
    Case(
      "work finished less than 5 minutes before T",
      """
      0m start A key=K device=p source=app content
      30m work key=K outcome=finished
      34m59s work key=Z outcome=open
      """, live: 1),
    Case(
      "work finished 5 minutes before T",
      """
      0m start A key=K device=p source=app content
      30m work key=K outcome=finished
      35m work key=Z outcome=open
      """, says: ["never-ended error confirmed A"]),
    Case(
      "content that says finished is as good as a work event",
      """
      0m start A device=p source=app content
      30m update A source=app content
      35m work key=Z outcome=open
      """, finished: [2], says: ["never-ended error confirmed A"]),
    Case(
      "a refused end less than 5 minutes before T",
      """
      0m start A device=p source=app content
      30m end A source=push status=500
      34m work key=Z outcome=open
      """, live: 1),
    Case(
      "an end seen two hours after X proves no end near X",
      """
      0m start A device=p source=app content
      10h state A device=p state=ended
      """, says: ["never-ended error inferred A"]),
    Case(
      "complete: all recorded work is over",
      "0m start A source=app content", complete: true,
      says: ["never-ended error confirmed A"]),
    Case(
      "complete makes no leak of a card that ended",
      """
      0m start A source=app content
      1m end A source=app
      """, complete: true),
    Case(
      "disabled Live Activities end a card",
      """
      0m start A device=p source=app content
      1h authorization device=p enabled=false
      9h work key=Z outcome=open
      """),
    Case(
      "a transient card and a broadcast's audience are left alone",
      """
      0m start A device=p source=app style=transient content
      0m update channel=C source=broadcast status=200 content
      9h work key=Z outcome=open
      """),
    Case(
      "a push start and the card it became are one card",
      """
      0m start source=push token=s1 key=K device=p attributes-type=T alert content status=200
      2s token A key=K device=p attributes-type=T token=t1
      1h end source=push token=t1 key=K status=200
      9h work key=Z outcome=open
      """),
    Case(
      "a push start that no card answers is a card",
      """
      0m start source=push token=s1 key=K alert content status=200
      9h work key=Z outcome=open
      """, says: ["never-ended error inferred start:1"]),
    Case(
      "an end by key may have ended it, so nothing is said",
      """
      0m start A key=K device=p source=app content
      1h end source=push key=K status=200
      9h work key=Z outcome=open
      """),
  ]

  @Test("What is said of a card", arguments: cases)
  func verdict(_ row: Case) throws {
    var options = AuditOptions()
    options.complete = row.complete
    options.finishedRows = row.finished
    let report = try Logs.report(of: row.script, options)
    #expect(Logs.summary(report) == row.says)
    #expect(report.liveCount == row.live)
  }

  @Test("Live cards are listed when asked for")
  func live() throws {
    var options = AuditOptions()
    options.live = true
    let script = """
      0m start B source=app content
      0m start A source=app content
      1m end B source=app
      """
    #expect(try Logs.report(of: script, options).live.map(\.name) == ["A"])
    #expect(try Logs.report(of: script).live.isEmpty)
  }

  @Test("An end after X is told, not taken")
  func endAfterLimit() throws {
    let report = try Logs.report(
      of: """
        0m start A device=p source=app content
        8h20m end A source=push status=200
        """)
    #expect(Logs.summary(report) == ["never-ended error inferred A"])
    #expect(report.findings[0].message.contains("20 min after the system's"))
  }
}

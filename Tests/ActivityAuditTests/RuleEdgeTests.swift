import ActivityAudit
import ActivityCore
import Foundation
import Testing

@Suite("Edges of rules")
struct RuleEdgeTests {
  /// A story and everything an audit says of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: String
    var says: [String]

    init(_ title: String, _ script: String, says: [String] = []) {
      testDescription = title
      self.script = script
      self.says = says
    }
  }

  static let leaks = [
    Case(
      "a swipe long after a refused end closes it late",
      """
      0m start A device=p source=app content
      10m end A source=push status=500
      40m dismiss A device=p by=person
      """, says: ["late-end error confirmed A"]),
    Case(
      "a 410 to an older token is no end",
      """
      0m start A device=p source=app content
      1m token A device=p token=t1
      5m token A device=p token=t2 replaces=t1
      10m end A source=push token=t1 status=410
      40m work key=Z outcome=open
      """,
      says: ["end-not-delivered error confirmed A", "superseded-token-used error confirmed A"]),
    Case(
      "a card left over after its renewal is a leak, though the order went on",
      """
      0m start A key=H device=p source=app content
      7h start B key=H device=p source=app content
      9h end B device=p source=app
      9h work key=H outcome=finished
      """, says: ["never-ended error inferred A"]),
    Case(
      "another phone's card of the same key is no renewal",
      """
      0m start A key=H device=p source=app content
      7h start B key=H device=q source=app content
      9h end B device=q source=app
      9h work key=H outcome=finished
      """, says: ["ended-by-system-limit warning inferred A"]),
    Case(
      "an end whose own timestamp is half an hour old",
      """
      0m start A device=p source=app content
      50m end A source=push status=200 timestamp=@20m
      """, says: ["late-end error confirmed A"]),
    Case(
      "a timestamp from before the card says nothing",
      """
      0m start A device=p source=app content
      2m end A source=push status=200 timestamp=@-40m
      """, says: ["out-of-order-timestamp error confirmed A"]),
    Case(
      "an id used again is judged life by life",
      """
      0m start A device=p source=app content
      10m end A source=push status=500
      30m end A source=push status=200
      2h start A device=p source=app content
      2h10m end A source=app
      """, says: ["late-end error confirmed A"]),
  ]

  static let contents = [
    Case(
      "a quiet loss of four minutes is a warning",
      """
      0m start A device=p source=app content
      10m update A source=push status=500 content
      14m update A source=push status=200 content
      20m end A source=push status=200
      """, says: ["update-not-delivered warning confirmed A"]),
    Case(
      "with an alert it is an error",
      """
      0m start A device=p source=app content
      10m update A source=push status=500 alert content
      14m update A source=push status=200 content
      20m end A source=push status=200
      """, says: ["update-not-delivered error confirmed A"]),
    Case(
      "the same token, timestamp and kind is another attempt",
      """
      0m start A device=p source=app content
      1m token A device=p token=t
      10m update A source=push token=t timestamp=@10m status=500 content
      14m update A source=push token=t timestamp=@10m status=200 content
      20m end A source=push status=200
      """),
    Case(
      "too big for the device, whatever APNs answered",
      """
      0m start A device=p source=app content
      10m update A source=push status=200 bytes=5000 content
      20m end A source=push status=200
      """, says: ["update-not-delivered error inferred A"]),
    Case(
      "stale twice, three minutes each, is six",
      """
      0m start A device=p source=app stale-date=@10m content
      13m update A device=p source=app stale-date=@20m content
      23m end A device=p source=app
      """, says: ["stale-while-live warning inferred A"]),
    Case(
      "stale beyond an hour is an error",
      """
      0m start A device=p source=app stale-date=@10m content
      80m end A device=p source=app
      """, says: ["stale-while-live error inferred A"]),
    Case(
      "no stale date and no news, where its type is updated more often",
      """
      0m start A device=p attributes-type=T source=app content
      5m update A source=app content
      10m update A source=app content
      15m update A source=app content
      20m end A source=app
      0m start B device=q attributes-type=T source=app content
      50m end B source=app
      """, says: ["stale-while-live warning inferred B"]),
    Case(
      "no stale date and no news is no fault of a type that is never updated",
      """
      0m start B device=q attributes-type=T source=app content
      50m end B source=app
      """),
    Case(
      "an older end takes effect and is told",
      """
      0m start A device=p source=app content
      10m update A source=push status=200 timestamp=@10m content
      11m end A source=push status=200 timestamp=@9m
      """, says: ["out-of-order-timestamp error confirmed A"]),
    Case(
      "an alert after the end is news for nobody",
      """
      0m start A device=p source=app content
      10m end A device=p source=app
      20m alert A source=push status=200 alert
      """, says: ["update-after-end error confirmed A"]),
    Case(
      "after an end that nobody answered it is inferred",
      """
      0m start A device=p source=app content
      1m update A source=push status=200 content
      10m end A source=push
      20m update A source=push status=200 content
      """, says: ["update-after-end error inferred A"]),
    Case(
      "an inventory may still list what has ended",
      """
      0m start A device=p source=app content
      10m end A device=p source=app dismissal-policy=immediate
      10m1s dismiss A device=p by=policy
      20m inventory device=p activities=A
      """),
  ]

  static let senders = [
    Case(
      "two attempts at one start that both fail are one missing card",
      """
      0m start source=push token=s key=K timestamp=@0m alert content status=503
      5s start source=push token=s key=K timestamp=@0m alert content status=503
      """, says: ["start-not-delivered error confirmed start:1"]),
    Case(
      "two keys are no outage",
      """
      0m start A key=1 device=p source=app content
      0m start B key=2 device=q source=app content
      10m end A source=push status=503
      10m end B source=push status=503
      12m end A source=push status=200
      12m end B source=push status=200
      """),
    Case(
      "three keys in seven minutes are no outage",
      """
      0m start A key=1 device=p source=app content
      0m start B key=2 device=q source=app content
      0m start C key=3 device=r source=app content
      10m end A source=push status=503
      13m end B source=push status=503
      17m end C source=push status=503
      14m30s end A source=app device=p
      17m30s end B source=app device=q
      18m30s end C source=app device=r
      """),
    Case(
      "one sender's success does not end another's outage; failures to sign count",
      """
      0m start A key=1 device=p source=app content
      0m start B key=2 device=q source=app content
      0m start C key=3 device=r source=app content
      10m end A recorder=x source=push apns-id=P1
      10m failure A recorder=x operation=sign apns-id=P1
      10m10s update C recorder=y source=push status=200 content
      10m20s end B recorder=x source=push status=403 reason=InvalidProviderToken
      10m40s end C recorder=x source=push status=500
      11m end A recorder=x source=push status=200
      11m end B recorder=x source=push status=200
      11m end C recorder=x source=push status=200
      """, says: ["credentials-outage error confirmed -"]),
    Case(
      "after a hole nobody is called an orphan",
      """
      0m inventory device=p
      13h coverage recorder=app from=@10h until=@11h lost=9
      14h update source=push token=t key=K status=200 content
      15h end source=push token=t key=K status=200
      """),
    Case(
      "orphans are counted by recorder",
      """
      0m inventory device=p
      13h update source=push recorder=x token=t1 status=200 content
      13h1m update source=push recorder=x token=t2 status=200 content
      13h2m update source=push recorder=y token=t3 status=200 content
      14h end source=push recorder=x token=t1 status=200
      14h end source=push recorder=x token=t2 status=200
      14h end source=push recorder=y token=t3 status=200
      """,
      says: ["orphan-event warning inferred -", "orphan-event warning inferred -"]),
  ]

  @Test("Leaks", arguments: leaks)
  func leak(_ row: Case) throws {
    #expect(Logs.summary(try Logs.report(of: row.script)) == row.says)
  }

  @Test("Contents", arguments: contents)
  func content(_ row: Case) throws {
    #expect(Logs.summary(try Logs.report(of: row.script)) == row.says)
  }

  @Test("Senders", arguments: senders)
  func sender(_ row: Case) throws {
    #expect(Logs.summary(try Logs.report(of: row.script)) == row.says)
  }

  @Test("Every file of the rules' folder is in the registry")
  func registry() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/ActivityAudit/Rules")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && $0 != "AuditRules.swift" }
    let types = AuditRules.all.map { "\($0).swift" }
    #expect(files.sorted() == types.sorted())
  }

  @Test("Three thousand push starts of one key claim one card each")
  func manyOfOneKey() throws {
    // Push starts of one key that all leak, with the cards they became: every list is long.
    let lines = (0..<3000).flatMap { number in
      RuleScript.lines(
        """
        \(number)s start source=push token=s\(number) key=M alert content status=200
        \(number)s token A\(number) key=M token=t\(number)
        """)
    }
    let report = try Logs.report(lines + RuleScript.lines("10h work key=Z outcome=open"))
    #expect(report.findings.count == 3000)
    #expect(report.groups.count == 1)
  }
}

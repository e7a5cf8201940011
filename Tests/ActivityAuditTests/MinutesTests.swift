import ActivityAudit
import ActivityCore
import Foundation
import Testing

@Suite("Wrong-card minutes")
struct MinutesTests {
  static func minutes(_ span: Timestamp.Span) -> Int64 { span.microseconds / 60_000_000 }

  @Test("From the first end asked for, or the work finished, to the end that took effect")
  func lateEnd() throws {
    let report = try Logs.report(
      of: """
        0m start A key=K device=p source=app content
        20m work key=K outcome=finished
        22m end A source=push status=500
        50m end A source=push status=200
        """)
    #expect(report.findings.map(\.rule) == ["late-end"])
    #expect(MinutesTests.minutes(report.findings[0].wrongCard) == 30)
    #expect(MinutesTests.minutes(report.headline.confirmed.wrongCard) == 30)
    #expect(report.headline.confirmed.cards == 1)
    #expect(report.headline.confirmed.devices == 1)
    #expect(report.headline.inferred.cards == 0)
  }

  @Test("Intervals of one card that overlap count once")
  func union() throws {
    // Refused at 10, stale at 15, refused end at 30, ended at 60: 10 to 60 is 50 minutes.
    let report = try Logs.report(
      of: """
        0m start A device=p source=app stale-date=@15m content
        10m update A source=push status=500 content
        15m stale A device=p
        30m end A source=push status=500
        60m end A source=push status=200
        """)
    #expect(Set(report.findings.map(\.rule)) == ["late-end", "update-not-delivered"])
    let late = try #require(report.findings.first { $0.rule == "late-end" })
    #expect(late.also == ["stale-while-live"])
    #expect(MinutesTests.minutes(late.wrongCard) == 30)
    #expect(MinutesTests.minutes(report.headline.confirmed.wrongCard) == 50)
    #expect(report.headline.confirmed.cards == 1)
  }

  @Test("A leak counts until Now, and not beyond the card's time on screen")
  func cut() throws {
    let script = """
      0m start A device=p source=app content
      9h work key=Z outcome=open
      """
    // X is 8 h, the screen at the latest 12 h.
    #expect(
      MinutesTests.minutes(
        try Logs.report(of: script, now: "9h").headline.inferred.wrongCard) == 60)
    #expect(
      MinutesTests.minutes(
        try Logs.report(of: script, now: "20h").headline.inferred.wrongCard) == 240)
    #expect(try Logs.report(of: script, now: "9h").findings[0].until == nil)
    let over = try Logs.report(of: script, now: "20h").findings[0].until
    #expect(over == Timestamp(seconds: RuleScript.origin + 12 * 3600))
  }

  @Test("Inferred minutes are those that no confirmed finding has")
  func split() throws {
    // Stale by its own date from 10 to 60 is inferred; the late end from 40 to 60 is confirmed.
    let report = try Logs.report(
      of: """
        0m start A device=p source=app stale-date=@10m content
        40m end A source=push status=500
        60m end A source=push status=200
        """)
    #expect(MinutesTests.minutes(report.headline.confirmed.wrongCard) == 20)
    #expect(MinutesTests.minutes(report.headline.inferred.wrongCard) == 30)
  }

  @Test("A missing card has no minutes and is counted apart")
  func missing() throws {
    let report = try Logs.report(
      of: "0m start source=push token=s key=K attributes-type=T alert content status=410")
    #expect(report.headline.missingCards == 1)
    #expect(report.headline.confirmed.cards == 0)
    #expect(report.headline.types == ["T"])
    #expect(report.headline.since == report.findings[0].from)
  }

  @Test("Cards without a device are counted, and said to be")
  func devices() throws {
    let report = try Logs.report(
      of: """
        0m start A device=p key=K build=1 source=app content
        0m start B device=p key=K build=2 source=app content
        0m start C key=K source=app content
        20m work key=K outcome=finished
        40m work key=Z outcome=open
        """)
    let leaks = report.findings.filter { $0.rule != "duplicate-live" }
    #expect(leaks.map(\.name) == ["A", "B", "C"])
    #expect(report.headline.confirmed.cards == 3)
    #expect(report.headline.confirmed.devices == 1)
    #expect(report.headline.confirmed.cardsWithoutDevice == 1)
    #expect(report.headline.builds == ["1", "2"])
    #expect(MinutesTests.minutes(report.headline.confirmed.wrongCard) == 60)
  }

  @Test("At the incident's worst minute as many cards are wrong as were planted")
  func worstMinute() throws {
    let folder = Logs.scenarios.deletingLastPathComponent().appending(path: "incident")
    let report = try Logs.report(Logs.lines(folder.appending(path: "incident.jsonl")))
    let instant = try #require(Timestamp(rfc3339: "2026-11-20T18:39:00Z"))
    let names = report.findings.filter { finding in
      finding.wrong.contains { $0.from <= instant && instant < $0.until }
    }.map(\.name)
    #expect(Set(names).count == 124)
  }
}

import ActivityAudit
import ActivityCore
import Testing

@Suite("Reports")
struct ReportTests {
  static let script = """
    0m start A key=K recorder=phone device=p build=7 attributes-type=T source=app content
    10m update A recorder=push source=push status=503 content
    20m work key=K recorder=orders outcome=finished
    22m end A recorder=push source=push status=503 reason=ServiceUnavailable
    60m update B recorder=push source=push status=200 content
    61m end B recorder=push source=push status=200
    """

  @Test("One leak finding for a card, the others in its `also`")
  func yields() throws {
    let report = try Logs.report(of: ReportTests.script)
    #expect(
      Logs.summary(report) == [
        "end-not-delivered error confirmed A", "update-not-delivered error confirmed A",
      ])
    let leak = try #require(report.findings.first { $0.rule == "end-not-delivered" })
    #expect(leak.also == ["never-ended"])
    #expect(leak.evidence == [4])
    #expect(leak.first == 4)
    #expect(leak.last == 4)
    #expect(leak.key == "K")
    #expect(leak.build == "7")
    #expect(leak.attributesType == "T")
    #expect(leak.device == "p")
    #expect(leak.activityID == "A")
  }

  @Test("Chosen rules give the same findings as in the whole report")
  func selection() throws {
    let whole = try Logs.report(of: ReportTests.script)
    var options = AuditOptions()
    options.rules = ["end-not-delivered", "never-ended"]
    let chosen = try Logs.report(of: ReportTests.script, options)
    #expect(chosen.findings == whole.findings.filter { $0.rule == "end-not-delivered" })
    options = AuditOptions()
    options.skip = ["end-not-delivered"]
    #expect(
      try Logs.report(of: ReportTests.script, options).findings.map(\.rule) == [
        "update-not-delivered"
      ])
  }

  @Test("A window chooses the findings that overlap it")
  func window() throws {
    let script = """
      0m start A source=app content
      10m end A source=push status=500
      40m end A source=push status=200
      """
    let origin = RuleScript.origin
    func found(_ since: Int64?, _ until: Int64?) throws -> Int {
      var options = AuditOptions()
      options.since = since.map { Timestamp(seconds: origin + $0 * 60) }
      options.until = until.map { Timestamp(seconds: origin + $0 * 60) }
      return try Logs.report(of: script, options).findings.count
    }
    #expect(try found(nil, nil) == 1)
    #expect(try found(20, 30) == 1)
    #expect(try found(39, nil) == 1)
    #expect(try found(40, nil) == 0)
    #expect(try found(nil, 10) == 0)
    #expect(try found(nil, 11) == 1)
  }

  @Test("What the log cannot judge is said once and not guessed")
  func notJudged() throws {
    let report = try Logs.report(
      of: """
        0m start A source=app content
        10m update A source=push content
        20m end A source=push
        """)
    #expect(report.findings.allSatisfy { $0.severity == .info })
    let silent = report.coverage.notJudged
    #expect(Set(silent.map(\.rule)).count == silent.count)
    for rule in RuleInfo.all {
      let missing = rule.allNeeds.filter { $0 != .content }
      #expect(silent.first { $0.rule == rule.id }?.missing ?? [] == missing, "\(rule.id)")
    }
    // Where nothing is pushed no answer can be missing.
    let quiet = try Logs.report(of: "0m start A source=app content").coverage.notJudged
    #expect(!quiet.contains { $0.missing.contains(.responses) })
  }

  @Test("Coverage names every recorder with its span and its holes")
  func coverage() throws {
    let report = try Logs.report(
      of: """
        0m start A recorder=phone source=app content
        10m end A recorder=phone source=app
        20m coverage recorder=push from=@12m until=@15m lost=3
        21m response recorder=push apns-id=P9 status=200
        """)
    let minute: (Int64) -> Timestamp = { Timestamp(seconds: RuleScript.origin + $0 * 60) }
    #expect(report.coverage.recorders.map(\.name) == ["phone", "push"])
    #expect(report.coverage.recorders.map(\.rows) == [2, 2])
    #expect(report.coverage.recorders.map(\.first) == [minute(0), minute(20)])
    #expect(report.coverage.recorders.map(\.last) == [minute(10), minute(21)])
    #expect(
      report.coverage.recorders[1].holes == [Interval(from: minute(12), until: minute(15))])
    #expect(report.coverage.window == Interval(from: minute(0), until: minute(21)))
    #expect(report.coverage.unattachedAnswers == 1)
    #expect(report.coverage.now == minute(21))
  }

  @Test("The gate counts confirmed and inferred")
  func gate() throws {
    let inferred = try Logs.report(
      of: """
        0m start A source=app content
        9h work key=Z outcome=open
        """)
    #expect(inferred.fails(on: .error))
    #expect(inferred.count(atLeast: .error) == 1)
    let warning = try Logs.report(
      of: """
        0m start A source=app stale-date=@10m content
        40m end A source=app
        """)
    #expect(!warning.fails(on: .error))
    #expect(warning.fails(on: .warning))
    #expect(!(try Logs.report(of: "0m start A source=app content").fails(on: .info)))
  }

  @Test("The worst come first")
  func order() throws {
    let report = try Logs.report(
      of: """
        0m start C source=app content
        0m start B source=app content
        0m start A source=app stale-date=@10m content
        10m end C source=push status=500
        10m end B source=push status=500
        30m end C source=push status=200
        40m end A source=app
        50m end B source=push status=200
        """)
    #expect(report.findings.map(\.name) == ["B", "C", "A"])
    #expect(report.groups.map(\.rule) == ["late-end", "stale-while-live"])
    #expect(report.groups[0].count == 2)
    #expect(MinutesTests.minutes(report.groups[0].headline.confirmed.wrongCard) == 60)
  }

  @Test("Groups show as many examples as asked for")
  func examples() throws {
    let script = (1...8).map { "0m start A\($0) key=K source=app content" }
    let text = (script + ["20m work key=K outcome=finished", "40m work key=Z outcome=open"])
      .joined(separator: "\n")
    let report = try Logs.report(of: text)
    #expect(report.groups[0].count == 8)
    #expect(report.groups[0].examples.count == 5)
    var options = AuditOptions()
    options.examplesMax = 2
    #expect(try Logs.report(of: text, options).groups[0].examples.count == 2)
  }
}

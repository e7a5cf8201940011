import ActivityAudit
import ActivityCore
import Testing

/// Where rules about payloads meet one another, and what callers may set.
@Suite("Rules of payloads")
struct PayloadRuleTests {
  private func findings(
    _ script: String, of rules: [String], thresholds: [String: Double] = [:]
  ) throws -> [Finding] {
    var options = AuditOptions()
    options.rules = Set(rules)
    options.thresholds = thresholds
    return try Logs.report(of: script, options).findings
  }

  private func rules(_ script: String, of rules: [String]) throws -> [String] {
    try findings(script, of: rules).map(\.rule).sorted()
  }

  @Test("A date in a wrong unit is a wrong unit alone, not also a date out of its window")
  func unitsFirst() throws {
    let script = """
      0m start A source=app device=phone stale-date=789270000 content
      1m update A source=push timestamp=1767571260000 stale-date=789270000 content
      2m update A source=push timestamp=@2m stale-date=789270000 content
      3m update A source=push timestamp=@3m stale-date=789270000 content
      9m end A source=push timestamp=@9m dismissal-date=1767573000000 content
      """
    let found = try findings(
      script,
      of: [
        "timestamp-unit", "timestamp-out-of-window", "stale-date-in-past",
        "dismissal-date-out-of-window",
      ], thresholds: ["dismissal-date-out-of-window.occurrences": 1])
    #expect(Set(found.map(\.rule)) == ["timestamp-unit"])
    // One for each member: timestamp, stale-date, dismissal-date.
    #expect(found.count == 3)
  }

  @Test("A start that lacks more than its alert belongs to malformed-payload")
  func malformedFirst() throws {
    let both = ["malformed-payload", "start-without-alert"]
    #expect(
      try rules("0m start source=push token=s key=K timestamp=@0m attributes={} content", of: both)
        == ["malformed-payload"])
    #expect(
      try rules(
        """
        0m start source=push token=s key=K timestamp=@0m attributes={} content
        1m start source=push token=r key=L timestamp=@1m content
        """, of: both) == both)
  }

  @Test("An act too large is told of its activity, acts near the limit of their type and build")
  func oversizeScopes() throws {
    let found = try findings(
      """
      0m start A source=app device=phone attributes-type=T build=7 content
      1m update A source=push timestamp=@1m bytes=3700 content
      2m update A source=push timestamp=@2m bytes=3700 content
      3m update A source=push timestamp=@3m bytes=3700 content
      4m update A source=push timestamp=@4m bytes=4097 content
      9m end A source=push timestamp=@9m content
      """, of: ["oversize-payload"])
    #expect(found.map(\.scope) == [.activity, .typeAndBuild])
    #expect(found.map(\.severity) == [.error, .warning])
    #expect(found.map(\.name) == ["A", "-"])
    #expect(found.last?.build == "7")
  }

  @Test("Exactly the limit is not too large, and a share that a caller sets is near it")
  func oversizeEdge() throws {
    let script = """
      0m start A source=app device=phone content
      1m update A source=push timestamp=@1m bytes=4096 content
      9m end A source=push timestamp=@9m bytes=2050 content
      """
    #expect(try findings(script, of: ["oversize-payload"]).isEmpty)
    let near = try findings(
      script, of: ["oversize-payload"],
      thresholds: ["oversize-payload.near-limit": 50, "oversize-payload.occurrences": 2])
    #expect(near.map(\.count).count == 1)
    #expect(near.first?.evidence == [2, 3])
  }

  @Test("An act ahead of its time is told at once when it held a true one back")
  func heldBack() throws {
    let found = try findings(
      """
      0m start A source=app device=phone content
      1m update A source=push timestamp=@3m content
      2m update A source=push timestamp=@2m content
      9m end A source=push timestamp=@9m content
      """, of: ["timestamp-out-of-window"])
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.message.contains("1 later act") == true)
  }

  @Test("8 hours ahead is in the window, a second more is not")
  func window() throws {
    func severities(_ timestamp: String) throws -> [Severity] {
      try findings(
        """
        0m start A source=app device=phone content
        1m update A source=push timestamp=@\(timestamp) content
        """, of: ["timestamp-out-of-window"],
        thresholds: ["timestamp-out-of-window.occurrences": 1]
      ).map(\.severity)
    }
    #expect(try severities("8h1m") == [.warning])
    #expect(try severities("8h1m1s") == [.error])
  }

  @Test("A default dismissal is told only when it is asked for")
  func hidden() throws {
    let script = try #require(
      RuleInfo.all.first { $0.id == "lingering-default-dismissal" }?.fires.first?.script)
    #expect(
      try !Logs.report(of: script).findings.contains { $0.rule == "lingering-default-dismissal" })
    #expect(
      try rules(script, of: ["lingering-default-dismissal"]) == ["lingering-default-dismissal"])
  }

  @Test("Decode failures after a drift make an error of it")
  func drift() throws {
    let script = try #require(
      RuleInfo.all.first { $0.id == "content-shape-drift" }?.fires.first?.script)
    let calm = try findings(script, of: ["content-shape-drift"])
    #expect(calm.map(\.severity) == [.warning])
    let failing =
      script + """

        8m30s start D source=app attributes-type=Charge build=7 content-state={"charge":1.5}
        8m31s failure D operation=decode
        """
    let failed = try findings(failing, of: ["content-shape-drift"])
    #expect(failed.map(\.severity) == [.error])
    #expect(failed.first?.fingerprint == calm.first?.fingerprint)
  }

  @Test("A number that passes for a card once among many order numbers is no card")
  func cards() throws {
    var lines = ["0m start A source=app device=phone content-state={\"o\":\"4111111111111111\"}"]
    for minute in 1..<25 {
      lines.append("\(minute)m update A source=app content-state={\"o\":\"4111111111111112\"}")
    }
    let passing = try findings(lines.joined(separator: "\n"), of: ["sensitive-data"])
    #expect(passing.isEmpty)
    #expect(try findings(lines[0], of: ["sensitive-data"]).count == 1)
  }

  @Test("Many places made of data are one finding")
  func places() throws {
    let members = (0..<30).map {
      "\($0)s update A source=app content-state={\"m\($0)\":\"kim@example.com\"}"
    }
    let found = try findings(members.joined(separator: "\n"), of: ["sensitive-data"])
    #expect(found.map(\.count) == [30])
    let array = (0..<30).map { place in
      let before = String(repeating: "1,", count: place)
      return "\(place)s update A source=app content-state={\"m\":[\(before)\"kim@example.com\"]}"
    }
    let same = try findings(array.joined(separator: "\n"), of: ["sensitive-data"])
    #expect(same.map(\.count) == [30])
    #expect(same.first?.message.contains("/content-state/m/*") == true)
  }

  @Test("Cards of one key that tie are left to the rule of doubles")
  func ties() throws {
    func script(_ key: String) -> String {
      """
      0m start A key=K source=app device=phone content
      0m start B key=\(key) source=app device=phone content
      30m end A source=app device=phone content
      30m end B source=app device=phone content
      """
    }
    let limits = ["relevance-tie.occurrences": 2.0]
    #expect(try findings(script("L"), of: ["relevance-tie"], thresholds: limits).count == 1)
    #expect(try findings(script("K"), of: ["relevance-tie"], thresholds: limits).isEmpty)
  }

  @Test("Without content, rules that read it are not judged and the others are")
  func unread() throws {
    let lines = RuleScript.lines(
      "0m start source=push token=s key=K timestamp=1767571260000 content")
    let report = Audit.report(
      of: try Logs.resolution(lines), unnamedRows: 0, options: AuditOptions())
    let unjudged = Set(report.coverage.notJudged.map(\.rule))
    #expect(unjudged.isSuperset(of: ["start-without-alert", "sensitive-data", "no-op-update"]))
    #expect(report.findings.contains { $0.rule == "timestamp-unit" })
  }
}

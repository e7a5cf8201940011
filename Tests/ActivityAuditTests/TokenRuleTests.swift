import ActivityAudit
import ActivityCore
import Testing

@Suite("Rules about tokens, starts and senders")
struct TokenRuleTests {
  private static func findings(_ script: String, of rule: String) throws -> [Finding] {
    try Logs.report(of: script).findings.filter { $0.rule == rule }
  }

  @Test("A missing token is an error once the card leaks, and the leak names it")
  func missingToken() throws {
    let script = """
      0m start A key=K push-type=token source=app device=p content
      1m start B push-type=token source=app device=q content
      1m1s token B device=q token=t2
      20m work key=K outcome=finished
      40m end B source=push token=t2 status=200 content
      """
    let missing = try #require(
      try TokenRuleTests.findings(script, of: "update-token-missing").first)
    let leak = try #require(try TokenRuleTests.findings(script, of: "never-ended").first)
    #expect(missing.severity == .error)
    #expect(missing.count == 1)
    #expect(leak.because.map(\.fingerprint) == [missing.fingerprint])
  }

  @Test("A token that comes late is worth a line, no more")
  func lateToken() throws {
    let late = try TokenRuleTests.findings(
      """
      0m start A push-type=token source=app device=p content
      12m token A device=p token=t1
      40m end A source=app device=p content
      """, of: "update-token-missing")
    #expect(late.map(\.severity) == [.info])
    #expect(late.map(\.until) == [Timestamp(seconds: RuleScript.origin + 720)])
  }

  @Test("One start without a trace is a warning, two in a row are an error, a seen one between not")
  func unacknowledged() throws {
    func severity(_ script: String) throws -> [Severity] {
      let lines = """
        0m token device=p attributes-type=R token-kind=start token=s1
        \(script)
        9h inventory device=p
        """
      return try TokenRuleTests.findings(lines, of: "start-unacknowledged").map(\.severity)
    }
    let first = "1h start source=push token=s1 key=K attributes-type=R alert content status=200\n"
    let seen = """
      2h start source=push token=s1 key=L attributes-type=R alert content status=200
      2h3s token A key=L device=p attributes-type=R token=t1
      2h30m end A source=push token=t1 status=200 content

      """
    let last = "3h start source=push token=s1 key=M attributes-type=R alert content status=200"
    #expect(try severity(first) == [.warning])
    #expect(try severity(first + last) == [.error])
    #expect(try severity(first + seen + last) == [.warning])
  }

  @Test("A dead token explains what was sent to it afterwards")
  func deadToken() throws {
    let script = """
      0m start A key=K source=app device=p content
      1m token A key=K device=p token=t1
      20m update A key=K source=push token=t1 status=410 content=2
      40m update A key=K source=push token=t1 status=410 content=3
      60m update A key=K source=push token=t1 status=410 content=4
      """
    let gone = try #require(
      try TokenRuleTests.findings(script, of: "token-gone-no-recovery").first)
    let sent = try #require(try TokenRuleTests.findings(script, of: "send-after-terminal").first)
    #expect(gone.severity == .error)
    #expect(sent.because.map(\.rule) == ["token-gone-no-recovery"])
    #expect(sent.count == 2)
  }

  @Test("A broadcast that reaches three cards is one push of its sender")
  func broadcast() throws {
    let cards = ["A", "B", "C"].map {
      "0m start \($0) source=app device=\($0)-phone push-type=channel channel=C1 content"
    }
    let sends = (1...2).map {
      "\($0 * 10)m update source=broadcast channel=C1 apns-priority=5 alert content=\($0)"
    }
    let end = "50m end source=broadcast channel=C1 status=200 content=9"
    let script = (cards + sends + [end]).joined(separator: "\n")
    #expect(try TokenRuleTests.findings(script, of: "priority-mismatch").isEmpty)
    let third =
      "\n40m update source=broadcast channel=C1 apns-priority=5 alert status=200"
    let found = try TokenRuleTests.findings(script + third, of: "priority-mismatch")
    #expect(found.map(\.count) == [3])
  }

  @Test("A refusal for want of room says how many cards were live, and how many were left behind")
  func noRoom() throws {
    let script = """
      0m start Z source=app device=p content
      30m end Z source=app device=p content
      2h start A source=app device=p content
      9h start B source=app device=p content
      9h10m start C source=app device=q content
      9h20m failure operation=request case=targetMaximumExceeded key=K device=p
      9h30m end B source=app device=p content
      11h end C source=app device=q content
      11h state B device=p state=dismissed
      """
    let found = try TokenRuleTests.findings(script, of: "request-failed")
    #expect(found.map(\.severity) == [.error])
    #expect(found.first?.message.contains("2 cards live then, 1 of them left behind") == true)
  }

  @Test("A refused start that succeeds within a minute is worth a line only")
  func madeUp() throws {
    let found = try TokenRuleTests.findings(
      """
      0m failure operation=request case=visibility key=K device=p
      30s start A source=app key=K device=p content
      20m end A source=app device=p content
      """, of: "request-failed")
    #expect(found.map(\.severity) == [.info])
  }
}

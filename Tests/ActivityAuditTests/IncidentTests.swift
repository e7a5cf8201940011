import ActivityAudit
import ActivityCore
import Foundation
import Testing

@Suite("The incident")
struct IncidentTests {
  /// What was planted, as `truth.json` has it.
  private struct Truth: Decodable {
    struct Outage: Decodable {
      var from: String
      var until: String
    }
    var outage: Outage
    var findings: [String: [String]]
  }

  private static let folder = Logs.scenarios.deletingLastPathComponent().appending(
    path: "incident")

  private static func report(_ options: AuditOptions = AuditOptions()) throws -> AuditReport {
    try Logs.report(Logs.lines(folder.appending(path: "incident.jsonl")), options)
  }

  private static func truth() throws -> Truth {
    try JSONDecoder().decode(
      Truth.self, from: Data(contentsOf: folder.appending(path: "truth.json")))
  }

  @Test("Every planted fault is found, and nothing else")
  func planted() throws {
    let truth = try IncidentTests.truth()
    let report = try IncidentTests.report()
    for rule in RuleInfo.all {
      let found = report.findings.filter { $0.rule == rule.id }.map(\.name).sorted()
      let planted = (truth.findings[rule.id] ?? []).sorted()
      #expect(Set(found).subtracting(planted) == [], "\(rule.id) too many")
      #expect(Set(planted).subtracting(found) == [], "\(rule.id) missing")
      #expect(found.count == planted.count, "\(rule.id)")
    }
  }

  @Test("The outage has its planted span, and explains what fell into it")
  func outage() throws {
    let truth = try IncidentTests.truth()
    let report = try IncidentTests.report()
    let outage = try #require(report.findings.first { $0.rule == "credentials-outage" })
    #expect(outage.from == Timestamp(rfc3339: truth.outage.from))
    #expect(outage.until == Timestamp(rfc3339: truth.outage.until))
    let caused = report.findings.filter { $0.because.map(\.fingerprint) == [outage.fingerprint] }
    #expect(outage.count == caused.count)
    #expect(
      Set(caused.map(\.rule)) == [
        "end-not-delivered", "late-end", "update-not-delivered", "start-not-delivered",
      ])
    #expect(report.groups.first { $0.cause == outage.fingerprint }?.count == caused.count + 1)
  }
}

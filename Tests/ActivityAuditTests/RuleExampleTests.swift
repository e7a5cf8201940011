import ActivityAudit
import Testing

@Suite("Examples of rules")
struct RuleExampleTests {
  static func options(_ example: RuleExample) -> AuditOptions {
    var options = ScenarioTests.options
    options.complete = example.isComplete
    return options
  }

  @Test(
    "An example that fires gives its rule once, and no other warning or error",
    arguments: RuleInfo.all)
  func fires(_ rule: RuleInfo) throws {
    #expect(!rule.fires.isEmpty)
    for example in rule.fires {
      let report = try Logs.report(example.lines, RuleExampleTests.options(example))
      let found = report.findings.filter { $0.severity > .info || $0.rule == rule.id }
      #expect(found.map(\.rule) == [rule.id], "\(example.title)")
      #expect(found.map(\.verdict) == [example.verdict], "\(example.title)")
    }
  }

  @Test(
    "An example that passes gives nothing of its rule, and no warning or error of another",
    arguments: RuleInfo.all)
  func passes(_ rule: RuleInfo) throws {
    #expect(!rule.passes.isEmpty)
    for example in rule.passes {
      let report = try Logs.report(example.lines, RuleExampleTests.options(example))
      #expect(Logs.summary(report, infosOf: [rule.id]) == [], "\(example.title)")
    }
  }

  @Test("Every line of a script becomes an event line")
  func scripts() {
    for rule in RuleInfo.all {
      for example in rule.fires + rule.passes {
        #expect(example.lines.count == example.script.split(separator: "\n").count)
      }
    }
  }

  @Test("Rules have their own ids, and yield to rules there are")
  func ids() {
    let ids = RuleInfo.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for rule in RuleInfo.all {
      #expect(Set(rule.yieldsTo).isSubset(of: ids))
      #expect(!rule.yieldsTo.contains(rule.id))
    }
  }
}

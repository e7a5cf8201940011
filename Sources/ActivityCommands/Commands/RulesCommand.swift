internal import ActivityAudit
internal import ActivityCore

/// `rules`: what `audit` looks for, and why.
struct RulesCommand: Command {
  static let name = "rules"
  static let summary = "The rules of audit, with reasons and examples"
  static let group = CommandGroup.judge
  static let examples = ["activitylog rules", "activitylog rules end-not-delivered"]

  enum Format: String, CaseIterable { case text, json, jsonl }
  static let output = ReadingOptions.output(Format.self)
  static let rule = Operand("RULE", .optional, help: "The id of one rule", isPath: false)
  static let arguments: [Argument] = [.operand(rule), .option(output)]

  private let rules: [RuleInfo]
  private let isOne: Bool
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    format = try given.choice(Self.output, of: Format.self) ?? .text
    let all = AuditRules.all.map { $0.info }
    guard let id = given.optional(Self.rule) else {
      rules = all
      isOne = false
      return
    }
    rules = [try RulesCommand.rule(id, among: all)]
    isOne = true
  }

  /// The rule of an id, or an error that names the nearest.
  static func rule(_ id: String, among all: [RuleInfo]) throws(UsageError) -> RuleInfo {
    if let rule = all.first(where: { $0.id == id }) { return rule }
    let nearest = Spelling.nearest(to: id, among: all.map(\.id))
    throw UsageError(
      "there is no rule '\(id)'", hint: nearest.map { "\($0)" } ?? "activitylog rules")
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    switch format {
    case .text: if isOne { try page(rules[0], console) } else { try list(console) }
    case .jsonl:
      for rule in rules {
        var json = JSONText()
        RulesCommand.write(rule, &json)
        json.newline()
        try console.write(json.bytes)
      }
    case .json:
      var json = JSONText()
      json.object {
        $0.member("schema", "activitylog.rules/1")
        $0.array("rules") { for rule in rules { RulesCommand.write(rule, &$0) } }
      }
      json.newline()
      try console.write(json.bytes)
    }
    return .fine
  }

  private func list(_ console: Console) throws {
    var table = Table([.text("RULE"), .text("SEVERITY"), .text("FINDS", shrinks: true)])
    for rule in rules {
      table.add([
        Styled(rule.id), ReportText.severity(rule.severity), Styled(rule.summary),
      ])
    }
    for line in table.lines(width: console.width) { try console.line(line) }
  }

  private func page(_ rule: RuleInfo, _ console: Console) throws {
    try console.line(Styled(rule.id, .bold) + Styled(": \(rule.summary)"))
    let needs = rule.needs.map(\.rawValue).joined(separator: ", ")
    let yields = rule.yieldsTo.joined(separator: ", ")
    var facts: [(String, String)] = [
      ("severity", rule.severity.rawValue), ("one finding per", rule.scope.rawValue),
      ("needs", needs.isEmpty ? "nothing" : needs),
      ("yields to", yields.isEmpty ? "nothing" : yields), ("reads content", rule.reads.rawValue),
      ("why", rule.reason), ("when", rule.condition), ("what to do", rule.advice),
    ]
    facts += rule.thresholds.map { threshold in
      (
        "limit",
        "\(threshold.path)=\(RuleThresholds.text(threshold.value))  \(threshold.unit): "
          + threshold.meaning
      )
    }
    for (name, text) in facts {
      for (number, line) in Wrap.lines(text, width: (console.width ?? 80) - 18).enumerated() {
        let label = number == 0 ? name : ""
        try console.line("  " + EventText.padded(label, 16) + line)
      }
    }
    for example in rule.fires + rule.passes {
      let found = example.verdict.map { "fires, \($0.rawValue)" } ?? "gives nothing"
      try console.line("")
      try console.line(Styled("  \(example.title)", .bold) + Styled(" (\(found))", .dim))
      for line in example.script.split(separator: "\n") { try console.line("    \(line)") }
    }
  }

  private static func write(_ rule: RuleInfo, _ json: inout JSONText) {
    json.object {
      $0.member("schema", "activitylog.rule/1")
      $0.member("rule", rule.id)
      $0.member("severity", rule.severity.rawValue)
      $0.member("summary", rule.summary)
      $0.member("reason", rule.reason)
      $0.member("condition", rule.condition)
      $0.member("advice", rule.advice)
      $0.member("scope", rule.scope.rawValue)
      $0.array("needs") { for need in rule.needs { $0.value(need.rawValue) } }
      $0.array("yields-to") { for id in rule.yieldsTo { $0.value(id) } }
      $0.member("reads", rule.reads.rawValue)
      $0.array("thresholds") {
        for threshold in rule.thresholds {
          $0.object {
            $0.member("name", threshold.name)
            $0.member("value", RuleThresholds.text(threshold.value))
            $0.member("unit", threshold.unit)
            $0.member("meaning", threshold.meaning)
          }
        }
      }
    }
  }
}

internal import ActivityAudit
internal import ActivityCore

/// An earlier report, as `audit -o json` wrote it, that a new one is held against.
struct Baseline: Sendable {
  /// Fingerprints of its findings, suppressed ones included, with their rules.
  let findings: [String: String]
  private let rates: [String: RuleRate]
  /// The rules that its report judged.
  private let judged: Set<String>

  /// Reads a report; anything else is an error that says what it is.
  init(path: String) throws {
    let bytes = try SmallFile.bytes(path)
    guard let json = JSONSlice(bytes), json.type == .object else {
      throw Baseline.error(path, "this is no JSON report")
    }
    let schema = json["schema"]?.string
    guard schema == FindingJSON.reportSchema else {
      let found = schema.map { "its schema is '\($0)'" } ?? "it names no schema"
      throw Baseline.error(path, "this is no report: \(found), not \(FindingJSON.reportSchema)")
    }
    guard let cards = json[pointer: "/decided/cards"].flatMap(Baseline.count),
      let rules = json[pointer: "/decided/rules"], rules.type == .array,
      let listed = json["findings"], listed.type == .array
    else { throw Baseline.error(path, "this report lacks its findings or decided cards") }
    var rates: [String: RuleRate] = [:]
    for entry in rules.elements {
      let members = Baseline.members(entry)
      guard let rule = members["rule"]?.string,
        let findings = members["findings"].flatMap(Baseline.count)
      else { throw Baseline.error(path, "a rate of this report names no rule or no findings") }
      rates[rule] = RuleRate(rule: rule, findings: findings, decided: cards)
    }
    var findings: [String: String] = [:]
    for entry in listed.elements + (json["suppressed"]?.elements ?? []) {
      let members = Baseline.members(entry)
      guard let rule = members["rule"]?.string, let print = members["fingerprint"]?.string else {
        throw Baseline.error(path, "a finding of this report has no rule or fingerprint")
      }
      findings[print] = rule
    }
    judged = Set((json["rules"]?.elements ?? []).compactMap(\.string))
    self.rates = rates
    self.findings = findings
  }

  /// What changed since, and which rules find more per decided card than `factor` times as often.
  ///
  /// - Parameters:
  ///   - rules: what the report was asked for; of other rules nothing is gone.
  ///   - isWhole: false where a window or a filter leaves cards out: then nothing is known to be
  ///     gone.
  func change(
    to report: AuditReport, factor: Double?, rules: Set<String>, isWhole: Bool
  ) -> BaselineChange {
    let known = report.findings + report.suppressed.map(\.finding)
    let now = Set(known.map(\.fingerprint))
    let new = report.findings.filter { findings[$0.fingerprint] == nil }
    let gone = findings.filter { !now.contains($0.key) && rules.contains($0.value) && isWhole }
      .sorted { $0.key < $1.key }
    var worse: [BaselineChange.Worse] = []
    if let factor {
      // What the baseline could not judge, or was not asked for, is no measure.
      for rate in report.rates
      where judged.contains(rate.rule) && rate.isWorse(than: rates[rate.rule], factor: factor) {
        worse.append(BaselineChange.Worse(now: rate, before: rates[rate.rule]))
      }
    }
    return BaselineChange(
      new: new.map(\.fingerprint), gone: gone.map { (rule: $0.value, fingerprint: $0.key) },
      worse: worse)
  }

  private static func members(_ slice: JSONSlice) -> [String: JSONSlice] {
    Dictionary(slice.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private static func count(_ slice: JSONSlice) -> Int? {
    Int(slice.spelling).flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func error(_ path: String, _ what: String) -> CommandError {
    CommandError("\(path): \(what)", hint: "activitylog audit LOG -o json writes a baseline")
  }
}

/// How a report differs from its baseline.
struct BaselineChange: Sendable {
  /// A rule that finds more than before, by rate.
  struct Worse: Sendable {
    var now: RuleRate
    /// Nil when the baseline has no finding of the rule.
    var before: RuleRate?
  }

  /// Fingerprints of findings the baseline does not have, in the report's order.
  let new: [String]
  /// What the baseline has and the report has not, by fingerprint.
  let gone: [(rule: String, fingerprint: String)]
  /// Rules that trip `--fail-on worse`; empty when it was not asked for.
  let worse: [Worse]
  private let newSet: Set<String>

  init(new: [String], gone: [(rule: String, fingerprint: String)], worse: [Worse]) {
    self.new = new
    self.gone = gone
    self.worse = worse
    newSet = Set(new)
  }

  func isNew(_ finding: Finding) -> Bool { newSet.contains(finding.fingerprint) }

  /// `new since the baseline: 12; gone: 3`.
  var summary: String { "new since the baseline: \(new.count); gone: \(gone.count)" }
}

extension BaselineChange.Worse {
  /// `worse: never-ended: 12.0 findings per 1,000 decided cards, 3.5 in the baseline`.
  var line: String {
    let before = before.map { RateText.text($0.perThousand) } ?? "none"
    return "worse: \(now.rule): \(RateText.text(now.perThousand)) findings per 1,000 decided "
      + "cards (\(now.findings) of \(now.decided)), \(before) in the baseline"
  }
}

internal import ActivityAudit

/// `--threshold RULE.NAME=VALUE`: limits of rules as typed.
enum RuleThresholds {
  /// The values by `RULE.NAME`, or an error that names the nearest there is.
  static func read(_ pairs: [(name: String, value: String)]) throws(UsageError) -> [String: Double]
  {
    let known = RuleInfo.all.flatMap(\.thresholds)
    var values: [String: Double] = [:]
    for (path, text) in pairs {
      guard let threshold = known.first(where: { $0.path == path }) else {
        let rule = path.prefix { $0 != "." }
        if RuleInfo.all.contains(where: { $0.id == rule }) {
          let own = known.filter { $0.rule == rule }.map(\.name)
          throw UsageError(
            "--threshold: \(rule) has no limit '\(path.dropFirst(rule.count + 1))'",
            hint: own.isEmpty
              ? "it has none; activitylog rules RULE lists those of a rule"
              : "it has \(own.joined(separator: ", "))")
        }
        let nearest = Spelling.nearest(to: path, among: known.map(\.path))
        throw UsageError(
          "--threshold: there is no limit '\(path)'",
          hint: nearest ?? "activitylog rules RULE lists the limits of a rule")
      }
      guard let value = Double(text), value.isFinite, value >= 0 else {
        throw UsageError(
          "--threshold \(path): '\(text)' is no number of \(threshold.unit)",
          hint: "--threshold \(path)=\(RuleThresholds.text(threshold.value))")
      }
      values[path] = value
    }
    return values
  }

  /// `5`, `0.8`.
  static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}

/// Findings that explain others.
enum Causes {
  /// Names causes in `because` of the findings that rest on one of their rows, and lets each cause
  /// count what it caused.
  static func name(_ findings: inout [Finding]) {
    let causing = Set(AuditRules.all.filter { $0.info.isCause }.map { $0.info.id })
    var causesOfRow: [Int64: [Int]] = [:]
    for (number, finding) in findings.enumerated() where causing.contains(finding.rule) {
      for row in finding.rows { causesOfRow[row, default: []].append(number) }
    }
    guard !causesOfRow.isEmpty else { return }
    var counts: [Int: Int] = [:]
    for number in findings.indices where !causing.contains(findings[number].rule) {
      let causes = Set(findings[number].rows.flatMap { causesOfRow[$0] ?? [] }).sorted {
        (findings[$0].from, findings[$0].fingerprint) < (
          findings[$1].from, findings[$1].fingerprint
        )
      }
      for cause in causes {
        counts[cause, default: 0] += 1
        findings[number].because.append(
          Finding.Cause(rule: findings[cause].rule, fingerprint: findings[cause].fingerprint))
      }
    }
    for number in Set(causesOfRow.values.joined()) {
      findings[number].count = counts[number] ?? findings[number].count
    }
  }
}

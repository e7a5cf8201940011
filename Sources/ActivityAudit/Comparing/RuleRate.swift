/// How often a rule found something, where that can be compared with another log.
public struct RuleRate: Sendable, Equatable {
  /// The rule's id.
  public var rule: String
  /// Findings of severity error and warning, without those of cards that still live.
  public var findings: Int
  /// The decided cards they are counted over.
  public var decided: Int

  /// Findings per 1,000 decided cards; infinite when there are findings and no decided card.
  public var perThousand: Double { RuleRate.perThousand(findings, of: decided) }

  /// A rate of some rule.
  public init(rule: String, findings: Int, decided: Int) {
    self.rule = rule
    self.findings = findings
    self.decided = decided
  }

  /// Fewer findings than this are chance, whatever the rate.
  public static let findingsMin = 10

  /// Whether there are at least `findingsMin` findings, and more than `factor` times as many per
  /// decided card as before. A rule that found nothing before is worse once there are so many.
  public func isWorse(than before: RuleRate?, factor: Double) -> Bool {
    guard findings >= RuleRate.findingsMin else { return false }
    guard let before, before.findings > 0 else { return true }
    return perThousand > factor * before.perThousand
  }

  static func perThousand(_ findings: Int, of decided: Int) -> Double {
    guard findings > 0 else { return 0 }
    return decided == 0 ? .infinity : Double(findings) * 1_000 / Double(decided)
  }

  /// By rule.
  static func rates(of findings: some Sequence<Finding>, decided: Int) -> [RuleRate] {
    var counts: [String: Int] = [:]
    for finding in findings { counts[finding.rule, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map {
      RuleRate(rule: $0.key, findings: $0.value, decided: decided)
    }
  }
}

extension AuditReport {
  /// What every rule found per decided card, by rule; rules without findings are left out.
  public var rates: [RuleRate] {
    RuleRate.rates(of: findings.filter(decided.counts), decided: decided.total.cards)
  }
}

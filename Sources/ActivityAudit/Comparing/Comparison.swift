/// Groups of cards side by side, by rates: builds, types, sources, recorders or devices.
public struct Comparison: Sendable, Equatable {
  /// The cards that share a value.
  public struct Group: Sendable, Equatable {
    /// The value; nil for the cards of which it is not known.
    public var value: String?
    /// The group's decided cards.
    public var decided: Decided.Tally
    /// What each rule found on them, by rule.
    public var rates: [RuleRate]
    /// What those findings add up to.
    public var headline: Headline

    /// Findings of severity error and warning about its cards.
    public var findings: Int { rates.reduce(0) { $0 + $1.findings } }

    /// Findings per 1,000 decided cards; infinite when there are findings and no decided card.
    public var perThousand: Double { RuleRate.perThousand(findings, of: decided.cards) }
  }

  /// What the groups differ in.
  public var grouping: CardGrouping
  /// The worst rate first, then by value; the cards without a value last.
  public var groups: [Group]

  /// The groups of a report that was made with this grouping as its option.
  public init(_ report: AuditReport, by grouping: CardGrouping) {
    self.grouping = grouping
    var findings: [String?: [Finding]] = [:]
    for finding in report.findings where report.decided.counts(finding) {
      guard let value = report.decided.group(of: finding) else { continue }
      findings[value, default: []].append(finding)
    }
    let tallies = report.decided.groups
    groups = Set(tallies.keys).union(findings.keys).map { value in
      let tally = tallies[value] ?? Decided.Tally()
      let own = findings[value] ?? []
      return Group(
        value: value, decided: tally, rates: RuleRate.rates(of: own, decided: tally.cards),
        headline: Headline(own))
    }
    groups.sort { a, b in
      guard let one = a.value, let other = b.value else { return a.value != nil && b.value == nil }
      return a.perThousand != b.perThousand ? a.perThousand > b.perThousand : one < other
    }
  }
}

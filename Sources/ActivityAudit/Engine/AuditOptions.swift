public import ActivityCore

/// What an audit is asked to do. Now is the selection's `until`.
public struct AuditOptions: Sendable {
  /// All recorded work is over: tests, closed recordings.
  public var complete = false
  /// Whether the report lists the cards of which nothing can be said yet.
  public var live = false
  /// Whether the report says what would end the cards that were left behind.
  public var remedy = false
  /// `seq` of the rows whose content says that the work is finished.
  public var finishedRows: Set<Int64> = []
  /// Only findings of these rules are reported; nil for all. What they rest on runs in any case, so
  /// that a finding is the same whatever else is asked for.
  public var rules: Set<String>?
  /// Findings of these rules are not reported.
  public var skip: Set<String> = []
  /// Limits of rules, by `RULE.NAME`; a rule's own default holds for the others.
  public var thresholds: [String: Double] = [:]
  /// Only findings that overlap [`since`, `until`) are reported.
  public var since: Timestamp?
  /// The end of that window, itself outside.
  public var until: Timestamp?
  /// What cards are counted by for `Comparison`; nil for not at all.
  public var groupBy: CardGrouping?
  /// Which decided cards count in rates; nil for all. For reports of some findings, so that rates
  /// are over the cards those could be about.
  package var keepsCard: (@Sendable (ActivityState) -> Bool)?
  /// Whether every rule looks at every life, and not only at those that it may find something in:
  /// the findings are the same, later.
  package var looksAtAll = false
  /// How many examples a group of findings shows.
  public var examplesMax = 5

  /// Whether cards are counted by more than what their numbers say.
  var looksAtCards: Bool { groupBy != nil || keepsCard != nil }

  /// Everything, by all rules.
  public init() {}
}

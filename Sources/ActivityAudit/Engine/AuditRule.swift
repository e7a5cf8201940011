/// One rule: what it is, and what it finds in a life or in all lives together.
///
/// A rule sees every life with a trait that it wants once, in no promised order, and may count the
/// others; then `conclude` once. It never sees an index or a column. A new rule is its file and a
/// line in `AuditRules.all`.
package protocol AuditRule: Sendable {
  static var info: RuleInfo { get }
  /// The traits of lives it can say something of, any one of them; `.life`, unless it says
  /// otherwise, for all.
  static var wants: LifeTraits { get }
  /// Whether it counts the lives it does not look at.
  static var counts: Bool { get }
  /// Made anew for each audit; what it may be told to take for its limits is in the settings.
  init(_ settings: RuleSettings)

  /// Looks at one life, and reports or remembers.
  mutating func observe(_ life: Timeline, _ findings: inout [Finding])

  /// Counts a life that has none of the traits it wants, as `observe` would.
  mutating func count(_ facts: LifeFacts)

  /// Says what only all lives together show.
  mutating func conclude(_ log: AuditLog, _ findings: inout [Finding])
}

extension AuditRule {
  package static var wants: LifeTraits { .life }
  package static var counts: Bool { false }
  package mutating func count(_ facts: LifeFacts) {}
  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {}
  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {}
}

/// One rule: what it is, and what it finds in a life or in all lives together.
///
/// A rule sees every life once, in no promised order, then `conclude` once. It never sees an index
/// or a column. A new rule is its file and a line in `AuditRules.all`.
package protocol AuditRule: Sendable {
  static var info: RuleInfo { get }
  /// Made anew for each audit; what it may be told to take for its limits is in the settings.
  init(_ settings: RuleSettings)

  /// Looks at one life, and reports or remembers.
  mutating func observe(_ life: Timeline, _ findings: inout [Finding])

  /// Says what only all lives together show.
  mutating func conclude(_ log: AuditLog, _ findings: inout [Finding])
}

extension AuditRule {
  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {}
  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {}
}

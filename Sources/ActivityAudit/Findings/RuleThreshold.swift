package import ActivityCore

/// A limit of a rule that a caller may set.
public struct RuleThreshold: Sendable, Hashable {
  /// The id of its rule.
  public var rule: String
  /// Its name within the rule.
  public var name: String
  /// What holds when nobody says otherwise.
  public var value: Double
  /// What it counts: `seconds`, `bytes`, `percent`, or a plural noun.
  public var unit: String
  /// What it limits, in a few words.
  public var meaning: String

  /// As a caller writes it: `alert-storm.alerts`.
  public var path: String { "\(rule).\(name)" }

  package init(_ rule: String, _ name: String, _ value: Double, _ unit: String, _ meaning: String) {
    self.rule = rule
    self.name = name
    self.value = value
    self.unit = unit
    self.meaning = meaning
  }
}

/// The limits one audit works with.
package struct RuleSettings: Sendable {
  private let given: [String: Double]

  package init(_ options: AuditOptions) { given = options.thresholds }

  /// The value a caller gave, else the rule's own.
  package subscript(threshold: RuleThreshold) -> Double {
    given[threshold.path] ?? threshold.value
  }

  /// A limit in seconds as a span.
  package func span(_ threshold: RuleThreshold) -> Timestamp.Span {
    // Two hundred years are more than any log; beyond them microseconds would overflow.
    Timestamp.Span(microseconds: Int64((min(max(self[threshold], 0), 6e9) * 1_000_000).rounded()))
  }

  /// A limit that counts whole things.
  package func count(_ threshold: RuleThreshold) -> Int { Int(min(max(self[threshold], 0), 1e9)) }
}

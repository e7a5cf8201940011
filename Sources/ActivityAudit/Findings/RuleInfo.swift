/// What a rule is, in words and data: listings, documentation and tests are made from it.
public struct RuleInfo: Sendable {
  /// What a log must hold before a rule can be judged on it.
  public enum Need: String, Sendable, CaseIterable {
    /// Answers to pushes.
    case responses
    case tokens
    /// What a device saw: `stale`, `dismiss`, `state`, `inventory`.
    case deviceEvidence = "device-evidence"
    /// What the order itself did.
    case work
    case key
    /// The headers of pushes: topic, push type, priority, expiration.
    case headers
    /// The JSON of rows. A log holds it; a caller may audit without reading it.
    case content
  }

  /// Which content a rule reads.
  public enum ContentRead: String, Sendable {
    case none, starts, all
  }

  /// When a rule that yields is silent because of one that goes before it.
  public enum Yielding: Sendable {
    /// The other rule found something on the same activity.
    case sameActivity
    /// The other rule found something in the same row.
    case sameRow
  }

  /// The name on command lines, in findings and in suppressions.
  public var id: String
  /// The usual severity; a finding may be milder or worse.
  public var severity: Severity
  /// What it finds, in a few words.
  public var summary: String
  /// What it means for a person who looks at the card.
  public var reason: String
  /// The exact condition, in words.
  public var condition: String
  /// What to do about a finding.
  public var advice: String
  /// What one finding is about.
  public var scope: FindingScope
  /// What a log must hold; else the rule is not judged.
  public var needs: [Need] = []
  /// Ids of rules that go before this one.
  public var yieldsTo: [String] = []
  /// When it yields to them.
  public var yielding = Yielding.sameActivity
  /// Which content it reads.
  public var reads = ContentRead.none
  /// Whether its findings explain findings of other rules.
  public var isCause = false
  /// The limits that a caller may set, `--threshold RULE.NAME=VALUE`.
  public var thresholds: [RuleThreshold] = []
  /// Whether a report lists its findings only when the rule is asked for by name.
  public var isHidden = false
  /// Stories it finds something in, once, and no other rule does.
  public var fires: [RuleExample]
  /// Stories in which no rule finds anything.
  public var passes: [RuleExample]

  /// What a log must hold, the content it reads included.
  public var allNeeds: [Need] { reads == .none ? needs : needs + [.content] }
}

public import ActivityCore

/// One thing that went wrong, with the rows that prove it and how sure it is.
public struct Finding: Sendable, Equatable {
  /// A finding that explains this one.
  public struct Cause: Sendable, Hashable {
    /// The id of the cause's rule.
    public var rule: String
    /// The cause's own fingerprint.
    public var fingerprint: String
  }

  /// The rule's id.
  public var rule: String
  /// How bad it is; may be milder or worse than the rule's usual severity.
  public var severity: Severity
  /// How sure it is.
  public var verdict: Verdict
  /// What it is about.
  public var scope: FindingScope
  /// The activity's printed name; `-` when the scope is no activity.
  public var name: String
  /// The activity's id, when one is known.
  public var activityID: String?
  /// The business key of the activity.
  public var key: String?
  /// The device of the activity; of a start without id, the one its token belongs to.
  public var device: String?
  /// The app's build.
  public var build: String?
  /// The type of the activity's attributes.
  public var attributesType: String?
  /// When it began.
  public var from: Timestamp
  /// When it was over; nil while it lasts.
  public var until: Timestamp?
  /// When the card is gone from the screen, at the latest.
  public var visibleUntil: Timestamp?
  /// How often it happened in this scope; of a cause, how many findings it explains.
  public var count: Int
  /// `seq` of the first row of evidence.
  public var first: Int64
  /// `seq` of the last row of evidence.
  public var last: Int64
  /// How many devices are known to be concerned.
  public var devices: Int
  /// `seq` of the rows that prove it, rising, at most `evidenceMax`.
  public var evidence: [Int64]
  /// The findings that explain this one.
  public var because: [Cause]
  /// Ids of rules that hold of the same activity and yield to this finding.
  public var also: [String]
  /// What happened, in a sentence.
  public var message: String
  /// What to do about it.
  public var advice: String
  /// 16 hex digits that stay the same over re-imports.
  public var fingerprint: String
  /// From when to when the card was wrong; empty when the rule counts no minutes.
  public var wrong: [Interval]

  /// How many rows of evidence a finding keeps.
  public static let evidenceMax = 5

  /// How long a person saw a wrong card because of it.
  public var wrongCard: Timestamp.Span { Interval.union(wrong) }

  /// Every row it rests on, beyond the few it shows; for causes that claim what they caused.
  package var rows: Set<Int64> = []
  /// Whether its minutes are of a card that is missing, counted apart.
  package var isMissingCard = false
  /// What identifies the card within one audit; empty when it is about none.
  package var card = ""
  /// Findings of the same activity that yield to this one; their minutes still count.
  package var yielded: [Finding] = []

  /// A finding about something that is no single activity; `identity` says what, without any `seq`.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, identity: [String], from: Timestamp, until: Timestamp?,
    evidence: [Int64], message: String, severity: Severity? = nil
  ) {
    self.rule = rule.id
    self.severity = severity ?? rule.severity
    self.verdict = verdict
    scope = rule.scope
    name = FindingScope.unnamed
    self.from = from
    self.until = until
    let sorted = Set(evidence).sorted()
    rows = Set(evidence)
    self.evidence = Array(sorted.prefix(Finding.evidenceMax))
    first = sorted.first ?? 0
    last = sorted.last ?? 0
    count = 1
    devices = 0
    because = []
    also = []
    self.message = message
    advice = rule.advice
    wrong = []
    fingerprint = Fingerprint.of(rule.id, identity)
  }

  /// A finding about one life of an activity.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, about life: Timeline, from: Timestamp, until: Timestamp?,
    evidence: [Entry], message: String, severity: Severity? = nil
  ) {
    self.init(
      rule, verdict, identity: life.identity, from: from, until: until,
      evidence: evidence.map(\.seq).filter { $0 > 0 }, message: message, severity: severity)
    let state = life.state
    name = state.name
    activityID = state.activityID
    key = state.key
    device = state.device
    build = state.build
    attributesType = state.attributesType
    visibleUntil = state.visibleUntil
    devices = device == nil ? 0 : 1
    card = life.card
  }
}

extension Finding {
  /// Takes other occurrences of the same thing into this finding.
  package mutating func absorb(_ others: some Sequence<Finding>) {
    for other in others {
      rows.formUnion(other.rows)
      count += other.count
      first = min(first, other.first)
      last = max(last, other.last)
      wrong += other.wrong
    }
    evidence = Array(rows.sorted().prefix(Finding.evidenceMax))
  }
}

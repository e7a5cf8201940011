internal import ActivityCore

/// The cards whose fate is known, which rates are counted over: ended by anybody, or left behind.
///
/// A card that still lives is none, nor is one that leak rules leave alone. So a build that is on
/// people's phones for an hour compares with one that had a week to leak.
public struct Decided: Sendable {
  /// How many there are.
  public struct Tally: Sendable, Equatable {
    /// Ended or left behind.
    public var cards = 0
    /// Those that outlived their work.
    public var leaked = 0
  }

  /// All of them.
  public private(set) var total = Tally()
  /// By the value that `AuditOptions.groupBy` names, nil where it is not known; empty unless asked.
  package private(set) var groups: [String?: Tally] = [:]
  /// By card: its group. Only of cards that count.
  private var groupOf: [String: String?] = [:]
  /// Cards of which findings count in no rate, since they count in no denominator.
  private var undecided: Set<String> = []

  init() {}

  /// Takes a life in, once.
  mutating func count(_ life: Timeline) {
    let isLeaked = life.leak.verdict != nil
    let isDecided = !life.isExempt && (isLeaked || life.endedAt != nil)
    // A card that never appeared is no decided one, but what kept it away is compared.
    if !isDecided, life.isOpen || life.isChannel {
      undecided.insert(life.card)
      return
    }
    let options = life.log.options
    if isDecided {
      guard Decided.overlaps(life, options) else { return }
      if let keeps = options.keepsCard, !keeps(life.state) { return }
      Decided.add(isLeaked, to: &total)
    }
    guard let grouping = options.groupBy else { return }
    let value = grouping.value(of: life)
    groupOf[life.card] = value
    if isDecided { Decided.add(isLeaked, to: &groups[value, default: Tally()]) }
  }

  /// Takes a life in that somebody or something ended, once; only where cards are not compared.
  mutating func count(_ facts: LifeFacts, _ options: AuditOptions) {
    guard !facts.traits.contains(.undecided) else { return }
    if let until = options.until, facts.opening >= until.microseconds { return }
    let over = facts.visibleUntil == Life.absent ? facts.endedAt : facts.visibleUntil
    if let since = options.since, over < since.microseconds { return }
    Decided.add(false, to: &total)
  }

  private static func add(_ isLeaked: Bool, to tally: inout Tally) {
    tally.cards += 1
    if isLeaked { tally.leaked += 1 }
  }

  /// Whether a card was there in the window that findings are chosen by.
  private static func overlaps(_ life: Timeline, _ options: AuditOptions) -> Bool {
    if let until = options.until, life.opening >= until { return false }
    guard let since = options.since else { return true }
    return life.visibleUntil ?? life.endedAt ?? life.log.now >= since
  }

  /// Whether a finding counts in rates: not of a card that still lives, and no info.
  package func counts(_ finding: Finding) -> Bool {
    finding.severity > .info && !undecided.contains(finding.card)
  }

  /// The group of a finding's card; nil for a finding about no card, and when none was asked for.
  package func group(of finding: Finding) -> String?? { groupOf[finding.card] }
}

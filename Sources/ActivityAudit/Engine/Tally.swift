package import ActivityCore

/// Occurrences of one thing in one scope: what rules that are not about single cards count.
package struct Tally: Sendable {
  /// How often it happened.
  package internal(set) var count = 0
  package private(set) var first = Timestamp(microseconds: .max)
  package private(set) var last = Timestamp(microseconds: .min)
  /// Devices on which it happened, as far as they are known.
  package private(set) var devices: Set<Entry.Word> = []
  /// Activities to which it happened.
  package private(set) var cards: Set<Int> = []
  /// The earliest occurrences, by (`at`, `seq`).
  private var earliest: [(at: Timestamp, seq: Int64)] = []

  package init() {}

  /// Notes one occurrence.
  package mutating func add(at: Timestamp, seq: Int64, device: Entry.Word, card: Int = -1) {
    count += 1
    first = min(first, at)
    last = max(last, at)
    reach(device: device, card: card)
    if let last = earliest.last, earliest.count == Finding.evidenceMax, last < (at, seq) { return }
    let place = earliest.firstIndex { (at, seq) < ($0.at, $0.seq) } ?? earliest.count
    guard place < Finding.evidenceMax else { return }
    earliest.insert((at, seq), at: place)
    if earliest.count > Finding.evidenceMax { earliest.removeLast() }
  }

  /// Notes that an occurrence known already concerns another card too.
  mutating func reach(device: Entry.Word, card: Int) {
    if !device.isAbsent { devices.insert(device) }
    if card >= 0 { cards.insert(card) }
  }

  /// Takes in what another counted; what both counted counts twice.
  mutating func merge(_ other: Tally) {
    count += other.count
    first = min(first, other.first)
    last = max(last, other.last)
    devices.formUnion(other.devices)
    cards.formUnion(other.cards)
    for row in other.earliest where !earliest.contains(where: { $0.seq == row.seq }) {
      let place = earliest.firstIndex { (row.at, row.seq) < ($0.at, $0.seq) } ?? earliest.count
      earliest.insert(row, at: place)
    }
    earliest.removeLast(max(0, earliest.count - Finding.evidenceMax))
  }

  /// Notes an entry of a life.
  package mutating func add(_ entry: Entry, of life: Timeline) {
    add(at: entry.at, seq: entry.seq, device: life.deviceWord, card: life.number)
  }

  /// `seq` of the earliest occurrences.
  package var evidence: [Int64] { earliest.map(\.seq) }
}

/// A type and a build, the scope of what a release brings with it.
package struct TypeAndBuild: Hashable, Sendable {
  package var type: Entry.Word
  package var build: Entry.Word

  package init(_ life: Timeline) {
    type = life.type
    build = life.build
  }

  init(_ facts: LifeFacts) {
    type = Entry.Word(facts.type)
    build = Entry.Word(facts.build)
  }
}

extension Finding {
  /// A finding about many occurrences; `identity` says in what scope, without any `seq`.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, tally: Tally, identity: [String], message: String,
    severity: Severity? = nil
  ) {
    self.init(
      rule, verdict, identity: identity, from: tally.first, until: tally.last,
      evidence: tally.evidence, message: message, severity: severity)
    count = tally.count
    devices = tally.devices.count
  }

  /// A finding about a type and a build.
  package init(
    _ rule: RuleInfo, _ verdict: Verdict, tally: Tally, _ scope: TypeAndBuild, _ log: AuditLog,
    message: String, severity: Severity? = nil
  ) {
    let type = log.text(scope.type)
    let build = log.text(scope.build)
    self.init(
      rule, verdict, tally: tally, identity: [type ?? "", build ?? ""], message: message,
      severity: severity)
    attributesType = type
    self.build = build
  }
}

internal import ActivityCore

/// Contents whose members change while cards of the same build live.
package struct ContentShapeDrift: AuditRule {
  package static let settled = RuleThreshold(
    "content-shape-drift", "settled", 10, "contents",
    "contents of the former shape before the first of another")
  package static let occurrences = RuleThreshold(
    "content-shape-drift", "occurrences", 3, "contents", "contents of the new shape")
  package static let cards = RuleThreshold(
    "content-shape-drift", "cards", 3, "cards", "cards that showed the former shape")

  private let settled: Int
  private let least: Int
  private let cards: Int

  package init(_ settings: RuleSettings) {
    settled = max(1, settings.count(ContentShapeDrift.settled))
    least = max(1, settings.count(ContentShapeDrift.occurrences))
    cards = settings.count(ContentShapeDrift.cards)
  }

  package static let info = RuleInfo(
    id: "content-shape-drift", severity: .warning,
    summary: "members of the content changed their type, came or went for good",
    reason: """
      An app decodes by the struct it was built with: one whole number with a fraction, or one \
      required member missing, and the whole content is thrown away.
      """,
    condition: """
      Of the contents of one type and build that took effect, 10 or more on 3 cards or more had a \
      member as one JSON type before 3 or more have it as another (a whole number and a fraction \
      are two; whole numbers are not new where fractions are known); or all until an instant had \
      a member and none has it since, or the other way round, each on 3 cards or more. null counts \
      as absent, and a member that comes and goes is optional. Error when decode failures of the \
      same type and build followed. Contents that undecodable-content speaks of do not count.
      """,
    advice: "Only add members, and only optional ones; keep a number's type.",
    scope: .typeAndBuild, yieldsTo: ["undecodable-content"], yielding: .sameRow, reads: .all,
    thresholds: [settled, occurrences, cards], fires: firing, passes: passing)

  /// Contents of one shape in one type and build.
  struct Use {
    var shape: Int32
    var count = 0
    var cards = 0
    var lastCard: (number: Int, life: Timestamp)?
    var last = Timestamp(microseconds: .min)
    /// The earliest by (`at`, `seq`), as many as the settled number.
    var earliest: [(at: Timestamp, seq: Int64)] = []
    var devices: Set<Entry.Word> = []
  }

  private struct Place: Hashable {
    var scope: TypeAndBuild
    var shape: Int32
  }

  private var uses = Slots<Place, Use>()
  private var undecodable: [TypeAndBuild: Timestamp] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let scope = TypeAndBuild(life)
    for entry in life.entries {
      if entry.outcome == .undecodable {
        undecodable[scope] = max(undecodable[scope] ?? entry.at, entry.at)
      }
      guard entry.isAppliedAct, entry.hasContent, let facts = life.log.content(of: entry),
        facts.shape >= 0
      else { continue }
      uses[Place(scope: scope, shape: facts.shape), default: Use(shape: facts.shape)]
        .add(entry, of: life, keeping: max(settled, Finding.evidenceMax))
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let byScope = Dictionary(grouping: uses.all) { $0.key.scope }
    for (scope, shapes) in byScope.sorted(by: { $0.key.precedes($1.key, log) })
    where shapes.count > 1 {
      let drifts = ShapeChanges(
        shapes.map(\.value), log, settled: settled, least: least, cards: cards
      ).found
      guard let first = drifts.first else { continue }
      var tally = RowTally()
      var last = first.from
      for drift in drifts {
        last = max(last, drift.until)
        for row in drift.earliest { tally.add(at: row.at, seq: row.seq) }
      }
      let isLost = undecodable[scope].map { $0 >= first.from } ?? false
      let words = drifts.prefix(3).map(\.words).joined(separator: "; ")
      let more = drifts.count > 3 ? "; and \(drifts.count - 3) more" : ""
      var finding = Finding(
        ContentShapeDrift.info, .confirmed, tally: tally, scope, log,
        message: "\(words)\(more)\(isLost ? "; decode failures followed" : "")",
        severity: isLost ? .error : nil)
      finding.count = drifts.map(\.count).max() ?? 0
      finding.until = last
      finding.devices = drifts.map { $0.devices.count }.max() ?? 0
      findings.append(finding)
    }
  }
}

extension ContentShapeDrift.Use {
  fileprivate mutating func add(_ entry: Entry, of life: Timeline, keeping most: Int) {
    count += 1
    last = max(last, entry.at)
    // Lives come one by one.
    if lastCard.map({ $0 != (life.number, life.opening) }) ?? true { cards += 1 }
    lastCard = (life.number, life.opening)
    if !life.deviceWord.isAbsent { devices.insert(life.deviceWord) }
    note(at: entry.at, seq: entry.seq, keeping: most)
  }

  mutating func note(at: Timestamp, seq: Int64, keeping most: Int) {
    if let latest = earliest.last, earliest.count >= most, latest < (at, seq) { return }
    let place = earliest.firstIndex { (at, seq) < ($0.at, $0.seq) } ?? earliest.count
    guard place < most else { return }
    earliest.insert((at, seq), at: place)
    if earliest.count > most { earliest.removeLast() }
  }
}

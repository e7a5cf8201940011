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

  package static var wants: LifeTraits { [.mixedShapes, .undecodable] }

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
      Counted are the contents of starts and updates of one type and build that took effect. \
      Either 10 or more, on 3 cards or more, had a member as one JSON type before 3 or more have \
      it as another (a whole number and a fraction are two; whole numbers are not new where \
      fractions are known). Or all until an instant had a member and none has it since, or the \
      other way round, each on 3 cards or more. null counts as absent, and a member that comes \
      and goes is optional. Error when decode failures of the same type and build followed. \
      Contents that undecodable-content reports do not count.
      """,
    advice: """
      Only add members, make new ones optional, and keep the type of each; a new name is a new \
      member.
      """,
    scope: .typeAndBuild, yieldsTo: ["undecodable-content"], yielding: .sameRow, reads: .all,
    thresholds: [settled, occurrences, cards], fires: firing, passes: passing)

  /// One life of an activity.
  struct Card: Hashable {
    var number: Int
    var opening: Timestamp
  }

  /// A content that many cards were sent at once.
  private struct Sent: Hashable {
    var scope: TypeAndBuild
    var seq: Int64
  }

  /// Contents of one shape in one type and build.
  struct Use {
    var shape: Int32
    var count = 0
    /// Some of the cards that showed it: as many as the limit asks for, if there are so many.
    var cards: Set<Card> = []
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
  private var fanned: Set<Sent> = []

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let scope = TypeAndBuild(life)
    for entry in life.entries {
      if entry.outcome == .undecodable {
        undecodable[scope] = max(undecodable[scope] ?? entry.at, entry.at)
      }
      // Last words have members of their own, such as a final score.
      guard entry.isAppliedAct, entry.hasContent, entry.kind != .end,
        let facts = life.log.content(of: entry),
        facts.shape >= 0
      else { continue }
      // One broadcast is one content, however many cards it reached.
      let isNew = !entry.fansOut || fanned.insert(Sent(scope: scope, seq: entry.seq)).inserted
      let place = Place(scope: scope, shape: facts.shape)
      uses[place, default: Use(shape: facts.shape)].meet(life, atMost: cards)
      guard isNew else { continue }
      uses[place, default: Use(shape: facts.shape)]
        .add(entry, keeping: max(settled, Finding.evidenceMax))
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
  fileprivate mutating func meet(_ life: Timeline, atMost limit: Int) {
    if cards.count < limit {
      cards.insert(ContentShapeDrift.Card(number: life.number, opening: life.opening))
    }
    if !life.deviceWord.isAbsent { devices.insert(life.deviceWord) }
  }

  fileprivate mutating func add(_ entry: Entry, keeping most: Int) {
    count += 1
    last = max(last, entry.at)
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

extension ContentShapeDrift {
  /// Three cards, four contents each, with a charge in whole percent.
  private static let before = """
    0m start A source=app device=p1 attributes-type=Charge build=7 content-state={"charge":10}
    1m start B source=app device=p2 attributes-type=Charge build=7 content-state={"charge":20}
    2m start C source=app device=p3 attributes-type=Charge build=7 content-state={"charge":30}
    5m update A source=push timestamp=@5m content-state={"charge":12}
    5m1s update B source=push timestamp=@5m content-state={"charge":22}
    5m2s update C source=push timestamp=@5m content-state={"charge":32}
    6m update A source=push timestamp=@6m content-state={"charge":13}
    6m1s update B source=push timestamp=@6m content-state={"charge":23}
    6m2s update C source=push timestamp=@6m content-state={"charge":33}
    7m update A source=push timestamp=@7m content-state={"charge":14}
    7m1s update B source=push timestamp=@7m content-state={"charge":24}
    7m2s update C source=push timestamp=@7m content-state={"charge":34}

    """

  fileprivate static let firing = [
    RuleExample(
      "a server begins to send fractions",
      before + """
        8m update A source=push timestamp=@8m content-state={"charge":14.5}
        8m1s update B source=push timestamp=@8m content-state={"charge":24.5}
        8m2s update C source=push timestamp=@8m content-state={"charge":34.5}
        9m end A source=app device=p1 content-state={"charge":15.0}
        9m end B source=app device=p2 content-state={"charge":25.0}
        9m end C source=app device=p3 content-state={"charge":35.0}
        """, finds: .confirmed),
    RuleExample(
      "a member is renamed",
      before + """
        8m update A source=push timestamp=@8m content-state={"percent":14}
        8m1s update B source=push timestamp=@8m content-state={"percent":24}
        8m2s update C source=push timestamp=@8m content-state={"percent":34}
        9m end A source=app device=p1 content-state={"percent":15}
        9m end B source=app device=p2 content-state={"percent":25}
        9m end C source=app device=p3 content-state={"percent":35}
        """, finds: .confirmed),
  ]

  fileprivate static let passing = [
    RuleExample(
      "an optional member comes and goes",
      before + """
        8m update A source=push timestamp=@8m content-state={"charge":15,"note":"slow"}
        8m1s update B source=push timestamp=@8m content-state={"charge":25,"note":"slow"}
        8m2s update C source=push timestamp=@8m content-state={"charge":35,"note":null}
        9m end A source=app device=p1 content-state={"charge":16}
        9m end B source=app device=p2 content-state={"charge":26}
        9m end C source=app device=p3 content-state={"charge":36,"note":"done"}
        """),
    RuleExample(
      "another build has a struct of its own",
      before + """
        8m end A source=app device=p1 content-state={"charge":15}
        8m end B source=app device=p2 content-state={"charge":25}
        8m end C source=app device=p3 content-state={"charge":35}
        9m start D source=app device=p4 attributes-type=Charge build=8 content-state={"level":0.1}
        10m update D source=push timestamp=@10m content-state={"level":0.2}
        11m update D source=push timestamp=@11m content-state={"level":0.3}
        12m end D source=app device=p4 content-state={"level":0.4}
        """),
  ]
}

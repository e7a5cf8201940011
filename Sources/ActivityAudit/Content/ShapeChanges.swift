internal import ActivityCore

/// What became of each member over the shapes that one type and build used.
struct ShapeChanges {
  /// A member that is not what it was.
  struct Change {
    var words: String
    var from: Timestamp
    var until: Timestamp
    var count: Int
    var devices: Set<Entry.Word>
    var earliest: [(at: Timestamp, seq: Int64)]
  }

  /// By when they began, then by name.
  private(set) var found: [Change] = []

  private let settled: Int
  private let least: Int
  private let cards: Int

  init(
    _ uses: [ContentShapeDrift.Use], _ log: AuditLog, settled: Int, least: Int, cards: Int
  ) {
    self.settled = settled
    self.least = least
    self.cards = cards
    let shapes = uses.map { ($0, log.shape($0.shape)?.members ?? [:]) }
    for name in Set(shapes.flatMap { $0.1.keys }).sorted() {
      var kinds: [UInt8: ContentShapeDrift.Use] = [:]
      for (use, members) in shapes {
        let kind = members[name]?.rawValue ?? 0
        kinds[kind, default: ContentShapeDrift.Use(shape: -1)].merge(use, keeping: keeping)
      }
      if let change = typeChange(name, kinds) ?? presenceChange(name, kinds) {
        found.append(change)
      }
    }
    found.sort { ($0.from, $0.words) < ($1.from, $1.words) }
  }

  private var keeping: Int { max(settled, Finding.evidenceMax) }

  /// Whether one use was settled before another began.
  private func isSettled(_ old: ContentShapeDrift.Use, before new: ContentShapeDrift.Use) -> Bool {
    guard old.earliest.count >= settled, old.cards.count >= cards, new.count >= least,
      let first = new.earliest.first
    else { return false }
    return old.earliest[settled - 1].at <= first.at
  }

  private func typeChange(
    _ name: String, _ kinds: [UInt8: ContentShapeDrift.Use]
  ) -> Change? {
    let present = kinds.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    for (oldKind, old) in present {
      for (newKind, new) in present where newKind != oldKind && isSettled(old, before: new) {
        // A whole number is what an encoder writes of a fraction that has none.
        if oldKind == ContentShape.Kind.fraction.rawValue,
          newKind == ContentShape.Kind.integer.rawValue
        {
          continue
        }
        let (was, now) = (ShapeChanges.words(oldKind), ShapeChanges.words(newKind))
        return change("\(name) is \(now) in \(new.count) contents, after \(was)", new)
      }
    }
    return nil
  }

  /// A member that came or went for good.
  private func presenceChange(
    _ name: String, _ kinds: [UInt8: ContentShapeDrift.Use]
  ) -> Change? {
    guard let absent = kinds[0] else { return nil }
    var present = ContentShapeDrift.Use(shape: -1)
    for (kind, use) in kinds.sorted(by: { $0.key < $1.key }) where kind > 0 {
      present.merge(use, keeping: keeping)
    }
    for (old, new, what) in [(absent, present, "new"), (present, absent, "gone")] {
      guard isSettled(old, before: new), new.cards.count >= cards, let first = new.earliest.first,
        old.last < first.at
      else { continue }
      return change("\(name) is \(what) in \(new.count) contents", new)
    }
    return nil
  }

  private func change(_ words: String, _ use: ContentShapeDrift.Use) -> Change? {
    guard let first = use.earliest.first else { return nil }
    return Change(
      words: words, from: first.at, until: use.last, count: use.count, devices: use.devices,
      earliest: Array(use.earliest.prefix(Finding.evidenceMax)))
  }

  private static func words(_ kind: UInt8) -> String {
    switch ContentShape.Kind(rawValue: kind) {
    case .string: "a text"
    case .integer: "a whole number"
    case .fraction: "a fraction"
    case .boolean: "true or false"
    case .object: "an object"
    case .array: "an array"
    case nil: "absent"
    }
  }
}

extension ContentShapeDrift.Use {
  fileprivate mutating func merge(_ other: ContentShapeDrift.Use, keeping most: Int) {
    count += other.count
    // Each holds as many as the limit asks for or all: so does what both hold together.
    cards.formUnion(other.cards)
    last = max(last, other.last)
    devices.formUnion(other.devices)
    for row in other.earliest { note(at: row.at, seq: row.seq, keeping: most) }
  }
}

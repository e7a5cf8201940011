import ActivityCore
import ActivityStore

/// A small seeded generator, so that a failing batch can be made again.
struct Dice: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func uuid(upper: Bool) -> String {
    let digits = Array(upper ? "0123456789ABCDEF" : "0123456789abcdef")
    return String(
      (0..<36).map { [8, 13, 18, 23].contains($0) ? "-" : digits[below(16)] })
  }

  mutating func name() -> String {
    switch below(8) {
    case 0, 1, 2: uuid(upper: true)
    case 3: uuid(upper: false)
    case 4: "sha256:" + uuid(upper: false).filter { $0 != "-" }
    case 5: "order-shared-prefix-\(below(50))"
    case 6: ["", "é", "日本語 \u{1F600}", "a\u{0}b", "SHA256:ff", "----"][below(6)]
    default: uuid(upper: true).lowercased().replacing("a", with: "A")
    }
  }

  mutating func number(_ member: Member) -> Int64 {
    switch (member.storage, below(40)) {
    case (.flag, _): Int64(below(2))
    case (_, 0): .max
    case (_, 1): .min + 1
    case (_, 2): Int64(truncatingIfNeeded: next()) | 1
    case (.seconds, 3): Int64(below(1 << 40))
    case (.seconds, _): (1_790_000_000 + Int64(below(4_000))) * 1_000_000
    default: Int64(below(5_000))
    }
  }
}

/// Batches as a parser would make them, and rows as one can compare them.
enum SkeletonScript {
  /// A batch over a world of `names`, with its own ordinals.
  static func batch(_ dice: inout Dice, rows: Int, names: [String]) -> EventColumns {
    var batch = EventColumns()
    subjects(&dice, names, &batch)
    let count = batch.subjects.count
    let words = (0..<12).map { batch.texts.intern("word \($0)") }
    var recorded: Int64 = 1_790_000_000_123_456
    let members = Member.allCases.map { ($0, share: [0, 3, 50, 97, 100][dice.below(5)]) }
    for _ in 0..<rows {
      recorded += Int64(dice.below(90_000))
      let row = batch.appendRow(
        kind: EventKind.allCases[dice.below(EventKind.allCases.count)],
        flags: RowFlags(rawValue: UInt8(dice.below(8))), subject: Int32(dice.below(count)),
        at: dice.chance(90) ? recorded : Int64(truncatingIfNeeded: dice.next()),
        recordedAt: recorded)
      for (member, share) in members where dice.chance(share) {
        batch.set(member, row, value(&dice, member, words, count, &batch))
      }
      guard batch.kind[row] == .inventory else { continue }
      for _ in 0..<dice.below(4) {
        batch.inventory.append(
          EventColumns.InventoryEntry(
            row: Int32(row), subject: Int32(dice.below(count)),
            state: dice.chance(30) ? -1 : Int32(words[dice.below(words.count)])))
      }
    }
    batch.squareUp()
    batch.payload = .lines(Array(String(repeating: "{}\n", count: rows).utf8))
    return batch
  }

  private static func value(
    _ dice: inout Dice, _ member: Member, _ words: [Int], _ subjects: Int,
    _ batch: inout EventColumns
  ) -> Int64 {
    switch member.storage {
    case .word: Int64(words[dice.below(words.count)])
    case .text: Int64(batch.texts.append(dice.name().utf8))
    case .handle: Int64(dice.below(subjects))
    case .seconds, .whole, .flag, .size: dice.number(member)
    }
  }

  private static func subjects(
    _ dice: inout Dice, _ names: [String], _ batch: inout EventColumns
  ) {
    let scopes = ["production", "sandbox", "com.example.app", "日本"]
    for ordinal in 0..<1 + dice.below(names.count) {
      let kind = HandleKind.allCases[dice.below(HandleKind.allCases.count)]
      let name = kind == .app ? -1 : batch.texts.intern(names[dice.below(names.count)])
      func scope() -> Int32 {
        dice.chance(50) ? -1 : Int32(batch.texts.intern(scopes[dice.below(scopes.count)]))
      }
      batch.subjects.append(
        ordinal: Int32(ordinal), kind: kind, name: Int32(name), environment: scope(),
        bundle: scope(), device: scope())
    }
  }

  /// What subjects are, by ordinal: equal for equal kind, name and scope.
  static func identities(_ subjects: SubjectTable, _ texts: TextTable) -> [Int32: String] {
    var identities: [Int32: String] = [:]
    for place in 0..<subjects.count {
      let parts = [
        subjects.name[place], subjects.environment[place], subjects.bundle[place],
        subjects.device[place],
      ].map { $0 < 0 ? "nil" : texts.string(Int($0)).debugDescription }
      identities[subjects.ordinals[place]] =
        "\(subjects.kind[place]) " + parts.joined(separator: " ")
    }
    return identities
  }

  /// Every row as text, its handles by what they name, its words and texts by their bytes.
  static func rows(_ batch: EventColumns, _ names: [Int32: String]) -> [String] {
    var rows = (0..<batch.count).map { row in
      var text = "\(batch.kind[row]) \(batch.flags[row].rawValue) \(batch.recordedAt[row])"
      text += " \(batch.at[row]) \(names[batch.subject[row]] ?? "unnamed")"
      for member in Member.allCases {
        guard let value = batch.value(member, row) else { continue }
        switch member.storage {
        case .word, .text:
          text += " \(member)=\(batch.texts.string(Int(value)).debugDescription)"
        case .handle: text += " \(member)=\(names[Int32(value)] ?? "unnamed")"
        case .seconds, .whole, .flag, .size: text += " \(member)=\(value)"
        }
      }
      return text
    }
    for entry in batch.inventory {
      let state = entry.state < 0 ? "nil" : batch.texts.string(Int(entry.state))
      rows[Int(entry.row)] += " [\(names[entry.subject] ?? "unnamed") \(state)]"
    }
    return rows
  }
}

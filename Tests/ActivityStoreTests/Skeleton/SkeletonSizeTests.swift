import ActivityCore
import ActivityStore
import Testing

@Suite("What columns cost")
struct SkeletonSizeTests {
  private func size(_ rows: Int, _ member: Member?, _ value: (Int) -> Int64?) throws -> Int {
    var batch = EventColumns()
    batch.subjects.append(
      ordinal: 0, kind: .app, name: -1, environment: -1, bundle: -1, device: -1)
    for row in 0..<rows {
      let at = 1_790_000_000_000_000 + Int64(row) * 12_345
      _ = batch.appendRow(kind: .update, flags: [], subject: 0, at: at, recordedAt: at)
      if let member, let value = value(row) { batch.set(member, row, value) }
    }
    batch.squareUp()
    batch.payload = .lines(Array(String(repeating: "{}\n", count: rows).utf8))
    var ordinals = SegmentOrdinals()
    return try CommitCoding.encode(batch, ordinals: &ordinals).skeleton.count
  }

  private func cost(_ member: Member, _ value: (Int) -> Int64?) throws -> Int {
    try size(1_000, member, value) - size(1_000, nil) { _ in nil }
  }

  @Test("A constant column costs at most 12 bytes")
  func constant() throws {
    #expect(try cost(.status) { _ in 200 } <= 12)
    #expect(try cost(.complete) { _ in 1 } <= 12)
    #expect(try cost(.staleDate) { _ in 1_790_003_600_000_000 } <= 12)
  }

  @Test("Presence of few rows costs no more than a list, and of many a bit")
  func presence() throws {
    #expect(try cost(.status) { $0 % 100 == 3 ? 200 : nil } <= 44)
    #expect(try cost(.status) { $0 % 2 == 0 ? 200 : nil } <= 32 + 125)
  }

  @Test("Timestamps that are the row's own second cost next to nothing")
  func predicted() throws {
    let cost = try cost(.timestamp) { row in
      (1_790_000_000_000_000 + Int64(row) * 12_345) / 1_000_000 * 1_000_000
    }
    #expect(cost <= 8)
  }

  @Test(
    "One absurd value among a thousand does not widen a column",
    arguments: [Int64.max, Int64.min + 1, Int64(9_200_000_000_000_000_000)])
  func absurd(_ absurd: Int64) throws {
    for member in [Member.bytes, .staleDate, .timestamp, .status] {
      let unit: Int64 = member.storage == .seconds ? 1_000_000 : 1
      let base: Int64 = member.storage == .seconds ? 1_790_000_000 : 100
      var dice = Dice(5)
      let values = (0..<1_000).map { _ in (base + Int64(dice.below(200))) * unit }
      let usual = try cost(member) { values[$0] }
      let wide = try cost(member) {
        $0 == 500 ? (absurd / unit) * unit : values[$0]
      }
      #expect(wide <= usual + 30)
    }
  }

  @Test("Each shape of numbers is read back", arguments: 0..<40)
  func integers(_ seed: Int) throws {
    var dice = Dice(UInt64(seed) + 99)
    let count = 1 + dice.below(3_000)
    let step = Int64([1, 1_000, 1_000_000][dice.below(3)])
    let choices = (0..<(2 + dice.below(600))).map { _ in Int64(truncatingIfNeeded: dice.next()) }
    var last: Int64 = 0
    let width = 1 << dice.below(62)
    let form = dice.below(4)
    let values = (0..<count).map { _ -> Int64 in
      if dice.chance(1) { return Int64(truncatingIfNeeded: dice.next()) }
      last &+= Int64(dice.below(300)) * step
      return switch form {
      case 0: Int64(dice.below(width))
      case 1: last
      case 2: choices[dice.below(choices.count)]
      default: Int64(truncatingIfNeeded: dice.next())
      }
    }
    for encodings in [ColumnEncodings.first, .packed] {
      var writer = SectionWriter()
      writer.integers(values, encodings)
      var reader = SectionReader(writer.bytes, .skeleton)
      #expect(try reader.integers(count) == values)
      try reader.finish()
    }
  }
}

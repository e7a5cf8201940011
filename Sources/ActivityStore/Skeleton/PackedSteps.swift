/// Differences between neighbours as a packed run.
///
/// A clock that mostly rises, with rows that came late between, is told in differences to the
/// highest value so far: then a late row is one rare value and not two.
package struct PackedSteps {
  /// Added to the byte of the unit when differences are to the highest value so far.
  package static let fromHighest: UInt8 = 0x80

  private let unit: UInt8
  private let isFromHighest: Bool
  private let differences: [Int64]
  private let run: PackedRun
  /// Exact bytes as written.
  package let size: Int

  /// nil when it would take `limit` bytes or more; at least two values.
  package init?(_ values: [Int64], below limit: Int) {
    guard PackedSteps.mayPay(values, below: limit) else { return nil }
    let head = 1 + SectionWriter.zigzagSize(values[0])
    var plain = PackedSteps.differences(values, fromHighest: false)
    let scale = PackedSteps.unit(of: plain)
    if scale.factor > 1 { plain = plain.each { $0 / scale.factor } }
    var best = PackedRun(plain, below: limit - head).map { (run: $0, differences: plain) }
    var isFromHighest = false
    if plain.contains(where: { $0 < 0 }) {
      var other = PackedSteps.differences(values, fromHighest: true)
      // Sums of whole differences are whole, unless one of them overflowed.
      let isWhole = scale.factor == 1 || other.allSatisfy { $0 % scale.factor == 0 }
      if scale.factor > 1 { other = other.each { $0 / scale.factor } }
      if isWhole, let run = PackedRun(other, below: best?.run.size ?? (limit - head)) {
        best = (run, other)
        isFromHighest = true
      }
    }
    guard let best else { return nil }
    unit = scale.power
    self.isFromHighest = isFromHighest
    differences = best.differences
    run = best.run
    size = head + best.run.size
  }

  /// Whether a few neighbours are nearer to each other than `limit` would let them be.
  private static func mayPay(_ values: [Int64], below limit: Int) -> Bool {
    let step = max(1, (values.count - 1) / 64)
    var bits = 0
    var pairs = 0
    for index in stride(from: 1, to: values.count, by: step) {
      let difference = values[index] &- values[index - 1]
      bits += 64 - SectionWriter.zigzagged(difference).leadingZeroBitCount
      pairs += 1
    }
    return bits * values.count < limit * 8 * pairs
  }

  private static func differences(_ values: [Int64], fromHighest: Bool) -> [Int64] {
    var differences = Array(values.dropFirst())
    guard fromHighest else {
      differences.combine(values) { $0 &- $1 }
      return differences
    }
    var highest = values[0]
    for index in differences.indices {
      let value = differences[index]
      differences[index] = value &- highest
      highest = max(highest, value)
    }
    return differences
  }

  /// The largest unit that all differences are whole in.
  private static func unit(of differences: [Int64]) -> (power: UInt8, factor: Int64) {
    var unit: (power: UInt8, factor: Int64) = (6, 1_000_000)
    for difference in differences {
      guard abs(difference / 2) < 1 << 56 else { return (0, 1) }
      while difference % unit.factor != 0 {
        unit = unit.power == 6 ? (3, 1_000) : (0, 1)
      }
      if unit.power == 0 { break }
    }
    return unit
  }

  /// Unit, zigzag first value, the run.
  package func write(first: Int64, to writer: inout SectionWriter) {
    writer.byte(unit | (isFromHighest ? PackedSteps.fromHighest : 0))
    writer.zigzag(first)
    run.write(differences, to: &writer)
  }
}

extension IntegerPlan {
  /// The smallest of a constant width, packed offsets, packed differences and packed codes.
  mutating func planPacked(_ values: [Int64], _ low: Int64, _ high: Int64) {
    _ = planWhole(values, low, high)
    if let run = PackedRun(values, below: size) { keep(.packed(run), run.size) }
    // Differences take longer to read than offsets: they must save a sixteenth.
    if let steps = PackedSteps(values, below: size - size / 16) { keep(.steps(steps), steps.size) }
    planCodes(values)
  }

  private mutating func planCodes(_ values: [Int64]) {
    let limit = min(4_096, values.count / 4)
    guard limit > 1, size * 8 > values.count * 2 else { return }
    let step = max(1, values.count / 64)
    let sample = Set(stride(from: 0, to: values.count, by: step).map { values[$0] })
    guard sample.count <= 40,
      let (entries, codes, entryBytes) = IntegerPlan.entries(of: values, limit: limit)
    else { return }
    let width = Int.bitWidth - (entries.count - 1).leadingZeroBitCount
    let bytes =
      entryBytes + SectionWriter.varintSize(UInt64(entries.count))
      + PackedRun.bytes(values.count, width)
    keep(.codes(values: entries, codes: codes.map { Int64($0) }, width: width), bytes)
  }
}

extension SectionReader {
  /// What `PackedSteps` wrote.
  package mutating func steps(_ count: Int) throws(MalformedCommit) -> [Int64] {
    let mark = try byte()
    let unit: Int64
    switch mark & ~PackedSteps.fromHighest {
    case 0: unit = 1
    case 3: unit = 1_000
    case 6: unit = 1_000_000
    default: throw malformed(.unknownEncoding)
    }
    var value = try zigzag()
    let differences = try packedRun(count - 1)
    let isFromHighest = mark & PackedSteps.fromHighest != 0
    return differences.withUnsafeBufferPointer { differences in
      [Int64](unsafeUninitializedCapacity: count) { values, filled in
        values[0] = value
        for index in 1..<count {
          let next = value &+ differences[index &- 1] &* unit
          values[index] = next
          value = isFromHighest ? max(value, next) : next
        }
        filled = count
      }
    }
  }

  /// Values in order of first use, then a code each.
  package mutating func codes(_ count: Int) throws(MalformedCommit) -> [Int64] {
    let size = try self.count(limit: min(4_096, remaining))
    var entries: [Int64] = []
    entries.reserveCapacity(size)
    for _ in 0..<size { entries.append(try zigzag()) }
    let width = size < 2 ? 0 : Int.bitWidth - (size - 1).leadingZeroBitCount
    let codes = try bits(count, 0, width)
    guard codes.allBelow(size) else { throw malformed(.codeOutOfRange) }
    return codes.each { entries[Int($0)] }
  }
}

/// Numbers as offsets of so many bits from a base, rare ones beyond them listed apart.
///
/// Base and width are chosen from a sample, so that planning costs little; the size is exact.
package struct PackedRun {
  /// The widest offset: one unaligned load of eight bytes holds it wherever it begins.
  package static let widthMax = 56
  private static let sampleSize = 128

  package let base: Int64
  package let width: Int
  private let exceptions: [Int]
  /// Exact bytes as written.
  package let size: Int

  /// nil when it would take `limit` bytes or more.
  package init?(_ values: [Int64], below limit: Int) {
    guard !values.isEmpty, let (base, width) = PackedRun.choose(values) else { return nil }
    self.base = base
    self.width = width
    let fixed = SectionWriter.zigzagSize(base) + 1 + PackedRun.bytes(values.count, width)
    guard fixed < limit else { return nil }
    var bytes = fixed
    var exceptions: [Int] = []
    let reach = PackedRun.reach(width)
    var last = 0
    for index in values.indices where UInt64(bitPattern: values[index] &- base) > reach {
      bytes += SectionWriter.varintSize(UInt64(index - last))
      bytes += SectionWriter.zigzagSize(values[index])
      guard bytes < limit else { return nil }
      exceptions.append(index)
      last = index
    }
    if !exceptions.isEmpty { bytes += SectionWriter.varintSize(UInt64(exceptions.count)) }
    self.exceptions = exceptions
    size = bytes
  }

  /// The largest offset of a width.
  package static func reach(_ width: Int) -> UInt64 { (1 << UInt64(width)) - 1 }

  /// Bytes of so many offsets.
  package static func bytes(_ count: Int, _ width: Int) -> Int { (count * width + 7) / 8 }

  /// The base and width that would cost a sample least; nil where offsets are too wide to pack.
  /// The lowest value comes first: of a base that costs a sample as little, lower ones may be
  /// missed by it.
  private static func choose(_ values: [Int64]) -> (Int64, Int)? {
    var low = values[0]
    for value in values { low = min(low, value) }
    let step = max(1, values.count / sampleSize)
    let sample = stride(from: 0, to: values.count, by: step).map { values[$0] }.sorted()
    var best: (cost: Int, base: Int64, width: Int)?
    var tried: Int64?
    let places = [0, sample.count / 64, sample.count / 16, sample.count / 8]
    for base in [low] + places.map({ sample[$0] }) where tried != base {
      tried = base
      let (cost, width) = cost(sample, base)
      if best.map({ cost < $0.cost }) ?? true { best = (cost, base, width) }
    }
    return best.flatMap { $0.width <= widthMax ? ($0.base, $0.width) : nil }
  }

  /// Bits of the best width over a base.
  private static func cost(_ sample: [Int64], _ base: Int64) -> (Int, Int) {
    // By bits of an offset: how many bits as exceptions all of them take; 64 for those below.
    var apart = [Int](repeating: 0, count: 65)
    for value in sample {
      let bits = value < base ? 64 : 64 - UInt64(bitPattern: value &- base).leadingZeroBitCount
      apart[bits] += 8 * (SectionWriter.zigzagSize(value) + 2)
    }
    var best = (cost: Int.max, width: 64)
    var beyond = 0
    for width in stride(from: 63, through: 0, by: -1) {
      beyond += apart[width + 1]
      let cost = width * sample.count + beyond
      if cost <= best.cost { best = (cost, width) }
    }
    return best
  }

  /// Zigzag base, width with its top bit for exceptions, those, then all offsets.
  package func write(_ values: [Int64], to writer: inout SectionWriter) {
    writer.zigzag(base)
    writer.byte(UInt8(width) | (exceptions.isEmpty ? 0 : 0x80))
    if !exceptions.isEmpty {
      writer.varint(exceptions.count)
      var last = 0
      for index in exceptions {
        writer.varint(index - last)
        writer.zigzag(values[index])
        last = index
      }
    }
    writer.bits(values, base, width)
  }
}

extension SectionWriter {
  /// Offsets of `width` bits side by side, the lowest bit first; 0 for one that does not fit.
  package mutating func bits(_ values: [Int64], _ base: Int64, _ width: Int) {
    guard width > 0 else { return }
    let length = PackedRun.bytes(values.count, width)
    let reach = PackedRun.reach(width)
    let all = [UInt8](unsafeUninitializedCapacity: length + 8) { target, filled in
      let room = UnsafeMutableRawBufferPointer(target)
      var word: UInt64 = 0
      var used = 0
      var place = 0
      for value in values {
        let offset = UInt64(bitPattern: value &- base)
        word |= (offset <= reach ? offset : 0) &<< UInt64(used)
        used &+= width
        room.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
        place &+= used >> 3
        word = word &>> UInt64(used & 0x38)
        used &= 7
      }
      room.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
      filled = length
    }
    append(all)
  }
}

extension SectionReader {
  /// What `PackedRun` wrote.
  package mutating func packedRun(_ count: Int) throws(MalformedCommit) -> [Int64] {
    let base = try zigzag()
    let mark = try byte()
    let width = Int(mark & 0x7F)
    guard width <= PackedRun.widthMax else { throw malformed(.unknownEncoding) }
    let exceptions = mark & 0x80 == 0 ? [] : try exceptions(of: count)
    var values = try bits(count, base, width)
    for exception in exceptions { values[exception.index] = exception.value }
    return values
  }

  /// Rare values and where they stand, rising.
  package mutating func exceptions(
    of count: Int
  ) throws(MalformedCommit) -> [(index: Int, value: Int64)] {
    var exceptions: [(index: Int, value: Int64)] = []
    var index = 0
    for _ in 0..<(try self.count(limit: min(count, remaining))) {
      index += try self.count(limit: CommitBounds.listedMax)
      guard index < count else { throw malformed(.rowOutOfRange) }
      exceptions.append((index, try zigzag()))
    }
    return exceptions
  }

  /// `count` offsets of `width` bits.
  package mutating func bits(
    _ count: Int, _ base: Int64, _ width: Int
  ) throws(MalformedCommit) -> [Int64] {
    let start = offset
    try skip(PackedRun.bytes(count, width))
    guard width > 0 else { return [Int64](repeating: base, count: count) }
    // Offsets up to this one can be loaded as eight bytes of the section.
    let room = bytes.count - 8 - start
    let loadable = room < 0 ? 0 : min(count, (room * 8 + 7) / width + 1)
    let mask = PackedRun.reach(width)
    return bytes.withUnsafeBytes { source in
      [Int64](unsafeUninitializedCapacity: count) { values, filled in
        var bit = start &* 8
        for index in 0..<loadable {
          let word = UInt64(
            littleEndian: source.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self))
          values[index] = base &+ Int64(bitPattern: word &>> UInt64(bit & 7) & mask)
          bit &+= width
        }
        for index in loadable..<count {
          var word: UInt64 = 0
          for place in stride(from: source.count - 1, through: bit >> 3, by: -1) {
            word = word << 8 | UInt64(source[place])
          }
          values[index] = base &+ Int64(bitPattern: word &>> UInt64(bit & 7) & mask)
          bit &+= width
        }
        filled = count
      }
    }
  }
}

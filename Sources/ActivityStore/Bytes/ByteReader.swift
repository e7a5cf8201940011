/// Reads what `ByteWriter` wrote, checking every step against the end: any input gives a value or
/// a `Damage`, never a trap.
package struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private let end: Int
  /// Index of the next byte in the array given.
  package private(set) var position: Int

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    self.position = 0
    self.end = bytes.count
  }

  /// Reads `range` of the bytes only, cut to what is there.
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    self.position = min(max(range.lowerBound, 0), bytes.count)
    self.end = min(max(range.upperBound, self.position), bytes.count)
  }

  package var remaining: Int { end - position }
  package var isAtEnd: Bool { position == end }

  package mutating func u8() throws(Damage) -> UInt8 {
    guard position < end else { throw Damage(.truncated) }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func u16() throws(Damage) -> UInt16 { try fixed() }

  package mutating func u32() throws(Damage) -> UInt32 { try fixed() }

  package mutating func u64() throws(Damage) -> UInt64 { try fixed() }

  package mutating func i64() throws(Damage) -> Int64 {
    Int64(bitPattern: try fixed() as UInt64)
  }

  package mutating func varint() throws(Damage) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try u8()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || (shift == 63 && bits <= 1) else {
        throw Damage(.malformed, "a number longer than 64 bits")
      }
      value |= bits << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
  }

  package mutating func zigzag() throws(Damage) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A varint that must not exceed `limit`: a count or length about to be allocated for.
  package mutating func count(atMost limit: Int) throws(Damage) -> Int {
    let value = try varint()
    guard value <= UInt64(max(limit, 0)) else { throw Damage(.length, "\(value)") }
    return Int(value)
  }

  package mutating func raw(_ count: Int) throws(Damage) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw Damage(.truncated) }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// What `ByteWriter.counted` wrote.
  package mutating func counted(atMost limit: Int) throws(Damage) -> [UInt8] {
    let length = try count(atMost: min(limit, remaining))
    return [UInt8](try raw(length))
  }

  private mutating func fixed<Value: FixedWidthInteger>() throws(Damage) -> Value {
    let width = Value.bitWidth / 8
    guard remaining >= width else { throw Damage(.truncated) }
    var value: Value = 0
    for index in 0..<width {
      value |= Value(truncatingIfNeeded: bytes[position + index]) << Value(8 * index)
    }
    position += width
    return value
  }
}

extension [UInt8] {
  /// The little-endian number at `offset`, nil where the bytes end before it does.
  package func u32(at offset: Int) -> UInt32? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16
      | UInt32(self[offset + 3]) << 24
  }
}

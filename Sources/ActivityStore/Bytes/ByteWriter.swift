/// Collects bytes: fixed-width integers little-endian, variable-width ones as LEB128.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  package mutating func u8(_ value: UInt8) { bytes.append(value) }

  package mutating func u16(_ value: UInt16) { fixed(value) }

  package mutating func u32(_ value: UInt32) { fixed(value) }

  package mutating func u64(_ value: UInt64) { fixed(value) }

  package mutating func i64(_ value: Int64) { fixed(UInt64(bitPattern: value)) }

  /// Seven bits a byte, low bits first, the high bit set on every byte but the last.
  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A signed varint: 0, −1, 1, −2 … become 0, 1, 2, 3 …
  package mutating func zigzag(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  package mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  package mutating func raw(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

  /// A varint length, then the bytes.
  package mutating func counted(_ more: [UInt8]) {
    varint(UInt64(more.count))
    raw(more)
  }

  /// Writes over four bytes already there, such as a length known only at the end.
  package mutating func patch(u32 value: UInt32, at offset: Int) {
    for shift in 0..<4 {
      bytes[offset + shift] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift)))
    }
  }

  private mutating func fixed<Value: FixedWidthInteger>(_ value: Value) {
    for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }
}

/// Numbers as the raw sections of a commit spell them: LEB128, signed ones zigzag.
package struct SectionWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  package mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func varint(_ value: Int) { varint(UInt64(value)) }

  package mutating func zigzag(_ value: Int64) { varint(SectionWriter.zigzagged(value)) }

  /// Numbers that are little-endian already, all of their bytes.
  package mutating func fixed(_ values: [some FixedWidthInteger & BitwiseCopyable]) {
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Many signed numbers. Their bytes go through one buffer that has room for the longest, because
  /// growing an array byte by byte is what writing a column would cost.
  package mutating func zigzags(_ values: [Int64]) {
    let all = [UInt8](unsafeUninitializedCapacity: values.count * 10) { target, filled in
      for value in values {
        var rest = SectionWriter.zigzagged(value)
        while rest >= 0x80 {
          target[filled] = UInt8(truncatingIfNeeded: rest) | 0x80
          filled &+= 1
          rest >>= 7
        }
        target[filled] = UInt8(truncatingIfNeeded: rest)
        filled &+= 1
      }
    }
    bytes.append(contentsOf: all)
  }

  /// Small numbers of either sign as small unsigned ones.
  @inline(__always)
  package static func zigzagged(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }

  /// Bytes of a number as `varint` writes it: 1 to 10.
  @inline(__always)
  package static func varintSize(_ value: UInt64) -> Int {
    ((64 - (value | 1).leadingZeroBitCount) * 9 + 64) >> 6
  }

  @inline(__always)
  package static func zigzagSize(_ value: Int64) -> Int { varintSize(zigzagged(value)) }
}

/// UTF-16 in pieces cut anywhere becomes UTF-8; what is no character becomes U+FFFD.
struct UTF16Decoding {
  private static let replacement: UInt32 = 0xFFFD

  private let isBigEndian: Bool
  /// The first byte of a unit whose second has not come.
  private var half: UInt8?
  /// A high surrogate whose low one has not come.
  private var high: UInt32?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Appends the text of the next bytes: at most three bytes for two, and a few before them.
  mutating func take(_ bytes: ArraySlice<UInt8>, into text: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      if let first = half, let second = bytes.first {
        half = nil
        index = 1
        take(unit: unit(first, second), into: &text)
      }
      while index + 1 < bytes.count {
        take(unit: unit(bytes[index], bytes[index + 1]), into: &text)
        index += 2
      }
      if index < bytes.count { half = bytes[index] }
    }
  }

  /// Appends what stands for a character that never became whole.
  mutating func finish(into text: inout [UInt8]) {
    if high != nil || half != nil { Self.append(Self.replacement, to: &text) }
    high = nil
    half = nil
  }

  private func unit(_ first: UInt8, _ second: UInt8) -> UInt32 {
    isBigEndian
      ? UInt32(first) << 8 | UInt32(second) : UInt32(second) << 8 | UInt32(first)
  }

  private mutating func take(unit: UInt32, into text: inout [UInt8]) {
    if let before = high {
      high = nil
      if (0xDC00...0xDFFF).contains(unit) {
        return Self.append(0x1_0000 + (before - 0xD800) << 10 + (unit - 0xDC00), to: &text)
      }
      Self.append(Self.replacement, to: &text)
    }
    switch unit {
    case 0..<0x80: text.append(UInt8(unit))
    case 0xD800...0xDBFF: high = unit
    case 0xDC00...0xDFFF: Self.append(Self.replacement, to: &text)
    default: Self.append(unit, to: &text)
    }
  }

  /// Appends a scalar value over U+007F.
  private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
    if scalar < 0x800 {
      text.append(UInt8(0xC0 | scalar >> 6))
    } else {
      if scalar < 0x1_0000 {
        text.append(UInt8(0xE0 | scalar >> 12))
      } else {
        text.append(UInt8(0xF0 | scalar >> 18))
        text.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      }
      text.append(UInt8(0x80 | scalar >> 6 & 0x3F))
    }
    text.append(UInt8(0x80 | scalar & 0x3F))
  }
}

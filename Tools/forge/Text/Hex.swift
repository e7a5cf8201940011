/// Hex digits and the two spellings made of them.
enum Hex {
  static func text(_ value: UInt64, _ digits: Int) -> String {
    let all = String(value, radix: 16)
    let padded = String(repeating: "0", count: max(0, 16 - all.utf8.count)) + all
    return String(padded.suffix(digits))
  }

  /// A version 4 UUID, upper case as ActivityKit prints it.
  static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    let first = text(high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, 16).uppercased()
    let second = text(low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000, 16).uppercased()
    let tail = first.dropFirst(8)
    return "\(first.prefix(8))-\(tail.prefix(4))-\(tail.dropFirst(4))"
      + "-\(second.prefix(4))-\(second.dropFirst(4))"
  }
}

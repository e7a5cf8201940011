internal import ActivityCore

/// A line of JSON that grows long, such as an array of many records: where it can be cut so that
/// each part holds whole objects.
///
/// Objects that lie in arrays alone are whole by themselves; what is inside an object is never cut.
struct LongLine: Sendable {
  /// So long a line is cut where it can be.
  static let length = 1 << 20

  /// Bytes looked at.
  private var looked = 0
  /// Behind the last whole object.
  private var end = 0
  /// Open braces, and brackets inside them.
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// How many bytes at the beginning of a line hold whole objects and what stands between them; 0
  /// while there are none, and for a line of text.
  ///
  /// - Parameter line: the same line as before, which may have grown.
  mutating func cut(_ line: [UInt8]) -> Int {
    let isBetween = { (byte: UInt8) in byte <= 0x20 || [0x2C, 0x5B, 0x5D].contains(byte) }
    guard line.first(where: { !isBetween($0) }) == UInt8(ascii: "{") else { return 0 }
    line.withUnsafeBytes { bytes in
      while looked < bytes.count {
        pass(bytes[looked])
        looked += 1
      }
    }
    return end
  }

  private mutating func pass(_ byte: UInt8) {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = depth > 0
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "["): depth += depth > 0 ? 1 : 0
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard depth > 0 else { return }
      depth -= 1
      if depth == 0 { end = looked + 1 }
    default: break
    }
  }
}

internal import ActivityCore

/// Bytes as lower-case hex digits, and back.
enum HexText {
  static func of(_ bytes: [UInt8]) -> String {
    let digits = bytes.flatMap { [HexDigit.lowercase($0 >> 4), HexDigit.lowercase($0 & 15)] }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The bytes of digits in any case; nil where it is not two digits a byte.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { HexDigit.value($0) }
    guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

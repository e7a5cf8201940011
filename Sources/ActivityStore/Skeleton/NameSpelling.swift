/// How a text is kept: the common spellings of ids and fingerprints take 16 bytes. Raw values are
/// numbers on disk.
enum NameSpelling: UInt8 {
  case raw = 0
  /// 8-4-4-4-12 hexadecimal digits, all letters upper case or none.
  case upperUUID = 1
  /// The same with lower case letters, at least one.
  case lowerUUID = 2
  /// `sha256:` and 32 lower case digits.
  case fingerprint = 3

  private static let prefix = Array("sha256:".utf8)
  private static let dashes = [8, 13, 18, 23]

  /// The spelling of a text and its 16 bytes, empty for `raw`.
  static func recognise(_ text: ArraySlice<UInt8>) -> (NameSpelling, [UInt8]) {
    var digits: [UInt8] = []
    if text.count == 36 {
      digits.reserveCapacity(32)
      for (index, byte) in text.enumerated() {
        if dashes.contains(index) {
          guard byte == UInt8(ascii: "-") else { return (.raw, []) }
        } else {
          digits.append(byte)
        }
      }
      if let bytes = pack(digits, letters: UInt8(ascii: "A")) { return (.upperUUID, bytes) }
      if let bytes = pack(digits, letters: UInt8(ascii: "a")) { return (.lowerUUID, bytes) }
    } else if text.count == 39, text.starts(with: prefix) {
      digits = Array(text.dropFirst(prefix.count))
      if let bytes = pack(digits, letters: UInt8(ascii: "a")) { return (.fingerprint, bytes) }
    }
    return (.raw, [])
  }

  /// 32 digits as 16 bytes, nil unless all are digits or of these letters.
  private static func pack(_ digits: [UInt8], letters: UInt8) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var high: UInt8 = 0
    for (index, digit) in digits.enumerated() {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case letters...(letters + 5): value = digit - letters + 10
      default: return nil
      }
      if index & 1 == 0 { high = value << 4 } else { bytes.append(high | value) }
    }
    return bytes
  }

  /// Writes the text of 16 bytes over `text`.
  func spell(_ bytes: ArraySlice<UInt8>, into text: inout [UInt8]) {
    text.removeAll(keepingCapacity: true)
    let letters = UInt8(ascii: self == .upperUUID ? "A" : "a") - 10
    if self == .fingerprint { text.append(contentsOf: NameSpelling.prefix) }
    for (index, byte) in bytes.enumerated() {
      if self != .fingerprint, index == 4 || index == 6 || index == 8 || index == 10 {
        text.append(UInt8(ascii: "-"))
      }
      text.append((byte >> 4) + (byte >> 4 < 10 ? UInt8(ascii: "0") : letters))
      text.append((byte & 15) + (byte & 15 < 10 ? UInt8(ascii: "0") : letters))
    }
  }
}

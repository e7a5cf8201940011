/// What the beginning of unpacked bytes shows: an encoding, or that it is no text.
///
/// The verdict depends on the bytes alone, never on how they were cut, and it comes with the first
/// line that is text, so that a followed file is not held back.
enum TextOpening {
  enum Verdict: Equatable {
    /// More bytes are needed; never after `limit`.
    case undecided
    /// Text, behind a mark of so many bytes.
    case text(InputKind.Encoding, mark: Int)
    case form(InputForm)
  }

  /// How far NUL bytes are looked for.
  static let limit = 4_096
  /// How far NUL bytes must alternate for UTF-16 without a mark.
  private static let unmarkedLength = 64

  private static let marks: [(bytes: [UInt8], encoding: InputKind.Encoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16LittleEndian),
    ([0xFE, 0xFF], .utf16BigEndian),
  ]

  /// - Parameter isWhole: whether nothing follows the bytes.
  static func look(at bytes: [UInt8], isWhole: Bool) -> Verdict {
    switch InputSignature.look(at: bytes, isWhole: isWhole) {
    case .undecided: return .undecided
    case .form(let form): return .form(form)
    case .none: break
    }
    for (mark, encoding) in marks {
      if bytes.starts(with: mark) { return .text(encoding, mark: mark.count) }
      guard !bytes.isEmpty, mark.starts(with: bytes) else { continue }
      // The first bytes of a mark, cut off behind them, begin no other text.
      return isWhole ? .text(encoding, mark: bytes.count) : .undecided
    }
    if beginsWithTextLine(bytes) { return .text(.utf8, mark: 0) }
    if isWhole || bytes.count >= unmarkedLength, let encoding = unmarkedUTF16(bytes) {
      return .text(encoding, mark: 0)
    }
    guard isWhole || bytes.count >= limit else { return .undecided }
    guard bytes.prefix(limit).contains(0) else { return .text(.utf8, mark: 0) }
    return .form(isTar(bytes) ? .tar : .binary)
  }

  /// Whether a line end comes after a visible character and before any control character but those
  /// of text and of colours, and all before it is UTF-8.
  private static func beginsWithTextLine(_ bytes: [UInt8]) -> Bool {
    var hasVisible = false
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\n"): if hasVisible { return isUTF8(bytes[..<index]) }
      case UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: " "), 0x0C, 0x1B: break
      case 0..<0x20: return false
      default: hasVisible = true
      }
    }
    return false
  }

  private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
  }

  /// UTF-16 of mostly ASCII text: seven units of eight have one byte of zero, always the same one.
  private static func unmarkedUTF16(_ bytes: [UInt8]) -> InputKind.Encoding? {
    let units = min(bytes.count, unmarkedLength) / 2
    guard units >= 2 else { return nil }
    var firstZeros = 0
    var secondZeros = 0
    for unit in 0..<units {
      let isZero = (bytes[2 * unit] == 0, bytes[2 * unit + 1] == 0)
      switch isZero {
      case (true, true): return nil
      case (true, false): firstZeros += 1
      case (false, true): secondZeros += 1
      case (false, false): break
      }
    }
    if secondZeros * 8 >= units * 7 { return .utf16LittleEndian }
    return firstZeros * 8 >= units * 7 ? .utf16BigEndian : nil
  }

  private static func isTar(_ bytes: [UInt8]) -> Bool {
    bytes.dropFirst(257).starts(with: "ustar".utf8)
  }
}

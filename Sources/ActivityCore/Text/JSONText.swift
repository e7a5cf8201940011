/// Text as JSON spells it: what stands between the quotes.
package enum JSONText {
  /// Adds the text that validated bytes between quotes stand for.
  package static func unescape(_ bytes: some Collection<UInt8>, into text: inout [UInt8]) {
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "\\"), let mark = rest.next() else {
        text.append(byte)
        continue
      }
      switch mark {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        let unit = hexUnit(&rest)
        guard unit & 0xFC00 == 0xD800 else {
          append(unit, to: &text)
          continue
        }
        _ = rest.next()
        _ = rest.next()
        append(0x10000 + (unit & 0x3FF) << 10 + hexUnit(&rest) & 0x3FF, to: &text)
      default: text.append(mark)
      }
    }
  }

  private static func hexUnit(_ rest: inout some IteratorProtocol<UInt8>) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 { unit = unit << 4 | UInt32(HexDigit.value(rest.next() ?? 0) ?? 0) }
    return unit
  }

  private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
    let scalar = Unicode.Scalar(scalar) ?? "\u{FFFD}"
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// Adds a text in quotes in its one canonical spelling: only `"`, `\` and controls are escaped.
  package static func append(_ bytes: some Collection<UInt8>, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\""))
    if bytes.contains(where: needsEscape) {
      for byte in bytes { appendEscaped(byte, to: &line) }
    } else {
      line.append(contentsOf: bytes)
    }
    line.append(UInt8(ascii: "\""))
  }

  /// Adds the text behind a code in quotes; UUIDs and fingerprints have nothing to escape.
  package static func append(_ texts: TextTable, _ code: Int, to line: inout [UInt8]) {
    guard texts.spelling(code) != .raw else { return append(texts.kept(code), to: &line) }
    line.append(UInt8(ascii: "\""))
    texts.append(code, to: &line)
    line.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscaped(_ byte: UInt8, to line: inout [UInt8]) {
    guard needsEscape(byte) else { return line.append(byte) }
    line.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: line.append(UInt8(ascii: "b"))
    case 0x09: line.append(UInt8(ascii: "t"))
    case 0x0A: line.append(UInt8(ascii: "n"))
    case 0x0C: line.append(UInt8(ascii: "f"))
    case 0x0D: line.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): line.append(byte)
    default:
      line.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      line.append(HexDigit.lowercase(byte >> 4))
      line.append(HexDigit.lowercase(byte & 15))
    }
  }

  /// Whether bytes between quotes that hold escapes are spelled as `append` would spell them.
  package static func isCanonical(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var text: [UInt8] = []
    unescape(bytes, into: &text)
    var spelled: [UInt8] = []
    append(text, to: &spelled)
    return spelled.dropFirst().dropLast().elementsEqual(bytes)
  }
}

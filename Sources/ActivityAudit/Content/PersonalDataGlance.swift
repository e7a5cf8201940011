/// The quick look at bytes that spares nearly all lines the walk through their values.
enum PersonalDataGlance {
  /// Fewer digits than this are no card number.
  private static let digitsMin = 13
  /// Fewer hex digits than this are no token.
  private static let hexMin = 64

  /// Whether some value could be an address, a number with a country code, a card or a token.
  static func mayHold(_ line: UnsafeRawBufferPointer) -> Bool {
    hasMark(line) || hasRun(line, digitsMin, among: isNumeric) || hasRun(line, hexMin, among: isHex)
  }

  /// An `@`, or a string that begins with a plus, escaped or not; eight bytes at a time, all reads
  /// behind a comparison with `count`.
  private static func hasMark(_ line: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= line.count {
      let word = line.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let found = zeros(word ^ 0x4040_4040_4040_4040) | zeros(word ^ 0x2B2B_2B2B_2B2B_2B2B)
      if (found | zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)) != 0,
        (place..<(place + 8)).contains(where: { isMark(line, $0) })
      {
        return true
      }
      place += 8
    }
    return (place..<line.count).contains { isMark(line, $0) }
  }

  /// The high bit of each byte that is zero; false alarms above one are looked at again.
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  private static func isMark(_ line: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    switch line[place] {
    case UInt8(ascii: "@"): true
    case UInt8(ascii: "+"): place > 0 && line[place - 1] == UInt8(ascii: "\"")
    case UInt8(ascii: "\\"):
      // `\u002B` and `\u0040`: encoders write them where others write `+` and `@`.
      place + 4 < line.count && line[place + 1] == UInt8(ascii: "u")
        && line[place + 2] == UInt8(ascii: "0") && line[place + 3] == UInt8(ascii: "0")
    default: false
    }
  }

  /// Whether so many bytes of a class stand together, separators uncounted. Such a run covers one
  /// of the places that are looked at, and no byte belongs to two runs that are measured.
  private static func hasRun(
    _ line: UnsafeRawBufferPointer, _ least: Int, among classOf: (UInt8) -> Class
  ) -> Bool {
    var seen = 0
    var place = least - 1
    while place < line.count {
      guard classOf(line[place]) != .other else {
        place += least
        continue
      }
      var first = place
      while first > seen, classOf(line[first - 1]) != .other { first -= 1 }
      var digits = 0
      var end = first
      while end < line.count {
        let kind = classOf(line[end])
        guard kind != .other else { break }
        if kind == .digit { digits += 1 }
        end += 1
      }
      if digits >= least { return true }
      seen = end
      place = end + least
    }
    return false
  }

  private enum Class { case digit, separator, other }

  private static func isNumeric(_ byte: UInt8) -> Class {
    if byte &- UInt8(ascii: "0") < 10 { return .digit }
    return byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") ? .separator : .other
  }

  private static func isHex(_ byte: UInt8) -> Class {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6 ? .digit : .other
  }
}

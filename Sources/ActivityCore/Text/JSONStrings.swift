/// Strings: the part of the scanner where nearly all bytes of a line are.
extension JSONScanner {
  /// Scans the string whose opening quote is at `offset`, and moves behind its closing one.
  mutating func string() -> Bool {
    var place = offset + 1
    var escapes = false
    let count = bytes.count
    while true {
      while place + 8 <= count {
        let word = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        let stop = JSONScanner.stops(word)
        if stop == 0 {
          place += 8
          continue
        }
        place += stop.trailingZeroBitCount >> 3
        break
      }
      guard place < count else { return fail(.unexpectedEnd, at: count) }
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        offset = place + 1
        sawEscape = escapes
        return true
      }
      if byte >= 0x80 {
        guard let next = text(at: place) else { return fail(.invalidUTF8, at: place) }
        place = next
      } else if byte == UInt8(ascii: "\\") {
        escapes = true
        guard let next = escape(at: place) else { return false }
        place = next
      } else {
        guard byte >= 0x20 else { return fail(.controlCharacter, at: place) }
        place += 1
      }
    }
  }

  /// The high bit of each byte that ends a plain ASCII run: quote, backslash, control, or not
  /// ASCII. Bits above the lowest set one may be false alarms.
  @inline(__always)
  static func stops(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let found =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- (ones &* 0x20)) & ~word) | word
    return found & highs
  }

  /// Behind the run of characters beyond ASCII that begins at `place`; nil where it is not UTF-8
  /// from its first character on.
  private func text(at place: Int) -> Int? {
    var place = place
    let start = place
    while place < bytes.count, bytes[place] >= 0x80 {
      let length = UTF8Check.length(bytes, place)
      guard length > 0 else { return place == start ? nil : place }
      place += length
    }
    return place
  }

  /// Behind the escape whose backslash is at `place`.
  private mutating func escape(at place: Int) -> Int? {
    guard place + 1 < bytes.count else {
      _ = fail(.unexpectedEnd, at: bytes.count)
      return nil
    }
    switch bytes[place + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return place + 2
    case UInt8(ascii: "u"):
      guard let unit = hexUnit(at: place + 2) else { return nil }
      guard unit & 0xF800 == 0xD800 else { return place + 6 }
      guard unit < 0xDC00, place + 7 < bytes.count, bytes[place + 6] == UInt8(ascii: "\\"),
        bytes[place + 7] == UInt8(ascii: "u")
      else {
        let isCut =
          unit < 0xDC00
          && (place + 6 == bytes.count
            || (place + 7 == bytes.count && bytes[place + 6] == UInt8(ascii: "\\")))
        _ = isCut ? fail(.unexpectedEnd, at: bytes.count) : fail(.loneSurrogate, at: place)
        return nil
      }
      guard let low = hexUnit(at: place + 8) else { return nil }
      guard low & 0xFC00 == 0xDC00 else {
        _ = fail(.loneSurrogate, at: place)
        return nil
      }
      return place + 12
    default:
      _ = fail(.invalidEscape, at: place)
      return nil
    }
  }

  private mutating func hexUnit(at place: Int) -> UInt16? {
    var unit: UInt16 = 0
    for index in place..<(place + 4) {
      guard index < bytes.count else {
        _ = fail(.unexpectedEnd, at: bytes.count)
        return nil
      }
      guard let digit = HexDigit.value(bytes[index]) else {
        _ = fail(.invalidEscape, at: index)
        return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

/// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
  /// How many bytes the character beyond ASCII at `place` takes, 0 when it is none.
  static func length(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
    let first = bytes[place]
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first <= 0xF4, place + length <= bytes.count else { return 0 }
    let second = bytes[place + 1]
    let least: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
    let most: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
    guard second >= least, second <= most else { return 0 }
    for index in (place + 2)..<max(place + 2, place + length) where bytes[index] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }
}

/// Hexadecimal digits, both ways.
package enum HexDigit {
  @inline(__always)
  package static func value(_ byte: UInt8) -> UInt8? {
    let number = byte &- UInt8(ascii: "0")
    if number < 10 { return number }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  package static func lowercase(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

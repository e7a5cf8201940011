// Ids are most of what a commit's texts are, and each is read digit by digit: pointers, whose
// bounds the lengths checked before the loops stand for, make that several times faster.

/// How a text is kept: the common spellings of ids and fingerprints take 16 bytes. Raw values are
/// numbers on disk.
package enum NameSpelling: UInt8 {
  case raw = 0
  /// 8-4-4-4-12 hexadecimal digits, all letters upper case or none.
  case upperUUID = 1
  /// The same with lower case letters, at least one.
  case lowerUUID = 2
  /// `sha256:` and 32 lower case digits.
  case fingerprint = 3

  /// Bytes a text of this spelling has; nil for any number.
  package var length: Int? {
    switch self {
    case .raw: nil
    case .upperUUID, .lowerUUID: 36
    case .fingerprint: 39
    }
  }

  private static let prefix = Array("sha256:".utf8)
  private static let dashes = [8, 13, 18, 23]
  /// Where the two digits of each byte of a UUID begin.
  private static let uuidPlaces = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
  private static let fingerprintPlaces = Array(stride(from: 7, to: 39, by: 2))

  private static let upperLetter: UInt8 = 0x10
  private static let lowerLetter: UInt8 = 0x20
  private static let noDigit: UInt8 = 0x80
  /// A digit's value and whether it is a letter, by its character.
  private static let digits: [UInt8] = (0..<256).map { (character: Int) -> UInt8 in
    switch UInt8(character) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(character) - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): (UInt8(character) - 55) | upperLetter
    case UInt8(ascii: "a")...UInt8(ascii: "f"): (UInt8(character) - 87) | lowerLetter
    default: noDigit
    }
  }

  /// The spelling of a text, whose 16 bytes are appended unless it is `raw`.
  package static func recognise(_ text: ArraySlice<UInt8>, appendingTo bytes: inout [UInt8]) -> Self
  {
    guard text.count == 36 || text.count == 39 else { return .raw }
    return text.withUnsafeBufferPointer { text in
      let isUUID = text.count == 36
      guard
        isUUID
          ? dashes.allSatisfy({ text[$0] == UInt8(ascii: "-") })
          : prefix.indices.allSatisfy({ text[$0] == prefix[$0] })
      else { return .raw }
      let (high, low, seen) = packed(text, isUUID ? uuidPlaces : fingerprintPlaces)
      let spelling: NameSpelling
      switch (seen & noDigit, seen & upperLetter, seen & lowerLetter) {
      case (0, _, 0) where isUUID: spelling = .upperUUID
      case (0, 0, _): spelling = isUUID ? .lowerUUID : .fingerprint
      default: return .raw
      }
      withUnsafeBytes(of: high.bigEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: low.bigEndian) { bytes.append(contentsOf: $0) }
      return spelling
    }
  }

  /// 32 digits as two numbers, and what kinds of characters they are.
  private static func packed(
    _ text: UnsafeBufferPointer<UInt8>, _ places: [Int]
  ) -> (UInt64, UInt64, UInt8) {
    var halves: (UInt64, UInt64) = (0, 0)
    var seen: UInt8 = 0
    digits.withUnsafeBufferPointer { digits in
      for (index, place) in places.enumerated() {
        let first = digits[Int(text[place])]
        let second = digits[Int(text[place + 1])]
        seen |= first | second
        let byte = UInt64((first & 15) << 4 | (second & 15))
        if index < 8 { halves.0 = halves.0 << 8 | byte } else { halves.1 = halves.1 << 8 | byte }
      }
    }
    return (halves.0, halves.1, seen)
  }

  /// Writes the text of 16 bytes, `length` long; `raw` has none.
  package func spell(_ bytes: UnsafePointer<UInt8>, to text: UnsafeMutablePointer<UInt8>) {
    let places: [Int]
    if self == .fingerprint {
      for (index, byte) in NameSpelling.prefix.enumerated() { text[index] = byte }
      places = NameSpelling.fingerprintPlaces
    } else {
      for dash in NameSpelling.dashes { text[dash] = UInt8(ascii: "-") }
      places = NameSpelling.uuidPlaces
    }
    let gap: UInt8 = self == .upperUUID ? 7 : 39
    for (index, place) in places.enumerated() {
      let high = bytes[index] >> 4
      let low = bytes[index] & 15
      text[place] = high &+ 48 &+ (high > 9 ? gap : 0)
      text[place &+ 1] = low &+ 48 &+ (low > 9 ? gap : 0)
    }
  }
}

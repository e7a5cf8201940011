internal import CActivityLog

/// How a text is kept; raw values are numbers on disk.
@usableFromInline package enum TextSpelling: UInt8, Sendable {
  /// Its bytes as they are.
  case raw = 0
  /// 16 bytes, spelled `8DF401EA-BB87-…` in upper case.
  case upperUUID = 1
  /// 16 bytes, spelled `8df401ea-bb87-…` in lower case.
  case lowerUUID = 2
  /// 16 bytes, spelled `sha256:` and 32 lower-case digits.
  case fingerprint = 3

  /// How long the text is that 16 bytes stand for; nil for `raw`.
  @inlinable package var length: Int? {
    switch self {
    case .raw: nil
    case .upperUUID, .lowerUUID: 36
    case .fingerprint: 39
    }
  }
}

/// A text that is 16 bytes in one of three spellings, as nearly every id, token and apns-id is.
///
/// A text has one packed form at most, so that equal texts are equal numbers. All digits are read
/// at once, because every line has two or three of these texts.
@usableFromInline package struct PackedText: Hashable, Sendable {
  /// The first eight bytes, the first digit on top.
  @usableFromInline package let high: UInt64
  /// The last eight bytes.
  @usableFromInline package let low: UInt64
  /// Never `raw`.
  @usableFromInline package let spelling: TextSpelling

  @inlinable package init(high: UInt64, low: UInt64, spelling: TextSpelling) {
    self.high = high
    self.low = low
    self.spelling = spelling
  }

  /// Recognises a text; nil when it is none of the three.
  package init?(_ text: UnsafeRawBufferPointer) {
    switch text.count {
    case 36:
      guard text[8] == PackedText.dash, text[13] == PackedText.dash, text[18] == PackedText.dash,
        text[23] == PackedText.dash
      else { return nil }
      let digits = al_pack_digits(
        text.eight(0), text.four(9) | text.four(14) << 32, text.four(19) | text.four(24) << 32,
        text.eight(28))
      guard digits.is_upper | digits.is_lower != 0 else { return nil }
      (high, low) = (digits.high, digits.low)
      spelling = digits.is_upper != 0 ? .upperUUID : .lowerUUID
    case 39:
      guard text.four(0) == PackedText.sha2, text.four(3) == PackedText.colon256 else { return nil }
      let digits = al_pack_digits(
        text.eight(7), text.eight(15), text.eight(23), text.eight(31))
      guard digits.is_lower != 0 else { return nil }
      (high, low) = (digits.high, digits.low)
      spelling = .fingerprint
    default: return nil
    }
  }

  /// Writes the text; there must be room for `spelling.length` bytes.
  package func spell(to text: UnsafeMutableRawPointer) {
    let first = HexDigits.text(UInt32(truncatingIfNeeded: high >> 32), isUpper)
    let second = HexDigits.text(UInt32(truncatingIfNeeded: high), isUpper)
    let third = HexDigits.text(UInt32(truncatingIfNeeded: low >> 32), isUpper)
    let fourth = HexDigits.text(UInt32(truncatingIfNeeded: low), isUpper)
    if spelling == .fingerprint {
      text.put(UInt32(PackedText.sha2), 0)
      text.put(UInt32(PackedText.colon256), 3)
      text.put(first, 7)
      text.put(second, 15)
      text.put(third, 23)
      text.put(fourth, 31)
      return
    }
    text.put(first, 0)
    text.put(UInt32(truncatingIfNeeded: second), 9)
    text.put(UInt32(truncatingIfNeeded: second >> 32), 14)
    text.put(UInt32(truncatingIfNeeded: third), 19)
    text.put(UInt32(truncatingIfNeeded: third >> 32), 24)
    text.put(fourth, 28)
    text.storeBytes(of: PackedText.dash, toByteOffset: 8, as: UInt8.self)
    text.storeBytes(of: PackedText.dash, toByteOffset: 13, as: UInt8.self)
    text.storeBytes(of: PackedText.dash, toByteOffset: 18, as: UInt8.self)
    text.storeBytes(of: PackedText.dash, toByteOffset: 23, as: UInt8.self)
  }

  private var isUpper: Bool { spelling == .upperUUID }

  private static let dash = UInt8(ascii: "-")
  /// `sha2` and `256:`, which overlap by a byte.
  private static let sha2: UInt64 = 0x3261_6873
  private static let colon256: UInt64 = 0x3A36_3532
}

/// Eight hexadecimal digits as characters; the first one is in the lowest byte of a word.
private enum HexDigits {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Values below 16 as characters; letters lie `gap` behind the digits.
  private static func characters(_ values: UInt64, _ gap: UInt64) -> UInt64 {
    let letters = (values &+ ones * 0x76) >> 7 & ones
    return values &+ ones * 0x30 &+ letters &* gap
  }

  /// The text of eight digits.
  static func text(_ number: UInt32, _ isUpper: Bool) -> UInt64 {
    var values = UInt64(number)
    values = (values | values << 16) & 0x0000_FFFF_0000_FFFF
    values = (values | values << 8) & 0x00FF_00FF_00FF_00FF
    values = (values | values << 4) & (ones * 15)
    return characters(values.byteSwapped, isUpper ? 7 : 39)
  }
}

extension UnsafeRawBufferPointer {
  /// The caller has looked at `count`.
  fileprivate func eight(_ place: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  fileprivate func four(_ place: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self)))
  }
}

extension UnsafeMutableRawPointer {
  /// The caller has looked whether there is room.
  fileprivate func put(_ word: UInt64, _ place: Int) {
    storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
  }

  fileprivate func put(_ word: UInt32, _ place: Int) {
    storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt32.self)
  }
}

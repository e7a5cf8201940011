internal import CActivityLog

/// Steps over valid JSON as fast as the machine reads it, and declines what is rare.
///
/// It never says what is wrong: whatever it declines is read again by `JSONScanner`, which decides
/// and places the failure. So it may decline anything, and must accept nothing that `JSONScanner`
/// refuses.
///
/// Every step is an offset in, the offset behind what was stepped over out, negative when it
/// declines. It reads raw memory without comparing with the end: whoever makes one promises that
/// `feed` is the offset of a line feed with `margin` readable bytes behind it. No step passes a
/// line feed, so none passes that one, and the widest read begins at most there.
struct QuickScanner {
  /// Bytes that must be readable behind the last line feed.
  static let margin = 32
  /// Deeper nesting is declined.
  private static let depthLimit = 60

  let base: UnsafeRawPointer
  private let feed: Int
  /// Whether a string stepped over held a backslash; whoever asks sets it back first.
  var sawEscape = false

  init(_ base: UnsafeRawPointer, feed: Int) {
    self.base = base
    self.feed = feed
  }

  @inline(__always)
  func byte(_ place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }

  @inline(__always)
  func word(_ place: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// Behind blanks, which are spaces and tabs here: a line end stops it.
  @inline(__always)
  func blanks(_ place: Int) -> Int {
    var place = place
    while true {
      let byte = byte(place)
      guard byte <= 0x20, byte == 0x20 || byte == 0x09 else { return place }
      place &+= 1
    }
  }

  /// Behind the string whose opening quote is at `place`.
  @inline(__always)
  mutating func string(_ place: Int) -> Int {
    let stop = plainEnd(place &+ 1)
    guard byte(stop) == UInt8(ascii: "\"") else { return oddString(place) }
    return stop &+ 1
  }

  /// The first quote, backslash, control or byte beyond ASCII at or after `place`.
  @inline(__always)
  private func plainEnd(_ place: Int) -> Int {
    var place = place
    while true {
      let plain = Int(al_plain_bytes(base + place))
      place &+= plain
      guard plain == 16 else { return place }
    }
  }

  /// A string with escapes or characters beyond ASCII.
  @inline(never)
  private mutating func oddString(_ place: Int) -> Int {
    var scanner = JSONScanner(UnsafeRawBufferPointer(start: base, count: feed &+ 1))
    scanner.offset = place
    guard scanner.string() else { return -1 }
    if scanner.sawEscape { sawEscape = true }
    return scanner.offset
  }

  /// Behind the number that begins at `place`.
  @inline(__always)
  func number(_ place: Int) -> Int {
    var place = place
    if byte(place) == UInt8(ascii: "-") { place &+= 1 }
    let first = byte(place)
    let start = place
    place = digits(place)
    guard place > start, first != UInt8(ascii: "0") || place == start &+ 1 else { return -1 }
    let next = byte(place)
    guard next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") else { return place }
    return fraction(place)
  }

  /// Behind the fraction and exponent that begin at `place`.
  private func fraction(_ place: Int) -> Int {
    var place = place
    if byte(place) == UInt8(ascii: ".") {
      let end = digits(place &+ 1)
      guard end > place &+ 1 else { return -1 }
      place = end
    }
    guard byte(place) | 0x20 == UInt8(ascii: "e") else { return place }
    place &+= 1
    if byte(place) == UInt8(ascii: "+") || byte(place) == UInt8(ascii: "-") { place &+= 1 }
    let end = digits(place)
    return end > place ? end : -1
  }

  @inline(__always)
  private func digits(_ place: Int) -> Int {
    var place = place
    while byte(place) &- UInt8(ascii: "0") < 10 { place &+= 1 }
    return place
  }

  /// Behind `true`, `false` or `null` at `place`.
  @inline(__always)
  func literal(_ place: Int) -> Int {
    let four = UInt32(truncatingIfNeeded: word(place))
    if four == 0x6575_7274 || four == 0x6C6C_756E { return place &+ 4 }
    return four == 0x736C_6166 && byte(place &+ 4) == UInt8(ascii: "e") ? place &+ 5 : -1
  }

  /// Behind the value at `place`, inside so many brackets.
  mutating func value(_ place: Int, _ depth: Int) -> Int {
    switch byte(place) {
    case UInt8(ascii: "\""): string(place)
    case UInt8(ascii: "{"): object(place, depth)
    case UInt8(ascii: "["): array(place, depth)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number(place)
    default: literal(place)
    }
  }

  private mutating func object(_ place: Int, _ depth: Int) -> Int {
    guard depth < QuickScanner.depthLimit else { return -1 }
    var place = blanks(place &+ 1)
    if byte(place) == UInt8(ascii: "}") { return place &+ 1 }
    while true {
      guard byte(place) == UInt8(ascii: "\"") else { return -1 }
      place = string(place)
      guard place >= 0 else { return -1 }
      place = blanks(place)
      guard byte(place) == UInt8(ascii: ":") else { return -1 }
      place = value(blanks(place &+ 1), depth &+ 1)
      guard place >= 0 else { return -1 }
      place = blanks(place)
      let next = byte(place)
      if next == UInt8(ascii: "}") { return place &+ 1 }
      guard next == UInt8(ascii: ",") else { return -1 }
      place = blanks(place &+ 1)
    }
  }

  private mutating func array(_ place: Int, _ depth: Int) -> Int {
    guard depth < QuickScanner.depthLimit else { return -1 }
    var place = blanks(place &+ 1)
    if byte(place) == UInt8(ascii: "]") { return place &+ 1 }
    while true {
      place = value(place, depth &+ 1)
      guard place >= 0 else { return -1 }
      place = blanks(place)
      let next = byte(place)
      if next == UInt8(ascii: "]") { return place &+ 1 }
      guard next == UInt8(ascii: ",") else { return -1 }
      place = blanks(place &+ 1)
    }
  }
}

/// Reads `2026-11-20T18:04:05.000000Z` by its places; remembers the day, which lines have in
/// common.
struct QuickClock {
  /// The first eight bytes of the day's text and the two behind them.
  private var day: (UInt64, UInt16) = (0, 0)
  /// Microseconds since 1970 at its beginning.
  private var midnight: Int64 = 0

  /// Microseconds since 1970 of the text at `place`; nil when it is no instant.
  @inline(__always)
  mutating func read(_ scanner: QuickScanner, _ place: Int, _ length: Int) -> Int64? {
    let first = scanner.word(place)
    let second = UInt16(truncatingIfNeeded: scanner.word(place &+ 8))
    guard length == 27, first == day.0, second == day.1,
      scanner.byte(place &+ 10) == UInt8(ascii: "T")
    else { return readAnew(scanner, place, length) }
    guard let time = QuickClock.clockTime(scanner.word(place &+ 11)),
      let fraction = QuickClock.fraction(scanner.word(place &+ 19))
    else { return readAnew(scanner, place, length) }
    return midnight &+ time &* 1_000_000 &+ fraction
  }

  /// Seconds since midnight from `18:04:05`.
  @inline(__always)
  private static func clockTime(_ word: UInt64) -> Int64? {
    // Digits become their values and the colons 0.
    let values = word ^ 0x3030_3A30_303A_3030
    guard areDigits(values), values & 0x0000_FF00_00FF_0000 == 0 else { return nil }
    let pairs = values &* 10 &+ values &>> 8
    let hour = Int64(pairs & 0xFF)
    let minute = Int64(pairs &>> 24 & 0xFF)
    let second = Int64(pairs &>> 48 & 0xFF)
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return (hour &* 60 &+ minute) &* 60 &+ second
  }

  /// Microseconds from `.000000Z`.
  @inline(__always)
  private static func fraction(_ word: UInt64) -> Int64? {
    let values = word ^ 0x5A30_3030_3030_302E
    guard areDigits(values), values & 0xFF00_0000_0000_00FF == 0 else { return nil }
    let pairs = values &* 10 &+ values &>> 8
    return Int64(pairs &>> 8 & 0xFF) &* 10_000 &+ Int64(pairs &>> 24 & 0xFF) &* 100
      &+ Int64(pairs &>> 40 & 0xFF)
  }

  /// Whether all bytes are at most 9.
  @inline(__always)
  private static func areDigits(_ values: UInt64) -> Bool {
    (values | (values &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0
  }

  /// Any RFC 3339 text; its day is remembered when it is one of UTC.
  @inline(never)
  private mutating func readAnew(
    _ scanner: QuickScanner, _ place: Int, _ length: Int
  ) -> Int64? {
    let text = UnsafeRawBufferPointer(start: scanner.base + place, count: length)
    guard let instant = Timestamp(rfc3339: text) else { return nil }
    if length == 27, scanner.byte(place &+ 26) == UInt8(ascii: "Z") {
      let length: Int64 = 86_400_000_000
      let rest = instant.microseconds % length
      midnight = instant.microseconds - (rest < 0 ? rest + length : rest)
      day = (scanner.word(place), UInt16(truncatingIfNeeded: scanner.word(place &+ 8)))
    }
    return instant.microseconds
  }
}

/// Instants as text: RFC 3339, and seconds as a decimal number.
extension Timestamp {
  /// 0001-01-01T00:00:00Z, the first instant that has a text.
  public static let earliestText = Timestamp(microseconds: -62_135_596_800_000_000)
  /// 9999-12-31T23:59:59.999999Z, the last.
  public static let latestText = Timestamp(microseconds: 253_402_300_799_999_999)
  /// Seconds beyond this, either way, are refused.
  public static let secondsLimit: Int64 = 9_200_000_000_000

  /// Whether it lies in the years 0001–9999.
  public var hasText: Bool { self >= Timestamp.earliestText && self <= Timestamp.latestText }

  /// Reads RFC 3339: `T`, `t` or a space between date and time, a fraction of any length (finer
  /// than microseconds is cut), `Z`, `z` or an offset. Second 60 is accepted where UTC has leap
  /// seconds, at 23:59:60, and is 23:59:59.999999.
  ///
  /// - Returns: nil when it is none, or lies outside years 0001–9999 in UTC.
  public init?(rfc3339 text: String) {
    var text = text
    let instant = text.withUTF8 { Timestamp(rfc3339: UnsafeRawBufferPointer($0)) }
    guard let instant else { return nil }
    self = instant
  }

  package init?(rfc3339 bytes: UnsafeRawBufferPointer) {
    var reader = TimestampReader(bytes)
    guard let microseconds = reader.read() else { return nil }
    self.init(microseconds: microseconds)
    guard hasText else { return nil }
  }

  /// Reads Unix seconds as JSON spells numbers, `1793124245`, `1793124245.5` or `1.5e9`, exactly;
  /// finer than microseconds is cut.
  ///
  /// - Returns: nil when it is no JSON number or beyond `secondsLimit` either way.
  public init?(unixSeconds text: String) {
    var text = text
    let instant = text.withUTF8 { bytes -> Timestamp? in
      let bytes = UnsafeRawBufferPointer(bytes)
      var members: [JSONMember] = []
      guard case .success(.number) = JSONScanner.members(of: bytes, into: &members),
        bytes.allSatisfy({ $0 > 0x20 })
      else { return nil }
      return Timestamp(number: bytes)
    }
    guard let instant else { return nil }
    self = instant
  }

  /// A validated JSON number of seconds; nil beyond the limit.
  package init?(number bytes: UnsafeRawBufferPointer) {
    guard let scaled = DecimalText.read(bytes, power: 6) else { return nil }
    let limit = Timestamp.secondsLimit * 1_000_000
    guard scaled.value < limit || (scaled.value == limit && scaled.isExact), scaled.value >= -limit
    else { return nil }
    self.init(microseconds: scaled.value)
  }

  /// `2026-11-20T18:04:05.000000Z`, always UTC with six digits; outside years 0001–9999, where no
  /// such text exists, the seconds as a number.
  public var rfc3339: String {
    var text: [UInt8] = []
    appendText(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  package func appendText(to line: inout [UInt8]) {
    guard hasText else { return DecimalText.appendSeconds(microseconds, to: &line) }
    let seconds = wholeSeconds
    let fraction = microseconds - seconds * 1_000_000
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let date = CivilDate(days: days)
    let second = seconds - days * 86_400
    let parts: [(Int64, Int, Unicode.Scalar)] = [
      (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (second / 3600, 2, ":"),
      (second / 60 % 60, 2, ":"), (second % 60, 2, "."), (fraction, 6, "Z"),
    ]
    for (value, digits, mark) in parts {
      DecimalText.append(UInt64(value), digits: digits, to: &line)
      line.append(UInt8(ascii: mark))
    }
  }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  package init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day so many days after 1970-01-01, by whole eras of 400 years from 0000-03-01 on.
  package init(days: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// How many days after 1970-01-01 it lies.
  package var days: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether month and day exist in that year.
  package var exists: Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    return day <= 28 || CivilDate(days: days) == self
  }
}

/// Reads one RFC 3339 text from its beginning to its end.
private struct TimestampReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Microseconds since 1970, not yet checked against the years that have a text.
  mutating func read() -> Int64? {
    guard let year = number(4), mark("-"), let month = number(2), mark("-"), let day = number(2),
      mark("T") || mark("t") || mark(" "), let hour = number(2), mark(":"),
      let minute = number(2), mark(":"), var second = number(2), var fraction = fraction(),
      let offsetMinutes = zone(), offset == bytes.count
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.exists, hour <= 23, minute <= 59, second <= 60 else { return nil }
    let minutes = date.days * 1_440 + hour * 60 + minute - offsetMinutes
    if second == 60 {
      // Only the last minute of a UTC day can have a leap second.
      guard (minutes % 1_440 + 1_440) % 1_440 == 1_439 else { return nil }
      second = 59
      fraction = 999_999
    }
    return (minutes * 60 + second) * 1_000_000 + fraction
  }

  private mutating func number(_ digits: Int) -> Int64? {
    guard offset + digits <= bytes.count else { return nil }
    var value: Int64 = 0
    for _ in 0..<digits {
      let digit = bytes[offset] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
      offset += 1
    }
    return value
  }

  private mutating func mark(_ scalar: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }

  /// Microseconds of the fraction, 0 when there is none, nil when a point has no digit.
  private mutating func fraction() -> Int64? {
    guard mark(".") else { return 0 }
    var value: Int64 = 0
    var scale: Int64 = 100_000
    let start = offset
    while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 {
      value += Int64(bytes[offset] - UInt8(ascii: "0")) * scale
      scale /= 10
      offset += 1
    }
    return offset > start ? value : nil
  }

  /// Minutes east of UTC.
  private mutating func zone() -> Int64? {
    if mark("Z") || mark("z") { return 0 }
    let isEast = mark("+")
    guard isEast || mark("-"), let hours = number(2), mark(":"), let minutes = number(2),
      hours <= 23, minutes <= 59
    else { return nil }
    return isEast ? hours * 60 + minutes : -(hours * 60 + minutes)
  }
}

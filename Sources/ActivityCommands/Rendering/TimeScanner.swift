internal import ActivityCore

/// Reads the text of a time from its first byte to its last.
struct TimeScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
  }

  /// What the whole text means; nil when any of it is left over.
  mutating func expression() -> TimeExpression? {
    let text = String(decoding: rest, as: UTF8.self)
    switch text.lowercased() {
    case "now": return .now
    case "today": return .midnight(daysBefore: 0)
    case "yesterday": return .midnight(daysBefore: 1)
    default: break
    }
    let time: TimeExpression?
    if take("@") {
      time = epoch()
    } else if text.hasPrefix("-") || text.hasPrefix("+") {
      time = signed(take("-") ? -1 : 1)
    } else if rest.dropFirst(4).first == UInt8(ascii: "-") {
      time = dated()
    } else if text.contains(":") {
      time = clock()
    } else {
      time = signed(-1)
    }
    return rest.isEmpty ? time : nil
  }

  private mutating func signed(_ sign: Int64) -> TimeExpression? {
    if sign > 0 { _ = take("+") }
    defer { rest = [] }
    guard let span = DurationText.parse(String(decoding: rest, as: UTF8.self)) else { return nil }
    return .relative(Timestamp.Span(microseconds: sign * span.microseconds))
  }

  private mutating func epoch() -> TimeExpression? {
    let isNegative = take("-")
    let digits = rest.prefix { Self.isDigit($0) }
    guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
    rest = rest.dropFirst(digits.count)
    let unit: Int64 =
      switch digits.count {
      case 13: 1_000
      case 16: 1
      default: 1_000_000
      }
    let (whole, overflow) = number.multipliedReportingOverflow(by: unit)
    guard !overflow, let fraction = fraction(of: unit) else { return nil }
    return Self.within((isNegative ? -1 : 1) * (whole + fraction)).map { .instant($0) }
  }

  /// `2026-11-20`, alone or with a time, alone or with an offset.
  private mutating func dated() -> TimeExpression? {
    guard let year = number(4), take("-"), let month = number(2), take("-"),
      let day = number(2), var civil = CivilTime(year: year, month: month, day: day)
    else { return nil }
    guard !rest.isEmpty else { return .civil(civil) }
    guard take("T") || take("t") || take(" "), let ofDay = timeOfDay() else { return nil }
    civil.ofDay = ofDay
    guard !rest.isEmpty else { return .civil(civil) }
    guard let offset = offset() else { return nil }
    return Self.within(civil.microseconds - Int64(offset) * 1_000_000).map { .instant($0) }
  }

  private mutating func clock() -> TimeExpression? {
    guard let ofDay = timeOfDay() else { return nil }
    guard !rest.isEmpty else { return .clock(ofDay, offset: nil) }
    return offset().map { .clock(ofDay, offset: $0) }
  }

  /// `18:00`, `18:00:30`, `18:00:30.25`; digits finer than a microsecond are cut.
  private mutating func timeOfDay() -> Int64? {
    guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60
    else { return nil }
    var micros = (hour * 60 + minute) * 60_000_000
    if take(":") {
      guard let second = number(2), second <= 60 else { return nil }
      guard let fraction = fraction(of: 1_000_000) else { return nil }
      guard second < 60 || minute == 59 else { return nil }
      micros += second * 1_000_000 + fraction
    }
    return micros
  }

  /// `Z`, `UTC`, `+02:00`, `+0200`, `+02`, after a space or not; in seconds.
  private mutating func offset() -> Int? {
    _ = take(" ")
    if take("Z") || take("z") { return 0 }
    if String(decoding: rest, as: UTF8.self) == "UTC" {
      rest = []
      return 0
    }
    let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
    guard take("-") || take("+"), let hours = number(2), hours < 24 else { return nil }
    guard !rest.isEmpty else { return Int(sign * hours * 3_600) }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return Int(sign * (hours * 3_600 + minutes * 60))
  }

  /// What follows a decimal point, in units; 0 when there is no point, nil when nothing follows.
  private mutating func fraction(of unit: Int64) -> Int64? {
    guard take(".") || take(",") else { return 0 }
    let digits = rest.prefix { Self.isDigit($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    var value: Int64 = 0
    var scale = unit / 10
    for digit in digits {
      value += Int64(digit - UInt8(ascii: "0")) * scale
      scale /= 10
    }
    return value
  }

  private mutating func number(_ digits: Int) -> Int64? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return text.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Nil outside the years 1 to 9999.
  private static func within(_ micros: Int64) -> Timestamp? {
    let years = -62_135_596_800_000_000...253_402_300_799_999_999
    return years.contains(Int(micros)) ? Timestamp(microseconds: micros) : nil
  }
}

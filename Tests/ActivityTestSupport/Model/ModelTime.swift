/// Times of the model, always microseconds since 1970, read by hand from either spelling.
enum ModelTime {
  static let second: Int64 = 1_000_000
  static let minute = 60 * second
  static let hour = 60 * minute
  static let day = 24 * hour

  /// Whole seconds of a time, rounded down also before 1970 (R2).
  static func wholeSeconds(_ micros: Int64) -> Int64 {
    let quotient = micros / second
    return micros % second < 0 ? quotient - 1 : quotient
  }

  /// Seconds as a JSON number in any spelling (`20`, `20.5`, `2e1`), finer than a microsecond cut.
  static func micros(decimal text: String) -> Int64? {
    var digits: [Int64] = []
    var point: Int?
    let negative = text.hasPrefix("-")
    let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    guard let mantissa = parts.first, parts.count <= 2 else { return nil }
    for character in mantissa.drop(while: { $0 == "-" }) {
      if character == "." {
        point = digits.count
      } else {
        guard let digit = character.wholeNumberValue else { return nil }
        digits.append(Int64(digit))
      }
    }
    guard let exponent = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
    // The value is the digits with the point moved right by exponent, and by six for microseconds.
    let places = (point ?? digits.count) + exponent + 6
    var value: Int64 = 0
    for place in 0..<max(0, places) {
      let digit = place < digits.count ? digits[place] : 0
      let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.addingReportingOverflow(digit)
      if tooLarge || overflow { return nil }
      value = sum
    }
    return negative ? -value : value
  }

  /// RFC 3339 text: `2025-07-22T18:00:00.123456Z`, also with an offset.
  static func micros(rfc3339 text: String) -> Int64? {
    let characters = Array(text)
    func number(_ range: Range<Int>) -> Int64? {
      range.upperBound <= characters.count ? Int64(String(characters[range])) : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let date = number(8..<10),
      let hours = number(11..<13), let minutes = number(14..<16), let seconds = number(17..<19),
      (1...12).contains(month)
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if index < characters.count, characters[index] == "." {
      var scale = second / 10
      index += 1
      while index < characters.count, let digit = characters[index].wholeNumberValue {
        fraction += Int64(digit) * scale
        scale /= 10
        index += 1
      }
    }
    guard index < characters.count else { return nil }
    var offset: Int64 = 0
    if characters[index] != "Z", characters[index] != "z" {
      guard let far = number(index + 1..<index + 3), let near = number(index + 4..<index + 6)
      else { return nil }
      offset = (far * hour + near * minute) * (characters[index] == "-" ? -1 : 1)
    }
    let clock = hours * hour + minutes * minute + seconds * second + fraction
    return days(year: year, month: month, date: date) * day + clock - offset
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Days from 0001-01-01 to the first of January of a year.
  private static func daysBefore(year: Int64) -> Int64 {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
  }

  /// Days since 1970-01-01 of a date in the years 1 to 9999.
  private static func days(year: Int64, month: Int64, date: Int64) -> Int64 {
    var days = daysBefore(year: year) - daysBefore(year: 1970) + date - 1
    let lengths: [Int64] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for past in 0..<Int(month - 1) { days += lengths[past] }
    return days
  }

  /// RFC 3339 in UTC; without fraction if there is none. For descriptions and the generator.
  static func text(_ micros: Int64) -> String {
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let total = wholeSeconds(micros)
    var rest = total >= 0 ? total / 86_400 : (total - 86_399) / 86_400
    let clock = total - rest * 86_400
    // Absurd years are possible in a stale-date; they are printed as microseconds.
    guard rest > -700_000, rest < 2_900_000 else { return "\(micros)us" }
    var year = 1970 + rest / 366 - 1
    while days(year: year + 1, month: 1, date: 1) <= rest { year += 1 }
    while days(year: year, month: 1, date: 1) > rest { year -= 1 }
    var month: Int64 = 12
    while days(year: year, month: month, date: 1) > rest { month -= 1 }
    rest -= days(year: year, month: month, date: 1)
    let fraction = micros - total * second
    let tail = fraction == 0 ? "" : "." + String(String(1_000_000 + fraction).dropFirst())
    return "\(year)-\(two(month))-\(two(rest + 1))T\(two(clock / 3600)):"
      + "\(two(clock / 60 % 60)):\(two(clock % 60))\(tail)Z"
  }
}

/// Instants are microseconds since 1970; this turns them into text and back, without a calendar.
enum UTC {
  static let second: Int64 = 1_000_000
  static let minute = 60 * second
  static let hour = 60 * minute
  static let day = 24 * hour

  /// Year, month and day of a day count since 1970 (Howard Hinnant's civil_from_days).
  static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The day count of a date, by counting months: only option parsing calls it.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// `2026-11-01T00:00:00Z`, exactly that shape, or nil.
  static func parse(_ text: String) -> Int64? {
    let fields = text.split(whereSeparator: { "-T:Z".contains($0) }).map { Int64($0) ?? -1 }
    guard text.utf8.count == 20, text.hasSuffix("Z"), fields.count == 6,
      fields.allSatisfy({ $0 >= 0 }), (1...12).contains(fields[1]), (1...31).contains(fields[2]),
      fields[3] < 24, fields[4] < 60, fields[5] < 60
    else { return nil }
    let count = Self.days(year: fields[0], month: fields[1], day: fields[2])
    return count * Self.day + (fields[3] * 3600 + fields[4] * 60 + fields[5]) * second
  }

  /// RFC 3339 with microseconds.
  static func text(_ instant: Int64) -> String {
    let (year, month, day) = civil(instant / Self.day)
    let seconds = instant % Self.day / second
    return "\(year)-\(pad(month, 2))-\(pad(day, 2))T\(clock(instant)):\(pad(seconds % 60, 2))"
      + ".\(pad(instant % second, 6))Z"
  }

  /// `18:20`.
  static func clock(_ instant: Int64) -> String {
    let minutes = instant % day / minute
    return "\(pad(minutes / 60, 2)):\(pad(minutes % 60, 2))"
  }

  static func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

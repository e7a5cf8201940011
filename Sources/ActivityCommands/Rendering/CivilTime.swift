internal import ActivityCore

/// A date and time of day as a calendar on a wall shows it, in no zone; Gregorian throughout.
package struct CivilTime: Equatable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64
  /// Microseconds since midnight; a leap second makes it as long as a day and a second.
  package var ofDay: Int64

  static let microsecondsPerDay: Int64 = 86_400 * 1_000_000

  /// Nil unless it is a day of the years 1 to 9999.
  init?(year: Int64, month: Int64, day: Int64, ofDay: Int64 = 0) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.ofDay = ofDay
  }

  /// The civil time at an instant, `offset` seconds east of UTC.
  init(_ instant: Timestamp, offset: Int) {
    let seconds = instant.wholeSeconds
    let fraction = instant.microseconds - seconds * 1_000_000
    let shifted = seconds + Int64(offset)
    let days = Self.floorDivided(shifted, 86_400)
    ofDay = (shifted - days * 86_400) * 1_000_000 + fraction
    (year, month, day) = Self.civil(fromDays: days)
  }

  /// Microseconds since 1970 as if this were UTC.
  var microseconds: Int64 { daysSinceEpoch * Self.microsecondsPerDay + ofDay }

  /// The same day at midnight.
  var midnight: CivilTime {
    var midnight = self
    midnight.ofDay = 0
    return midnight
  }

  private var daysSinceEpoch: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = Self.floorDivided(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(
    fromDays days: Int64
  ) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivided(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
  }

  private static func floorDivided(_ a: Int64, _ b: Int64) -> Int64 {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

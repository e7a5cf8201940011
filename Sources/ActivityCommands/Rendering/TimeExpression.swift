package import ActivityCore

/// A time as somebody typed it. It becomes an instant once the end of the log is known.
///
/// RFC 3339 with any fraction and offset; date, space, time; a date alone (midnight); `18:00`;
/// `now`, `today`, `yesterday`; `-90m`, `+5m`, `1h30m`; `@` and Unix seconds, or milliseconds when
/// it has 13 digits. Whatever this program prints as a time is among them.
package enum TimeExpression: Equatable, Sendable {
  /// The wall clock.
  case now
  /// An instant that names its offset.
  case instant(Timestamp)
  /// A civil time in the zone that applies.
  case civil(CivilTime)
  /// Midnight, that many days before the anchor's day.
  case midnight(daysBefore: Int64)
  /// The last time a clock showed this before or at the anchor; microseconds since midnight.
  case clock(Int64, offset: Int?)
  /// Counted from the anchor; a length without a sign counts back.
  case relative(Timestamp.Span)

  /// Nil when the text is no time, or one outside the years 1 to 9999.
  package init?(_ text: String) {
    var text = TimeScanner(text)
    guard let time = text.expression() else { return nil }
    self = time
  }

  /// The instant meant.
  ///
  /// - Parameters:
  ///   - anchor: what relative times, `today` and bare clock times count from: the log's end.
  ///   - now: the wall clock; only the word `now` looks at it.
  ///   - zone: where a time without offset is read.
  package func resolved(anchor: Timestamp, now: Timestamp, zone: Zone) -> Timestamp {
    switch self {
    case .now: return now
    case .instant(let instant): return instant
    case .civil(let civil): return zone.instant(of: civil)
    case .relative(let span):
      let (sum, overflow) = anchor.microseconds.addingReportingOverflow(span.microseconds)
      return overflow ? anchor : Timestamp(microseconds: sum)
    case .midnight(let days):
      let day = Timestamp.Span.hours(24 * days)
      var civil = CivilTime(anchor, offset: zone.offset(at: anchor))
      civil = CivilTime(Timestamp(microseconds: civil.midnight.microseconds) - day, offset: 0)
      return zone.instant(of: civil)
    case .clock(let ofDay, let offset):
      return Self.last(ofDay, atOrBefore: anchor, offset.map { .fixed($0) } ?? zone)
    }
  }

  private static func last(
    _ ofDay: Int64, atOrBefore anchor: Timestamp, _ zone: Zone
  ) -> Timestamp {
    var civil = CivilTime(anchor, offset: zone.offset(at: anchor)).midnight
    civil.ofDay = ofDay
    let today = zone.instant(of: civil)
    guard today > anchor else { return today }
    let dayBefore = Timestamp(microseconds: civil.microseconds) - .hours(24)
    return zone.instant(of: CivilTime(dayBefore, offset: 0))
  }
}

package import ActivityCore

/// Instants as text; all of it is read back by `TimeExpression`.
///
/// What a device was told may lie outside the years 1 to 9999, where no calendar text exists: that
/// prints as `@` and Unix seconds, which is a fact to show and no time to ask for.
package struct TimeText: Sendable {
  private let zone: Zone

  package init(_ zone: Zone) { self.zone = zone }

  /// `2026-11-20T18:04:05Z`, or with the zone's offset; what is finer than a second is cut.
  package func instant(_ instant: Timestamp) -> String { text(instant, digits: 0) }

  /// The same to the microsecond: `2026-11-20T18:04:05.000250Z`.
  package func precise(_ instant: Timestamp) -> String { text(instant, digits: 6) }

  /// `18:04:05`.
  package func clock(_ instant: Timestamp) -> String {
    Self.clock(CivilTime(instant, offset: zone.offset(at: instant)))
  }

  /// `2026-11-20`.
  package func date(_ instant: Timestamp) -> String {
    Self.date(CivilTime(instant, offset: zone.offset(at: instant)))
  }

  private func text(_ instant: Timestamp, digits: Int) -> String {
    let offset = zone.offset(at: instant)
    let civil = CivilTime(instant, offset: offset)
    guard (1...9999).contains(civil.year) else { return "@\(instant.wholeSeconds)" }
    let micros = Self.padded(civil.ofDay % 1_000_000, 6)
    let fraction = digits == 0 ? "" : ".\(micros.prefix(digits))"
    return "\(Self.date(civil))T\(Self.clock(civil))\(fraction)\(suffix(offset))"
  }

  private func suffix(_ offset: Int) -> String {
    guard zone != .utc else { return "Z" }
    let minutes = Int64(abs(offset) / 60)
    let sign = offset < 0 ? "-" : "+"
    return "\(sign)\(Self.padded(minutes / 60, 2)):\(Self.padded(minutes % 60, 2))"
  }

  private static func date(_ civil: CivilTime) -> String {
    "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
  }

  private static func clock(_ civil: CivilTime) -> String {
    let seconds = civil.ofDay / 1_000_000
    return [seconds / 3_600, seconds / 60 % 60, seconds % 60]
      .map { padded($0, 2) }.joined(separator: ":")
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

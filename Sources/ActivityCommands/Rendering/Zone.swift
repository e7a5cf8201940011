internal import ActivityCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where clocks on walls are read.
package enum Zone: Equatable, Sendable {
  case utc
  /// Seconds east of UTC.
  case fixed(Int)
  /// What `TZ` of the process says.
  case local

  /// Seconds east of UTC at an instant.
  func offset(at instant: Timestamp) -> Int {
    switch self {
    case .utc: return 0
    case .fixed(let seconds): return seconds
    case .local:
      var seconds = time_t(instant.wholeSeconds)
      var civil = tm()
      guard localtime_r(&seconds, &civil) != nil else { return 0 }
      return civil.tm_gmtoff
    }
  }

  /// The instant of a civil time here: of one that clocks show twice the earlier, and one that they
  /// skip is read as if they had not been moved yet.
  func instant(of civil: CivilTime) -> Timestamp {
    let asUTC = Timestamp(microseconds: civil.microseconds)
    let before = offset(at: asUTC - .hours(24))
    let after = offset(at: asUTC + .hours(24))
    for seconds in [max(before, after), min(before, after)] {
      let instant = asUTC - .seconds(Int64(seconds))
      if offset(at: instant) == seconds { return instant }
    }
    return asUTC - .seconds(Int64(before))
  }
}

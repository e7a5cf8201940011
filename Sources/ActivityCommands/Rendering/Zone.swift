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

  /// The instant of a civil time here. One that a clock shows twice is the later of the two or the
  /// earlier as the zone's offset just before decides; one that it skips lies an hour beside.
  func instant(of civil: CivilTime) -> Timestamp {
    let asUTC = civil.microseconds
    var instant = Timestamp(microseconds: asUTC)
    for _ in 0..<2 {
      instant.microseconds = asUTC - Int64(offset(at: instant)) * 1_000_000
    }
    return instant
  }
}

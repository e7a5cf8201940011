internal import ActivityCore

/// Whether a number that should be Unix seconds can be.
enum DateUnit {
  case milliseconds
  /// Seconds since 2001, Swift's own default for dates.
  case reference

  /// What a value seems to be counted in; nil when Unix seconds are what it is, or a date long
  /// past that is meant, such as 0 for a dismissal at once.
  static func wrong(_ value: Timestamp?, at: Timestamp) -> DateUnit? {
    guard let value else { return nil }
    let seconds = value.wholeSeconds
    if seconds >= 100_000_000_000 { return .milliseconds }
    // A log of the nineties has such dates by right.
    let isLongPast = at.wholeSeconds.subtractingClamped(seconds) > 500_000_000
    return (600_000_000...970_000_000).contains(seconds) && isLongPast ? .reference : nil
  }

  /// The same in microseconds; at once nil for the dates that most are.
  @inline(__always)
  static func wrong(_ value: Int64, at: Int64) -> DateUnit? {
    if value > 970_000_001_000_000, value < 100_000_000_000_000_000 { return nil }
    return wrong(value.stamp, at: Timestamp(microseconds: at))
  }

  /// As a sentence says it.
  var words: String {
    switch self {
    case .milliseconds: "in milliseconds"
    case .reference: "in seconds since 2001"
    }
  }
}

extension Entry {
  /// Its `timestamp`, when it has one of its own.
  var stated: Timestamp? { statesVersion ? Timestamp(seconds: version) : nil }
}

public import ActivityCore

/// A stretch of time, from one instant up to but without another.
public struct Interval: Sendable, Hashable {
  /// The first instant.
  public var from: Timestamp
  /// The first instant after it.
  public var until: Timestamp

  /// The time from one instant up to another.
  public init(from: Timestamp, until: Timestamp) {
    self.from = from
    self.until = until
  }

  /// How long it lasts, never negative.
  public var length: Timestamp.Span {
    Timestamp.Span(microseconds: max(0, until.microseconds.subtractingClamped(from.microseconds)))
  }

  /// The time that any of these covers, counted once.
  package static func union(_ intervals: [Interval]) -> Timestamp.Span {
    var total: Int64 = 0
    var reach = Timestamp(microseconds: .min)
    for interval in intervals.sorted(by: { ($0.from, $0.until) < ($1.from, $1.until) }) {
      let from = max(interval.from, reach)
      guard interval.until > from else { continue }
      total = total.addingClamped(
        interval.until.microseconds.subtractingClamped(from.microseconds))
      reach = interval.until
    }
    return Timestamp.Span(microseconds: total)
  }
}

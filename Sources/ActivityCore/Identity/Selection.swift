/// Which of the two clocks chooses rows.
public enum LogClock: String, Sendable, CaseIterable {
  case occurred, recorded
}

/// Which story is told: what the device would show, or what the sender believes.
public enum LogView: String, Sendable, CaseIterable {
  case device, sent
}

/// S1 and S2: which rows an answer rests on, and the instant it is derived at.
public struct Selection: Sendable, Equatable {
  /// Which clock chooses.
  public var clock: LogClock
  /// Rows whose clock is later are not selected, microseconds; for a selection by seq the instant
  /// it is derived at.
  public var until: Int64
  /// Rows that happened earlier are not selected, microseconds.
  public var from: Int64
  /// Rows beyond this seq are not selected.
  public var lastSeq: Int64

  /// Everything up to an instant, as `audit`, `show` and `replay` take it.
  public init(clock: LogClock, allUntil until: Int64) {
    self.init(clock: clock, until: until, from: .min, lastSeq: .max)
  }

  /// Rows by all four limits; see the members.
  public init(clock: LogClock, until: Int64, from: Int64, lastSeq: Int64) {
    self.clock = clock
    self.until = until
    self.from = from
    self.lastSeq = lastSeq
  }

  /// Whether a row is selected, given its times as they count.
  package func takes(seq: Int64, at: Int64, recordedAt: Int64) -> Bool {
    guard seq <= lastSeq, at >= from else { return false }
    return lastSeq != .max || (clock == .occurred ? at : recordedAt) <= until
  }

  /// Where the window of an instant begins (S2), given the scheduled starts that pass the clock:
  /// pairs of `at` and `start-date`.
  package static func windowStart(
    at instant: Int64, scheduled: some Sequence<(at: Int64, startDate: Int64)>,
    limits: SystemLimits = SystemLimits()
  ) -> Int64 {
    let usual = instant.subtractingClamped(limits.window.microseconds)
    var earliest = usual
    for start in scheduled {
      let latest = start.at.addingClamped(limits.schedule.microseconds)
      if min(start.startDate, latest) >= usual { earliest = min(earliest, start.at) }
    }
    return earliest
  }
}

extension Int64 {
  /// Times from a log may be near the ends of the range; they stop there instead of overflowing.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min + 1) : sum
  }

  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min + 1 : .max) : difference
  }
}

internal import ActivityCore
internal import ActivityStore

/// The instant a command answers for, as typed: `--at`, `--at-seq`, `--clock`.
struct TypedInstant: Sendable {
  let at: TimeExpression?
  let atSeq: Int64?
  let clock: LogClock

  init(_ given: Arguments) throws(UsageError) {
    at = try given.time(ReadingOptions.at)
    atSeq = try given.integer(ReadingOptions.atSeq, in: 1...Int.max).map(Int64.init)
    clock = try given.choice(ReadingOptions.clock, of: LogClock.self) ?? .occurred
    if at != nil, atSeq != nil {
      throw UsageError("--at and --at-seq both name the instant", hint: "give one of them")
    }
  }

  /// Now: `--at`, else the largest value of the chosen clock in the log.
  func now(_ log: borrowing LogAccess, _ moment: Moment) throws(CommandError) -> Int64 {
    guard let extent = log.extent else {
      throw CommandError(
        "\(log.name) holds no events yet",
        hint: log.loaded == nil ? "activitylog append or ingest" : nil)
    }
    let span = extent.span(clock)
    guard let at else { return span.upperBound }
    let instant = moment.instant(at).microseconds
    guard instant >= span.lowerBound else {
      let text = TimeText(moment.zone)
      throw CommandError(
        "\(text.instant(Timestamp(microseconds: instant))) is before the first event, "
          + text.instant(Timestamp(microseconds: span.lowerBound)),
        hint: "a time from then on")
    }
    return instant
  }

  /// S1 and S2 for this instant.
  func selection(of log: inout LogAccess, _ moment: Moment) throws -> Selection {
    if let atSeq { return try selection(ofSeq: atSeq, &log) }
    let until = try now(log, moment)
    let passes: (Int64, Int64) -> Bool =
      clock == .occurred ? { at, _ in at <= until } : { _, recorded in recorded <= until }
    let from = try log.windowStart(at: until, lastSeq: .max, passes: passes)
    return Selection(clock: clock, until: until, from: from, lastSeq: .max)
  }

  private func selection(ofSeq seq: Int64, _ log: inout LogAccess) throws -> Selection {
    guard let extent = log.extent, seq >= extent.firstSeq, seq <= extent.lastSeq else {
      let range = log.extent.map { "\($0.firstSeq) to \($0.lastSeq)" } ?? "nothing"
      throw CommandError("the log has no event \(seq)", hint: "it holds \(range)")
    }
    let until = try log.latestAt(upTo: seq)
    let from = try log.windowStart(at: until, lastSeq: seq) { _, _ in true }
    return Selection(clock: clock, until: until, from: from, lastSeq: seq)
  }
}

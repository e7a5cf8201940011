internal import ActivityCore
internal import ActivityStore

/// What the clock brings while a log is followed: `~stale`, `~end`, `~dismiss` as they come due.
///
/// The window of the log is folded anew after appends, and no more often than costs a tenth of the
/// time, so that following a busy log stays cheap.
struct DerivedEvents {
  /// One thing the clock brought.
  struct Event {
    var step: ClockStep
    var at: Timestamp
    var who: String
    /// The seq of the row whose date or missing end it rests on.
    var seq: Int64
  }

  private var rows: RowSet
  private var shown: Int64
  private var upcoming: [Event] = []
  private var isDirty = true
  private var restUntil: Int64 = .min

  /// Begins at the wall clock: what came due before was not missed, it is in `state`.
  init(_ log: inout LogAccess, _ now: Timestamp) throws {
    shown = now.microseconds
    let window = SystemLimits().window.microseconds
    let selection = Selection(
      clock: .occurred, until: .max, from: now.microseconds - window, lastSeq: .max)
    rows = RowSet(selection)
    if log.extent != nil {
      try log.forEach(.window(of: selection)) { batch in rows.add(batch) }
    }
  }

  mutating func add(_ batch: EventColumns) {
    rows.add(batch)
    isDirty = true
  }

  /// What came due since it was last asked, in order.
  mutating func due(by now: Timestamp) -> [Event] {
    if isDirty, now.microseconds >= restUntil { refold(now) }
    let due = upcoming.prefix { $0.at <= now }
    upcoming.removeFirst(due.count)
    shown = max(shown, now.microseconds)
    return Array(due)
  }

  /// How long until there is something to ask for again; nil while nothing lies ahead.
  func untilNext(_ now: Timestamp) -> Timestamp.Span? {
    let next = isDirty ? Timestamp(microseconds: restUntil) : upcoming.first?.at
    guard let next else { return nil }
    return max(.seconds(0), min(next - now, Self.longestSleep))
  }

  /// The wall clock may be set, or a machine sleep: after so long it is asked in any case.
  private static let longestSleep = Timestamp.Span.seconds(60)

  /// Folds to a little beyond the longest a card can last, and keeps what lies ahead.
  private mutating func refold(_ now: Timestamp) {
    let horizon = now.microseconds + 13 * 3_600_000_000
    let resolution = Resolution(rows)
    var events: [Event] = []
    for activity in resolution.names.indices {
      let fold = Fold(activity, of: resolution, view: .device, until: horizon, keepsSteps: true)
      for (life, steps) in fold.lives {
        for step in steps where step.at > shown {
          guard case .clock(let kind) = step.cause else { continue }
          let who =
            resolution.set.text(life.key)
            ?? resolution.names[activity].printed(resolution.set.texts)
          events.append(
            Event(
              step: kind, at: Timestamp(microseconds: step.at), who: who, seq: step.seq))
        }
      }
    }
    upcoming = events.sorted { ($0.at, $0.seq) < ($1.at, $1.seq) }
    isDirty = false
    restUntil = now.microseconds + Int64(rows.rows.count) * 10
  }
}

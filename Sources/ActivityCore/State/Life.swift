/// One life of one activity while it is folded: what a device would hold, or a sender believe.
///
/// Times are microseconds; `absent` stands for "not known". The clock's own steps (`~stale`,
/// `~end`, `~dismiss`) are taken by `advance`, never by rows.
package struct Life: Sendable {
  package static let absent = EventColumns.absent

  package var phase = Phase.none
  package var since = Life.absent
  package var startedAt = Life.absent
  package var startedBefore = Life.absent
  /// X: when the system ends it, if nobody did.
  package var limit = Int64.max
  package var endedAt = Life.absent
  package var endReason = EndReason.none
  /// Code of the reason an end itself gave, −1 for none.
  package var endReasonCode: Int32 = -1
  /// D: when it leaves the screen, at the latest.
  package var dismissAt = Life.absent
  package var endCause = EndCause.none
  /// The seq behind the end, or behind the content whose date made it stale.
  package var endSeq: Int64 = 0
  package var dismissObserved = false
  /// What the clock's end ended, should life be shown after it.
  package var beforeClockEnd = (phase: Phase.none, since: Life.absent)
  /// The largest applied version.
  package var mark = Int64.min
  /// Index of the row that gave the content, −1 for none.
  package var contentRow: Int32 = -1
  package var attributesRow: Int32 = -1
  package var startRow: Int32 = -1
  package var staleDate = Life.absent
  /// When the stale date begins to count; `max` when it does not.
  package var staleAt = Int64.max
  package var staleSeq: Int64 = 0
  /// C5: a date that only a push without `stale-date` cleared.
  package var clearedStaleDate = Int64.max
  package var updates = 0
  package var alerts = 0
  package var lastSeq: Int64 = 0
  package var firstSeq: Int64 = 0
  /// `at` of the last row that counts for silence, or the date of a scheduled start.
  package var lastRowAt = Life.absent
  package var facts = Facts()
  package var key: Int32 = -1
  package var openingInferred = false
  package var contentInferred = false

  /// What made an end.
  package enum EndCause: UInt8, Sendable {
    case none
    /// An applied end.
    case act
    /// An applied end by push that nobody answered.
    case unansweredPush
    /// A device was seen to have ended it.
    case observed
    /// 410, or absence from an inventory.
    case inferred
    case disabled
    /// The clock reached X.
    case clock

    package var isInferred: Bool { self == .unansweredPush || self == .inferred }
  }

  package init() {}

  /// Whether it came to be at all.
  package var isOpen: Bool { phase != .none }

  package mutating func enter(_ phase: Phase, at instant: Int64) {
    guard phase != self.phase else { return }
    self.phase = phase
    since = instant
  }

  /// Opens a life nobody was seen to start.
  package mutating func open(before instant: Int64, _ phase: Phase, limits: SystemLimits) {
    startedBefore = instant
    limit = instant.addingClamped(limits.active.microseconds)
    enter(phase, at: instant)
  }

  /// Ends a life; it leaves the screen at `dismissal`, at the latest.
  package mutating func end(
    at instant: Int64, dismissal: Int64, reason: EndReason, cause: EndCause, seq: Int64
  ) {
    endedAt = instant
    dismissAt = dismissal
    endReason = reason
    endCause = cause
    endSeq = seq
    enter(.ended, at: instant)
  }

  /// Default D; a pending card has nothing on screen that could linger.
  package func lingers(from instant: Int64, limits: SystemLimits) -> Int64 {
    phase == .pending ? instant : instant.addingClamped(limits.lingering.microseconds)
  }

  /// F10: the end by the clock never was; what it ended goes on as it was.
  package mutating func undoClockEnd(limit: Int64) {
    self.limit = limit
    (phase, since) = beforeClockEnd
    endedAt = Life.absent
    dismissAt = Life.absent
    endReason = .none
    endCause = .none
  }

  /// F10: life shown at or after X moves X.
  package mutating func moveLimit(forLifeAt instant: Int64, limits: SystemLimits) {
    guard isOpen, instant >= limit else { return }
    limit = instant.addingClamped(limits.active.microseconds)
  }

  /// Forgets what rests on unanswered pushes.
  package mutating func forgetDoubt() {
    openingInferred = false
    contentInferred = false
    clearedStaleDate = .max
    if endCause == .unansweredPush { endCause = .act }
  }

  /// F9, F11: the end reason of an end that a device showed.
  package func observedReason(_ instant: Int64, limits: SystemLimits) -> EndReason {
    let distance = instant.subtractingClamped(limit)
    return abs(distance) <= limits.systemEnd.microseconds ? .systemLimit : .unknown
  }

  /// F4: content and stale date as an applied act or a shown state gives them.
  package mutating func setContent(row index: Int32, of row: PackedRow, keepsDate: Bool) {
    if row.flags.contains(.content) {
      contentRow = index
      contentInferred = row.isByPush && row.answer == .none
    }
    if row.staleDate != Life.absent {
      staleDate = row.staleDate
      clearedStaleDate = .max
      staleAt = max(row.staleDate, row.at)
    } else if !keepsDate {
      if row.isByPush, staleAt != .max { clearedStaleDate = max(staleDate, row.at) }
      if !row.isByPush { clearedStaleDate = .max }
      staleDate = Life.absent
      staleAt = .max
    }
    staleSeq = row.seq
    if phase == .stale { enter(.active, at: row.at) }
  }

  /// The next thing the clock brings up to and including an instant, taken; nil when nothing is
  /// due.
  package mutating func advance(to instant: Int64, limits: SystemLimits) -> ClockMove? {
    guard let (kind, at) = nextStep(by: instant) else { return nil }
    var move = ClockMove(kind: kind, at: at, seq: lastSeq, before: phase, after: .active)
    switch kind {
    case .start: enter(.active, at: at)
    case .stale:
      enter(.stale, at: at)
      move.seq = staleSeq
    case .end:
      beforeClockEnd = (phase, since)
      end(
        at: at, dismissal: at.addingClamped(limits.lingering.microseconds), reason: .systemLimit,
        cause: .clock, seq: firstSeq)
      move.seq = firstSeq
    case .dismiss:
      enter(.dismissed, at: at)
      move.seq = endSeq
    }
    move.after = phase
    return move
  }

  /// The first thing the clock brings, if it is due by an instant.
  private func nextStep(by instant: Int64) -> (ClockStep, Int64)? {
    switch phase {
    case .none, .dismissed: nil
    case .pending:
      // One shown as pending after its start-date waits for whatever is shown next.
      startedAt > since && startedAt <= instant ? (.start, startedAt) : nil
    case .active:
      // A date that had passed before a scheduled start counts from the start on.
      if max(staleAt, since) < limit, max(staleAt, since) <= instant {
        (.stale, max(staleAt, since))
      } else {
        limit <= instant ? (.end, limit) : nil
      }
    case .stale: limit <= instant ? (.end, limit) : nil
    case .ended: dismissAt <= instant ? (.dismiss, dismissAt) : nil
    }
  }
}

/// One thing the clock brought to a life.
package struct ClockMove {
  package var kind: ClockStep
  package var at: Int64
  /// The seq of the row it follows from.
  package var seq: Int64
  package var before: Phase
  package var after: Phase
}

/// Why a life ended, where no end said it itself; as `end-reason` spells it.
package enum EndReason: UInt8, Sendable {
  case none, app, push, broadcast, person, disabled, systemLimit, unknown

  /// Empty for none.
  package var word: String {
    // Spelled out: a case's own name is found by reflection, which every state would wait for.
    switch self {
    case .none: ""
    case .app: "app"
    case .push: "push"
    case .broadcast: "broadcast"
    case .person: "person"
    case .disabled: "disabled"
    case .systemLimit: "system-limit"
    case .unknown: "unknown"
    }
  }
}

/// What only the clock implies; printed with a `~` and never written.
public enum ClockStep: String, Sendable {
  /// A scheduled activity became active.
  case start
  case stale
  case end
  case dismiss
}

/// What a device showed of one activity.
package enum State: EventDeclaration {
  package static let kind = EventKind.state
  package static let members: [Member] = [.state, .staleDate]
}

extension State {
  /// F9, F10: what a device showed outranks what was asked for.
  package static func evolve(
    _ life: inout Life, _ index: Int32, _ row: PackedRow, _ limits: SystemLimits
  ) -> Outcome {
    guard row.shown != .none else { return .noted }
    let isLife = State.isLife(row)
    if life.dismissObserved, row.shown != .ended { return .noted }
    if isLife, life.phase.isOver {
      guard revive(&life, row, limits) else { return .noted }
    }
    let before = life.phase
    if isLife {
      showLife(&life, row, limits)
    } else {
      showEnd(&life, row, limits)
    }
    showContent(&life, index, row)
    if row.shown == .active { forgetPassedDates(&life, at: row.at) }
    return life.phase == before ? .noted : .applied
  }

  /// Whether it shows a card that is not over.
  static func isLife(_ row: PackedRow) -> Bool { row.shown.isLive || row.shown == .pending }

  /// Life after an end: too soon it means nothing, later the end never was.
  private static func revive(_ life: inout Life, _ row: PackedRow, _ limits: SystemLimits) -> Bool {
    let soon = row.at.subtractingClamped(life.endedAt) <= limits.afterglow.microseconds
    if soon { return false }
    life.endedAt = Life.absent
    life.dismissAt = Life.absent
    life.endReason = .none
    life.endReasonCode = -1
    life.endCause = .none
    return true
  }

  private static func showLife(_ life: inout Life, _ row: PackedRow, _ limits: SystemLimits) {
    life.moveLimit(forLifeAt: row.at, limits: limits)
    if !life.isOpen { life.open(before: row.at, row.shown, limits: limits) }
    life.openingInferred = false
    life.enter(row.shown, at: row.at)
  }

  /// A date that had passed when the card was seen to be active no longer counts.
  private static func forgetPassedDates(_ life: inout Life, at instant: Int64) {
    if life.staleAt <= instant { life.staleAt = .max }
    if life.clearedStaleDate <= instant { life.clearedStaleDate = .max }
  }

  private static func showEnd(_ life: inout Life, _ row: PackedRow, _ limits: SystemLimits) {
    let reason = life.observedReason(row.at, limits: limits)
    if row.shown == .dismissed {
      Dismiss.leave(&life, row, reason: reason, limits)
      return
    }
    guard !life.phase.isOver else {
      if life.endCause == .clock { life.endCause = .observed }
      return
    }
    if !life.isOpen {
      life.startedBefore = row.at
      life.limit = row.at.addingClamped(limits.active.microseconds)
    }
    life.end(
      at: row.at, dismissal: life.lingers(from: row.at, limits: limits),
      reason: reason, cause: .observed, seq: row.seq)
  }

  private static func showContent(_ life: inout Life, _ index: Int32, _ row: PackedRow) {
    if row.flags.contains(.content) {
      life.contentRow = index
      life.contentInferred = false
      life.staleDate = row.staleDate
      life.clearedStaleDate = .max
      life.staleAt = row.staleDate == Life.absent ? .max : max(row.staleDate, row.at)
    } else if row.staleDate != Life.absent {
      life.staleDate = row.staleDate
      life.staleAt = max(row.staleDate, row.at)
    }
  }
}

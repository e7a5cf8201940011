/// A card was seen to leave the screen.
package enum Dismiss: EventDeclaration {
  package static let kind = EventKind.dismiss
  package static let members: [Member] = [.by]
}

extension Dismiss {
  /// F11: the card was seen to leave; final.
  package static func evolve(
    _ life: inout Life, _ index: Int32, _ row: PackedRow, _ limits: SystemLimits
  ) -> Outcome {
    guard !life.dismissObserved else { return .noted }
    let person = row.marks.contains(.byPerson)
    Dismiss.leave(
      &life, row, reason: person ? .person : life.observedReason(row.at, limits: limits), limits)
    return .applied
  }

  /// D = the row's `at`, and E too if nothing ended it before.
  static func leave(_ life: inout Life, _ row: PackedRow, reason: EndReason, _ limits: SystemLimits)
  {
    if !life.isOpen {
      life.startedBefore = row.at
      life.limit = row.at.addingClamped(limits.active.microseconds)
    }
    if !life.phase.isOver {
      life.end(at: row.at, dismissal: row.at, reason: reason, cause: .observed, seq: row.seq)
    }
    life.dismissAt = row.at
    life.dismissObserved = true
    life.phase = .dismissed
    life.since = row.at
  }
}

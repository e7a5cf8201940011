/// Somebody ended an activity.
package enum End: EventDeclaration {
  package static let kind = EventKind.end
  package static let members: [Member] =
    [.timestamp, .staleDate, .dismissalDate, .dismissalPolicy, .endReason, .contentBytes]
    + Member.push
}

extension End {
  /// F5: ends a life, or opens one that is already over.
  package static func evolve(
    _ life: inout Life, _ index: Int32, _ row: PackedRow, _ details: RowDetails,
    _ limits: SystemLimits
  ) {
    if !life.isOpen {
      life.startedBefore = row.at
      life.limit = row.at.addingClamped(limits.active.microseconds)
    }
    if row.flags.contains(.content) {
      life.contentRow = index
      life.contentInferred = row.isByPush && row.answer == .none
    }
    let latest = life.lingers(from: row.at, limits: limits)
    let dismissal: Int64 =
      if life.phase == .pending {
        row.at
      } else if details.date != Life.absent {
        details.date <= row.at ? row.at : min(details.date, latest)
      } else {
        row.marks.contains(.immediate) ? row.at : latest
      }
    life.end(
      at: row.at, dismissal: dismissal, reason: row.source.endReason(byPush: row.isByPush),
      cause: row.isByPush && row.answer == .none ? .unansweredPush : .act, seq: row.seq)
    life.endReasonCode = details.endReason
  }
}

/// Somebody asked for a new activity: \`Activity.request\` or a push-to-start.
package enum Start: EventDeclaration {
  package static let kind = EventKind.start
  package static let members: [Member] =
    [.timestamp, .staleDate, .style, .pushType, .startDate, .inputPushChannel, .contentBytes]
    + Member.push
}

extension Start {
  /// F3: opens a life; on a live one it is an update.
  package static func evolve(
    _ life: inout Life, _ index: Int32, _ row: PackedRow, _ details: RowDetails,
    _ limits: SystemLimits
  ) {
    if life.isOpen {
      Update.evolve(&life, index, row, limits)
      return
    }
    let scheduled = details.date != Life.absent && details.date > row.at
    life.startedAt = scheduled ? details.date : row.at
    life.limit = life.startedAt.addingClamped(limits.active.microseconds)
    life.startRow = index
    life.openingInferred = row.isByPush && row.answer == .none
    life.enter(scheduled ? .pending : .active, at: row.at)
    life.setContent(row: index, of: row, keepsDate: false)
    if row.flags.contains(.attributes) { life.attributesRow = index }
  }
}

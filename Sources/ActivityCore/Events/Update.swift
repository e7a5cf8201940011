/// Somebody sent new content.
package enum Update: EventDeclaration {
  package static let kind = EventKind.update
  package static let members: [Member] = [.timestamp, .staleDate, .contentBytes] + Member.push
}

extension Update {
  /// F4: new content, or the first sign of a life nobody was seen to start.
  package static func evolve(
    _ life: inout Life, _ index: Int32, _ row: PackedRow, _ limits: SystemLimits
  ) {
    if !life.isOpen {
      life.open(before: row.at, .active, limits: limits)
      life.openingInferred = row.isByPush && row.answer == .none
    }
    life.setContent(
      row: index, of: row, keepsDate: row.isByPush && limits.pushKeepsStaleDate)
    if row.flags.contains(.attributes) { life.attributesRow = index }
    life.updates += 1
  }
}

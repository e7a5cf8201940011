/// The system was seen to draw an activity as stale.
package enum Stale: EventDeclaration {
  package static let kind = EventKind.stale
  package static let members: [Member] = []
}

extension Stale {
  /// F11: the system was seen to draw it as stale.
  package static func evolve(
    _ life: inout Life, _ index: Int32, _ row: PackedRow, _ limits: SystemLimits
  ) -> Outcome {
    if !life.isOpen {
      life.open(before: row.at, .stale, limits: limits)
      return .applied
    }
    if life.phase.isOver || life.phase == .stale {
      if life.phase == .stale { life.openingInferred = false }
      return .noted
    }
    life.moveLimit(forLifeAt: row.at, limits: limits)
    life.openingInferred = false
    life.clearedStaleDate = .max
    life.enter(.stale, at: row.at)
    return .applied
  }
}

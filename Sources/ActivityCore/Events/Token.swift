/// A device or a server learned a token.
package enum Token: EventDeclaration {
  package static let kind = EventKind.token
  package static let members: [Member] = [.tokenKind, .replaces]
}

extension Token {
  /// F11: a token for updates means that there is something to update.
  package static func evolve(
    _ life: inout Life, _ index: Int32, _ row: PackedRow, _ limits: SystemLimits
  ) -> Outcome {
    guard !life.isOpen else { return .noted }
    life.open(before: row.at, .active, limits: limits)
    return .applied
  }
}

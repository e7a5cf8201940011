/// Somebody ended an activity.
package enum End: EventDeclaration {
  package static let kind = EventKind.end
  package static let members: [Member] =
    [.timestamp, .staleDate, .dismissalDate, .dismissalPolicy, .endReason, .contentBytes]
    + Member.push
}

/// What a device showed of one activity.
package enum State: EventDeclaration {
  package static let kind = EventKind.state
  package static let members: [Member] = [.state, .staleDate]
}

/// What the order itself did: open, finished, cancelled.
package enum Work: EventDeclaration {
  package static let kind = EventKind.work
  package static let members: [Member] = [.outcome]
}

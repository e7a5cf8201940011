/// A broadcast channel was made, listed or deleted.
package enum Channel: EventDeclaration {
  package static let kind = EventKind.channel
  package static let members: [Member] = [.operation]
}

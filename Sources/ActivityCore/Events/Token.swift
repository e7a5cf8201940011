/// A device or a server learned a token.
package enum Token: EventDeclaration {
  package static let kind = EventKind.token
  package static let members: [Member] = [.tokenKind, .replaces]
}

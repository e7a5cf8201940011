/// A card was seen to leave the screen.
package enum Dismiss: EventDeclaration {
  package static let kind = EventKind.dismiss
  package static let members: [Member] = [.by]
}

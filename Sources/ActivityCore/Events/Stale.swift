/// The system was seen to draw an activity as stale.
package enum Stale: EventDeclaration {
  package static let kind = EventKind.stale
  package static let members: [Member] = []
}

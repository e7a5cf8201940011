/// Whether a person allows Live Activities.
package enum Authorization: EventDeclaration {
  package static let kind = EventKind.authorization
  package static let members: [Member] = [.enabled]
}

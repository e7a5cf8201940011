/// A kind this version does not know: kept whole, listed, exported, moving nothing.
package enum UnknownEvent: EventDeclaration {
  package static let kind = EventKind.unknown
  package static let members: [Member] = []
}

/// From when to when a recorder can have seen something, and what it lost.
package enum Coverage: EventDeclaration {
  package static let kind = EventKind.coverage
  package static let members: [Member] = [.from, .until]
}

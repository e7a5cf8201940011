/// Somebody sent new content.
package enum Update: EventDeclaration {
  package static let kind = EventKind.update
  package static let members: [Member] = [.timestamp, .staleDate, .contentBytes] + Member.push
}

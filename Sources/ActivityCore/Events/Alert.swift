/// An alert that came alone, without content and without a part in ordering.
package enum Alert: EventDeclaration {
  package static let kind = EventKind.alert
  package static let members: [Member] = Member.push
}

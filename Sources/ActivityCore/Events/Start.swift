/// Somebody asked for a new activity: \`Activity.request\` or a push-to-start.
package enum Start: EventDeclaration {
  package static let kind = EventKind.start
  package static let members: [Member] =
    [.timestamp, .staleDate, .style, .pushType, .startDate, .inputPushChannel, .contentBytes]
    + Member.push
}

/// APNs answered a push, later than the push was recorded.
package enum Response: EventDeclaration {
  package static let kind = EventKind.response
  package static let members: [Member] = [.apnsID, .attempt, .status, .reason]
}

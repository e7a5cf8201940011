/// Something went wrong before an answer, or on the device.
package enum Failure: EventDeclaration {
  package static let kind = EventKind.failure
  package static let members: [Member] = [.operation, .apnsID, .attempt]
}

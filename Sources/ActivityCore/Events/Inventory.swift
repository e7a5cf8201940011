/// What a device listed as its activities, all of them when \`complete\`.
package enum Inventory: EventDeclaration {
  package static let kind = EventKind.inventory
  package static let members: [Member] = [.complete]
}

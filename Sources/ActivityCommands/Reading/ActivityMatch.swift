internal import ActivityCore

/// What a person typed for one activity: an id, the beginning of one, or a business key.
struct ActivityMatch: Sendable {
  let typed: String
  /// How many characters a beginning needs.
  static let prefixMin = 4

  /// The states meant: by exact name, then by exact key, then by a unique beginning of the name in
  /// any case. All lives of that name or key come, oldest first.
  func states(in all: [ActivityState]) throws(CommandError) -> [ActivityState] {
    let exact = all.filter { $0.name == typed || $0.activityID == typed }
    if !exact.isEmpty { return exact }
    let keyed = all.filter { $0.key == typed }
    if !keyed.isEmpty { return keyed }
    guard typed.count >= ActivityMatch.prefixMin else { return [] }
    let beginning = typed.lowercased()
    let begun = all.filter { $0.name.lowercased().hasPrefix(beginning) }
    let names = Set(begun.map(\.name))
    guard names.count <= 1 else {
      let some = names.sorted().prefix(3).joined(separator: ", ")
      throw CommandError(
        "'\(typed)' begins \(names.count) names: \(some)" + (names.count > 3 ? ", …" : ""),
        hint: "type more of it")
    }
    return begun
  }
}

internal import ActivityCore

/// What a person typed for one activity: an id, the beginning of one, or a business key.
struct ActivityMatch: Sendable {
  let typed: String
  /// How many characters a beginning needs.
  static let prefixMin = 4

  /// The activities meant: by exact name, then by exact key, then by a unique beginning of a name
  /// in any case; none when nothing is called so.
  func activities(in resolution: Resolution) throws(CommandError) -> [Int] {
    let printed = resolution.names.map { $0.printed(resolution.set.texts) }
    let exact = printed.indices.filter { printed[$0] == typed }
    if !exact.isEmpty { return exact }
    let keyed =
      activities(withKeyIn: resolution, typed)
      + (typed.hasPrefix("key:")
        ? activities(withKeyIn: resolution, String(typed.dropFirst(4))) : [])
    if !keyed.isEmpty { return keyed }
    guard typed.count >= ActivityMatch.prefixMin else { return [] }
    let beginning = typed.lowercased()
    let begun = printed.indices.filter { printed[$0].lowercased().hasPrefix(beginning) }
    let names = Set(begun.map { printed[$0] })
    guard names.count <= 1 else {
      let some = names.sorted().prefix(3).joined(separator: ", ")
      throw CommandError(
        "'\(typed)' begins \(names.count) names: \(some)" + (names.count > 3 ? ", …" : ""),
        hint: "type more of it")
    }
    return begun
  }

  private func activities(withKeyIn resolution: Resolution, _ key: String) -> [Int] {
    guard let code = resolution.set.texts.code(of: Array(key.utf8)) else { return [] }
    return resolution.members.indices.filter { activity in
      resolution.members[activity].contains { index in
        let row = resolution.set.rows[Int(index)]
        // I10: what reaches it by a channel says nothing of its key.
        return row.key == Int32(code) && !resolution.fansOut(row, in: activity)
      }
    }
  }
}

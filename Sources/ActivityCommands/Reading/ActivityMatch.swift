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
    let called = activities(called: printed, in: resolution)
    if !called.isEmpty { return called }
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

  /// Whether something is called so, or has that key: no beginning is meant then.
  func isWhole(in resolution: Resolution) -> Bool {
    let printed = resolution.names.map { $0.printed(resolution.set.texts) }
    return !activities(called: printed, in: resolution).isEmpty
  }

  /// Whether an id or a key is meant, or the beginning of an id: of what is called otherwise no
  /// index knows the name.
  var isByIDOrKey: Bool {
    let text = typed.lowercased()
    return !["token:", "key:", "channel:", "start:"].contains { name in
      text.hasPrefix(name) || name.hasPrefix(text)
    }
  }

  private func activities(called printed: [String], in resolution: Resolution) -> [Int] {
    let exact = printed.indices.filter { printed[$0] == typed }
    if !exact.isEmpty { return exact }
    return activities(withKeyIn: resolution, typed)
      + (typed.hasPrefix("key:")
        ? activities(withKeyIn: resolution, String(typed.dropFirst(4))) : [])
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

/// The token a push to an activity would carry.
package struct NewestToken: Sendable, Equatable {
  /// Code of the token in the row set's vocabulary.
  package var token: Int32
  /// Whether APNs said of it that it is gone.
  package var isGone: Bool
}

extension Resolution {
  /// F7's newest token of an activity among the selected rows: that of its latest `token` row, else
  /// the one first seen latest; nil when no update token is known.
  package func newestToken(of activity: Int) -> NewestToken? {
    var announced: Int32 = -1
    var latest: Int32 = -1
    // Few tokens follow one another in a life: one is nearly always the one before.
    var former: Int32 = -1
    var seen: Set<Int32> = []
    var gone: Set<Int32> = []
    for index in members[activity] {
      let row = set.rows.packed[Int(index)]
      guard row.isFolded, row.token >= 0, row.kind != .start else { continue }
      if row.kind == .token { announced = row.token }
      if row.token != former, seen.insert(row.token).inserted { latest = row.token }
      former = row.token
      if row.answer == .gone { gone.insert(row.token) }
    }
    let token = announced >= 0 ? announced : latest
    return token < 0 ? nil : NewestToken(token: token, isGone: gone.contains(token))
  }
}

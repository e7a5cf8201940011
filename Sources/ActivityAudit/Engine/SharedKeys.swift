internal import ActivityCore

/// Which keys more than one activity says: only of those can one card follow or double another.
struct SharedKeys: Sendable {
  /// By code of the vocabulary: how many activities say it, at most 2.
  private var counts: [UInt8]

  init(_ resolution: Resolution) {
    let rows = resolution.set.rows
    counts = [UInt8](repeating: 0, count: resolution.set.texts.count)
    for members in resolution.members {
      var former: Int32 = -1
      for index in members {
        let key = rows[Int(index)].key
        guard key >= 0, key != former, counts.indices.contains(Int(key)) else { continue }
        former = key
        counts[Int(key)] = min(2, counts[Int(key)] + 1)
      }
    }
  }

  func contains(_ key: Int32) -> Bool {
    key >= 0 && counts.indices.contains(Int(key)) && counts[Int(key)] > 1
  }
}

extension AuditLog {
  /// Whether more than one activity of the log says this key.
  package func isShared(_ key: Entry.Word) -> Bool { sharedKeys.contains(key.code) }
}

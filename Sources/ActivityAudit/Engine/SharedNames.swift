internal import ActivityCore

/// Names that more than one thing bears: keys of several activities, tokens of several ids.
struct SharedNames: Sendable {
  /// By code of the vocabulary: how many activities say it as their key, at most 2.
  private var keys: [UInt8]
  /// Tokens that were seen with more than one activity-id.
  private(set) var tiedTokens: Set<Int32> = []

  init(_ resolution: Resolution) {
    let rows = resolution.set.rows
    let count = resolution.set.texts.count
    keys = [UInt8](repeating: 0, count: count)
    var idOfToken = [Int32](repeating: -1, count: count)
    for members in resolution.members {
      var former: Int32 = -1
      for index in members {
        let row = rows[Int(index)]
        if row.key >= 0, row.key != former {
          former = row.key
          keys[Int(row.key)] = min(2, keys[Int(row.key)] + 1)
        }
        guard row.token >= 0, row.activity >= 0, row.marks.contains(.joins) else { continue }
        if idOfToken[Int(row.token)] < 0 { idOfToken[Int(row.token)] = row.activity }
        if idOfToken[Int(row.token)] != row.activity { tiedTokens.insert(row.token) }
      }
    }
  }

  func isKeyOfMany(_ key: Int32) -> Bool { key >= 0 && keys[Int(key)] > 1 }
}

extension AuditLog {
  /// Whether more than one activity of the log says this key.
  package func isShared(_ key: Entry.Word) -> Bool { sharedNames.isKeyOfMany(key.code) }

  /// Whether any token was seen with more than one activity-id.
  package var hasTiedTokens: Bool { !sharedNames.tiedTokens.isEmpty }

  /// Whether a row names both a token and an activity, and the token is seen with another id too.
  package func isTied(_ entry: Entry) -> Bool {
    guard let row = entry.row, row.activity >= 0, row.marks.contains(.joins) else { return false }
    return sharedNames.tiedTokens.contains(row.token)
  }
}

internal import ActivityCore

/// Names that more than one thing bears: keys of several activities, tokens of several ids.
struct SharedNames: Sendable {
  /// By code of the vocabulary: how many activities say it as their key, at most 2.
  private var keys: [UInt8]
  /// By code of a token: the id it was first seen with, −1 for none.
  private var idOfToken: [Int32]
  /// Tokens that were seen with more than one activity-id.
  private(set) var tiedTokens: Set<Int32> = []

  init(words count: Int) {
    keys = [UInt8](repeating: 0, count: count)
    idOfToken = [Int32](repeating: -1, count: count)
  }

  /// What the rows of some activities say, activity by activity.
  struct Said: Sendable {
    /// Keys; the same one twice where it is said again after another.
    fileprivate var keys: [Int32] = []
    /// Tokens with the ids they were seen with.
    fileprivate var ties: [(token: Int32, activity: Int32)] = []

    /// Takes in the rows of one activity, in order.
    mutating func gather(_ members: ArraySlice<Int32>, _ rows: RowList) {
      var former: Int32 = -1
      var tie: (token: Int32, activity: Int32) = (-1, -1)
      for index in members {
        let row = rows.packed[Int(index)]
        if row.key >= 0, row.key != former {
          former = row.key
          keys.append(row.key)
        }
        guard row.token >= 0, row.activity >= 0, tie != (row.token, row.activity),
          row.marks.contains(.joins)
        else { continue }
        tie = (row.token, row.activity)
        ties.append(tie)
      }
    }
  }

  /// Takes in what activities say, which come in order.
  mutating func take(_ said: Said) {
    for key in said.keys { keys[Int(key)] = min(2, keys[Int(key)] + 1) }
    for (token, activity) in said.ties {
      let known = idOfToken[Int(token)]
      if known < 0 {
        idOfToken[Int(token)] = activity
      } else if known != activity {
        tiedTokens.insert(token)
      }
    }
  }

  func isKeyOfMany(_ key: Int32) -> Bool { key >= 0 && keys[Int(key)] > 1 }

  /// Whether a row names both a token and an activity, and the token is seen with another id too.
  func isTied(_ activity: Int32, _ token: Int32, _ marks: Row.Marks) -> Bool {
    activity >= 0 && marks.contains(.joins) && tiedTokens.contains(token)
  }
}

extension AuditLog {
  /// Whether more than one activity of the log says this key.
  package func isShared(_ key: Entry.Word) -> Bool { sharedNames.isKeyOfMany(key.code) }

  /// Whether any token was seen with more than one activity-id.
  package var hasTiedTokens: Bool { !sharedNames.tiedTokens.isEmpty }

  /// Whether a row names both a token and an activity, and the token is seen with another id too.
  package func isTied(_ entry: Entry) -> Bool {
    entry.row.map { sharedNames.isTied($0.activity, $0.token, $0.marks) } ?? false
  }
}

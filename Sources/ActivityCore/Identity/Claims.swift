/// I7: which push start became which activity.
extension Resolution {
  /// Ties starts without an id to the activities they became; the others are activities of their
  /// own. Both lists are in order.
  ///
  /// - Returns: The activities that got starts, and the new ones.
  mutating func claim(_ unsettled: Unsettled, _ order: RowOrder) -> Set<Int> {
    let starts = unsettled.starts
    guard !starts.isEmpty else { return [] }
    let owners = TokenOwners(of: starts, order, in: set)
    let groups = StartAttempts.groups(of: starts, in: set.rows).map { rows in
      ClaimingStart(rows: rows, in: set, owners)
    }
    var claims = ClaimSearch(self, candidates(unsettled.asked.activities, for: groups))
    var claimed = [Int?](repeating: nil, count: groups.count)
    // The app asked for its own cards: one that a push asked for too is a second card.
    claims.index { !$0.isStartedByApp }
    for (number, start) in groups.enumerated() where !start.isRefused {
      claimed[number] = claims.claim(for: start)
    }
    claims.index { _ in true }
    for (number, start) in groups.enumerated() where start.isRefused {
      claimed[number] = claims.claim(for: start)
    }
    var touched: Set<Int> = []
    for (start, activity) in zip(groups, claimed) {
      if let activity {
        touched.insert(activity)
        members.add(start.rows, to: activity)
        activityScopes[activity] = activityScopes[activity].filled(from: start.scope)
      } else {
        touched.insert(names.count)
        addActivity(.start(start.seq), start.scope, rows: start.rows)
      }
    }
    settleMembers()
    return touched
  }

  /// Activities that say an asked key, and those on the devices of starts with a type.
  private func candidates(_ asked: Set<Int>, for starts: [ClaimingStart]) -> [Int] {
    var devices: Set<Int32> = []
    for start in starts where start.type >= 0 && start.scope.device >= 0 {
      devices.insert(start.scope.device)
    }
    guard !devices.isEmpty else { return asked.sorted() }
    return activityScopes.indices.filter {
      asked.contains($0) || devices.contains(activityScopes[$0].device)
    }
  }
}

/// Attempts of one push start; the first in order speaks for them.
struct ClaimingStart {
  var rows: [Int32]
  var seq: Int64
  var at: Int64
  var key: Int32
  var type: Int32
  /// With the device its token belongs to.
  var scope: Scope
  /// Whether every attempt was refused.
  var isRefused: Bool

  init(rows: [Int32], in set: RowSet, _ owners: TokenOwners) {
    self.rows = rows
    let speaker = set.rows.packed[Int(rows[0])]
    seq = speaker.seq
    at = speaker.at
    key = speaker.key
    type = set.facts[speaker.facts].attributesType
    scope = set.scopes[speaker.scope]
    if scope.device < 0 { scope.device = owners.device(of: speaker, in: set) }
    isRefused = rows.allSatisfy { set.rows.packed[Int($0)].answer.refuses }
  }
}

/// Which starts are attempts of one another.
enum StartAttempts {
  private struct Attempt: Hashable {
    var token: Int32
    var key: Int32
    var version: Int64
  }

  /// Starts are given in order; so are the groups, by their first, and the rows of each.
  static func groups(of starts: [Int32], in rows: RowList) -> [[Int32]] {
    var parent = Array(starts.indices)
    func root(_ number: Int) -> Int {
      var number = number
      while parent[number] != number {
        parent[number] = parent[parent[number]]
        number = parent[number]
      }
      return number
    }
    func unite(_ one: Int, _ other: Int) {
      let (one, other) = (root(one), root(other))
      parent[max(one, other)] = min(one, other)
    }
    var byPush: [PushID: Int] = [:]
    // The first that was not taken is tied to all that follow.
    var untaken: [Attempt: Int] = [:]
    for (number, index) in starts.enumerated() {
      let row = rows.packed[Int(index)]
      let push = rows.push(index)
      if push != .none {
        if let same = byPush[push] { unite(same, number) } else { byPush[push] = number }
      }
      guard row.marks.contains(.versioned) else { continue }
      let attempt = Attempt(token: row.token, key: row.key, version: row.version)
      if let same = untaken[attempt] {
        unite(same, number)
      } else if row.answer != .accepted {
        untaken[attempt] = number
      }
    }
    var groups: [Int: [Int32]] = [:]
    for (number, index) in starts.enumerated() { groups[root(number), default: []].append(index) }
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// Whose start token is whose, as `token` rows of kind `start` say.
struct TokenOwners {
  /// By token: rows that say it, in order.
  private var rows: [Int32: [Int32]] = [:]

  init(of starts: [Int32], _ order: RowOrder, in set: RowSet) {
    var asked: Set<Int32> = []
    for index in starts {
      let row = set.rows.packed[Int(index)]
      if set.scopes[row.scope].device < 0 { asked.insert(row.token) }
    }
    guard !asked.isEmpty else { return }
    for index in order {
      let row = set.rows.packed[Int(index)]
      guard row.marks.contains(.startToken), asked.contains(row.token) else { continue }
      rows[row.token, default: []].append(index)
    }
  }

  /// The device of the latest row at or before a start that names its token, −1 when none is known
  /// or it is too long ago.
  func device(of start: PackedRow, in set: RowSet) -> Int32 {
    guard let said = rows[start.token] else { return -1 }
    var low = 0
    var high = said.count
    while low < high {
      let middle = (low + high) / 2
      let isLater = start.precedes(set.rows.packed[Int(said[middle])])
      if isLater { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return -1 }
    let row = set.rows.packed[Int(said[low - 1])]
    let isKnown = start.at.subtractingClamped(row.at) <= set.limits.window.microseconds
    return isKnown ? set.scopes[row.scope].device : -1
  }
}

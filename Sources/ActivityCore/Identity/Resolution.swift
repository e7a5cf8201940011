/// Which rows make up which activity, with every answer tied to its act.
///
/// The result of resolving the selected rows among themselves; folding reads `members` activity by
/// activity.
package struct Resolution: Sendable {
  package var set: RowSet
  package internal(set) var names: [ActivityName] = []
  /// By activity: its scope, everything its own rows say taken together.
  package internal(set) var activityScopes: [Scope] = []
  /// By activity: indexes of its rows in order; folded rows and decode failures. A row that fans
  /// out is in every activity it reached.
  package internal(set) var members: [[Int32]] = []
  /// By activity: inventories that do not list it and authorizations that end it, in order.
  package internal(set) var verdicts: [Int: [Int32]] = [:]
  /// Rows by key or channel that were not followed, because others had reached as many activities
  /// as memory is given for.
  package internal(set) var unfollowed = 0
  /// Rows that name an activity but could not be tied to one: answers to nothing.
  package internal(set) var unattached: [Int32] = []
  /// By activity that was answered 410: its newest token among the selected rows (F7).
  package internal(set) var newestTokens: [Int: Int32] = [:]

  private var scopeOfRow: [Int32] = []

  /// Resolves the rows of a set.
  package init(_ set: consuming RowSet) {
    self.set = set
    let order = Resolution.order(self.set.rows)
    answer(order)
    let unsettled = name(order)
    claim(unsettled.starts, order)
    fanOut(unsettled)
    judgeByAbsence(order)
    findNewestTokens()
  }

  /// Indexes of rows by (`at`, `seq`); logs are nearly in order, so a sorted run stays as it is.
  private static func order(_ rows: [Row]) -> [Int32] {
    let indexes = rows.indices.map { Int32($0) }
    var sorted = true
    for index in rows.indices.dropFirst() where rows[index].precedes(rows[index - 1]) {
      sorted = false
      break
    }
    if sorted { return indexes }
    // An inventory's entries share its (at, seq): the index keeps them behind it.
    return indexes.sorted {
      let (a, b) = (rows[Int($0)], rows[Int($1)])
      return (a.at, a.seq, $0) < (b.at, b.seq, $1)
    }
  }

  /// Rows that neither an id nor an update token names, in order.
  struct Unsettled {
    /// Starts with a token and no id (I7).
    var starts: [Int32] = []
    /// Folded rows that a key or a channel alone names (I8).
    var fanning: [Int32] = []
    /// Decode failures that a channel alone names.
    var failures: [Int32] = []
  }

  /// I1–I4: the name of every row, and the activities of ids and tokens.
  private mutating func name(_ order: [Int32]) -> Unsettled {
    let groups = TokenGroups(set, order: order)
    var naming = RowNames(rows: set.rows.count)
    var unsettled = Unsettled()
    scopeOfRow = set.rows.map(\.scope)
    for index in order {
      let row = set.rows[Int(index)]
      switch name(of: row, index, groups) {
      case .activity(let id): naming.name(index, .activity(id))
      case .token(let token): naming.name(index, .token(token))
      case .start: unsettled.starts.append(index)
      case .channel, .key:
        if row.isFolded { unsettled.fanning.append(index) }
        if row.marks.contains(.decoding) { unsettled.failures.append(index) }
      case nil: break
      }
    }
    gather(order, naming)
    return unsettled
  }

  private mutating func name(
    of row: Row, _ index: Int32, _ groups: TokenGroups
  ) -> ActivityName? {
    if row.activity >= 0 { return .activity(row.activity) }
    if row.token >= 0 {
      if row.kind == .start { return .start(row.seq) }
      if row.marks.contains(.otherToken) { return nil }
      guard let join = groups.join(of: row, in: set.rows) else {
        return .token(groups.name(of: row.token))
      }
      let scope = set.scopes[row.scope].filled(from: set.scopes[join.scope])
      scopeOfRow[Int(index)] = set.scopes.index(of: scope)
      return .activity(join.activity)
    }
    return Resolution.sharedName(of: row)
  }

  /// What a row without id and token is called.
  static func sharedName(of row: Row) -> ActivityName? {
    if row.channel >= 0, row.kind != .channel { return .channel(row.channel) }
    let keyed = row.kind.isAct || row.kind == .stale || row.kind == .dismiss || row.kind == .state
    return row.key >= 0 && keyed ? .key(row.key) : nil
  }

  /// I4: names become activities, and every one of them gets its rows. Rows are given in order.
  mutating func gather(_ order: [Int32], _ naming: RowNames) {
    var scopesOfName = [[Int32]](repeating: [], count: naming.names.count)
    for index in order {
      let name = naming.ofRow[Int(index)]
      guard name >= 0, set.rows[Int(index)].isFolded else { continue }
      let scope = scopeOfRow[Int(index)]
      if !scopesOfName[Int(name)].contains(scope) { scopesOfName[Int(name)].append(scope) }
    }
    let (firstActivity, activitiesOfScope) = makeActivities(naming.names, scopesOfName)
    for index in order {
      let name = Int(naming.ofRow[Int(index)])
      guard name >= 0 else { continue }
      let row = set.rows[Int(index)]
      if row.marks.contains(.decoding) {
        for activity in firstActivity[name]..<firstActivity[name + 1]
        where activityScopes[activity].agrees(with: set.scopes[scopeOfRow[Int(index)]]) {
          members[activity].append(index)
        }
        continue
      }
      guard row.isFolded else { continue }
      if let several = activitiesOfScope[name] {
        for activity in several[scopeOfRow[Int(index)]] ?? [] { members[activity].append(index) }
      } else {
        members[firstActivity[name]].append(index)
      }
    }
  }

  /// One activity a name, or one for each set of scopes that agree; `first` has one number more
  /// than there are names.
  private mutating func makeActivities(
    _ known: [ActivityName], _ scopesOfName: [[Int32]]
  ) -> (first: [Int], several: [Int: [Int32: [Int]]]) {
    var first: [Int] = []
    var several: [Int: [Int32: [Int]]] = [:]
    for (name, scopeIndexes) in scopesOfName.enumerated() {
      first.append(names.count)
      let scopes = scopeIndexes.map { set.scopes[$0] }
      let sets = ScopeSets.sets(of: scopes)
      for group in sets {
        if sets.count > 1 {
          for scope in group {
            several[name, default: [:]][scopeIndexes[scope], default: []].append(names.count)
          }
        }
        addActivity(known[name], group.reduce(Scope()) { $0.filled(from: scopes[$1]) })
      }
    }
    first.append(names.count)
    return (first, several)
  }

  /// A new activity; its rows are indexes in order.
  mutating func addActivity(_ name: ActivityName, _ scope: Scope, rows: [Int32] = []) {
    names.append(name)
    activityScopes.append(scope)
    members.append(rows)
  }

  /// Gives an activity more rows, by index in order; those it has stay in order with them.
  mutating func addRows(_ added: [Int32], to activity: Int) {
    members[activity] = merged(members[activity], added)
  }

  /// Two lists of rows in order as one.
  func merged(_ one: [Int32], _ other: [Int32]) -> [Int32] {
    var all: [Int32] = []
    all.reserveCapacity(one.count + other.count)
    var next = 0
    for index in one {
      while next < other.count, precedes(other[next], index) {
        all.append(other[next])
        next += 1
      }
      all.append(index)
    }
    return all + other[next...]
  }

  /// The one order of rows; an inventory's entries share its (`at`, `seq`) and follow it.
  func precedes(_ one: Int32, _ other: Int32) -> Bool {
    let (a, b) = (set.rows[Int(one)], set.rows[Int(other)])
    return (a.at, a.seq, one) < (b.at, b.seq, other)
  }
}

/// The names of rows, numbered by first appearance.
struct RowNames {
  private(set) var names: [ActivityName] = []
  /// By row: the number of its name, −1 for none.
  private(set) var ofRow: [Int32]
  private var known: [ActivityName: Int32] = [:]

  init(rows: Int) { ofRow = [Int32](repeating: -1, count: rows) }

  mutating func name(_ row: Int32, _ name: ActivityName) {
    if let number = known[name] {
      ofRow[Int(row)] = number
      return
    }
    known[name] = Int32(names.count)
    ofRow[Int(row)] = Int32(names.count)
    names.append(name)
  }
}

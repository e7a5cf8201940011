/// Which rows make up which activity, with every answer tied to its act.
///
/// The result of resolving the selected rows among themselves; folding reads `members` activity by
/// activity.
package struct Resolution: Sendable {
  package var set: RowSet
  package private(set) var names: [ActivityName] = []
  /// By activity: its scope, everything its rows say taken together.
  package private(set) var activityScopes: [Scope] = []
  /// By activity: indexes of its rows in order; folded rows and decode failures.
  package private(set) var members: [[Int32]] = []
  /// By activity: inventories that do not list it and authorizations that end it, in order.
  package internal(set) var verdicts: [Int: [Int32]] = [:]
  /// Rows that name an activity but could not be tied to one: answers to nothing.
  package internal(set) var unattached: [Int32] = []
  /// By activity that was answered 410: its newest token among the selected rows (F7).
  package internal(set) var newestTokens: [Int: Int32] = [:]

  private var scopeOfRow: [Int32] = []
  private var nameOfRow: [Int32] = []

  /// Resolves the rows of a set.
  package init(_ set: consuming RowSet) {
    self.set = set
    let order = Resolution.order(self.set.rows)
    answer(order)
    name(order)
    gather(order)
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

  /// I1–I3: the name of every row.
  private mutating func name(_ order: [Int32]) {
    let groups = TokenGroups(set, order: order)
    var known: [ActivityName: Int32] = [:]
    nameOfRow = [Int32](repeating: -1, count: set.rows.count)
    scopeOfRow = set.rows.map(\.scope)
    for index in order {
      let row = set.rows[Int(index)]
      guard let name = name(of: row, index, groups) else { continue }
      if let number = known[name] {
        nameOfRow[Int(index)] = number
      } else {
        known[name] = Int32(names.count)
        nameOfRow[Int(index)] = Int32(names.count)
        names.append(name)
      }
    }
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
    if row.channel >= 0, row.kind != .channel { return .channel(row.channel) }
    let keyed = row.kind.isAct || row.kind == .stale || row.kind == .dismiss || row.kind == .state
    return row.key >= 0 && keyed ? .key(row.key) : nil
  }

  /// I4: names become activities, and every activity gets its rows in order.
  private mutating func gather(_ order: [Int32]) {
    var scopesOfName = [[Int32]](repeating: [], count: names.count)
    for index in order {
      let name = nameOfRow[Int(index)]
      guard name >= 0, set.rows[Int(index)].isFolded else { continue }
      let scope = scopeOfRow[Int(index)]
      if !scopesOfName[Int(name)].contains(scope) { scopesOfName[Int(name)].append(scope) }
    }
    let namesBefore = names.count
    let (firstActivity, activitiesOfScope) = makeActivities(scopesOfName)
    members = [[Int32]](repeating: [], count: names.count)
    var counts = [Int](repeating: 1, count: namesBefore)
    for (name, first) in firstActivity.enumerated() {
      let next = name + 1 < firstActivity.count ? firstActivity[name + 1] : names.count
      counts[name] = next - first
    }
    for index in order {
      let name = Int(nameOfRow[Int(index)])
      guard name >= 0 else { continue }
      let row = set.rows[Int(index)]
      if row.marks.contains(.decoding) {
        for activity in firstActivity[name]..<(firstActivity[name] + counts[name])
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

  /// One activity a name, or one for each set of scopes that agree. Afterwards `names` counts by
  /// activity.
  private mutating func makeActivities(
    _ scopesOfName: [[Int32]]
  ) -> (first: [Int], several: [Int: [Int32: [Int]]]) {
    var first: [Int] = []
    var several: [Int: [Int32: [Int]]] = [:]
    var activityNames: [ActivityName] = []
    for (name, scopeIndexes) in scopesOfName.enumerated() {
      first.append(activityNames.count)
      let scopes = scopeIndexes.map { set.scopes[$0] }
      let sets = ScopeSets.sets(of: scopes)
      for members in sets {
        let merged = members.reduce(Scope()) { $0.filled(from: scopes[$1]) }
        if sets.count > 1 {
          for scope in members {
            several[name, default: [:]][scopeIndexes[scope], default: []]
              .append(activityNames.count)
          }
        }
        activityNames.append(names[name])
        activityScopes.append(merged)
      }
    }
    names = activityNames
    return (first, several)
  }
}

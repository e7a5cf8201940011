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
  package internal(set) var members = MemberLists()
  /// By activity: inventories that do not list it and authorizations that end it, in order.
  package internal(set) var verdicts: [Int: [Int32]] = [:]
  /// Rows by key or channel that were not followed, because others had reached as many activities
  /// as memory is given for.
  package internal(set) var unfollowed = 0
  /// Rows that name an activity but could not be tied to one: answers to nothing.
  package internal(set) var unattached: [Int32] = []
  /// By activity that was answered 410: its newest token among the selected rows (F7).
  package internal(set) var newestTokens: [Int: Int32] = [:]

  /// By row: its scope with what its joining row says; only while names become activities.
  private var scopeOfRow: [Int32] = []

  /// Resolves the rows of a set.
  package init(_ set: consuming RowSet) {
    self.set = set
    let order = RowOrder(self.set)
    let unsettled = answer(order)
    let claimed = claim(unsettled, order)
    fanOut(unsettled, claimed)
    scopeOfRow = []
    judgeByAbsence(order)
    findNewestTokens()
  }

  /// Gives answers to acts and names to rows; neither rests on what the other finds.
  private mutating func answer(_ order: RowOrder) -> Unsettled {
    guard !set.marked.answers.isEmpty else { return name(order) }
    let (answers, unsettled) = BothCores.together(set) { set in
      Answers(set, order)
    } own: {
      name(order)
    }
    give(answers)
    return unsettled
  }

  /// Rows that neither an id nor an update token names, in order.
  struct Unsettled {
    /// Starts with a token and no id (I7).
    var starts: [Int32] = []
    /// Folded rows that a key or a channel alone names (I8).
    var fanning: [Int32] = []
    /// Decode failures that a channel alone names.
    var failures: [Int32] = []
    /// Which activities any of them may belong to.
    var asked = AskedWords()
  }

  /// I1–I4: the name of every row, and the activities of ids and tokens.
  private mutating func name(_ order: RowOrder) -> Unsettled {
    var groups = TokenGroups(set, order)
    var naming = RowNames(set)
    var unsettled = Unsettled()
    var asked = AskedWords(set)
    scopeOfRow = [Int32](repeating: 0, count: set.rows.count)
    for index in order {
      let row = set.rows.packed[Int(index)]
      scopeOfRow[Int(index)] = row.scope
      groups.see(row, index)
      if row.activity >= 0 {
        naming.name(index, row, activity: row.activity)
      } else if row.token < 0 {
        leave(index, row, &unsettled)
      } else if row.kind == .start {
        unsettled.starts.append(index)
      } else if !row.marks.contains(.otherToken) {
        if let join = groups.join(of: row, in: set) {
          naming.name(index, row, activity: join.activity)
          scopeOfRow[Int(index)] = scope(row.scope, filledFrom: join.scope)
        } else {
          naming.name(index, row, token: groups.name(of: row.token))
        }
      }
      if asked.isAsked(row) { asked.rows.append(index) }
    }
    let places = gather(order, naming)
    for index in asked.rows {
      let name = naming.ofRow[Int(index)]
      if name >= 0 { asked.activities.formUnion(places.activities(Int(name))) }
    }
    unsettled.asked = asked
    return unsettled
  }

  private mutating func scope(_ scope: Int32, filledFrom other: Int32) -> Int32 {
    if scope == 0 || scope == other { return other }
    return set.scopes.index(of: set.scopes[scope].filled(from: set.scopes[other]))
  }

  /// Leaves a row that neither id nor token names for later.
  private func leave(_ index: Int32, _ row: PackedRow, _ unsettled: inout Unsettled) {
    guard row.isFolded || row.marks.contains(.decoding), sharedName(of: row) != nil else { return }
    if row.isFolded { unsettled.fanning.append(index) }
    if row.marks.contains(.decoding) { unsettled.failures.append(index) }
  }

  /// What a row without id and token is called.
  func sharedName(of row: PackedRow) -> ActivityName? {
    let channel = set.rows.details(of: row).channel
    if channel >= 0, row.kind != .channel { return .channel(channel) }
    let kind = row.kind
    let keyed = kind.isAct || kind == .stale || kind == .dismiss || kind == .state
    return row.key >= 0 && keyed ? .key(row.key) : nil
  }

  /// I4: names become activities, and every one of them gets its rows. Rows are given in order.
  /// What comes back numbers activities from 0, the first new one.
  @discardableResult
  mutating func gather(_ order: some Collection<Int32>, _ naming: RowNames) -> NamePlaces {
    let first = names.count
    var places = NamePlaces(naming.names.count)
    for index in order {
      let name = naming.ofRow[Int(index)]
      if name >= 0 { places.note(Int(name), scopeOfRow[Int(index)]) }
    }
    for (name, known) in naming.names.enumerated() {
      for scope in places.settle(name, at: names.count - first, set.scopes) {
        names.append(known)
        activityScopes.append(scope)
      }
    }
    places.close(at: names.count - first)
    let (scopeOfRow, scopes, activityScopes) = (scopeOfRow, set.scopes, activityScopes)
    members.append(names.count - first) { take in
      for index in order {
        let name = naming.ofRow[Int(index)]
        if name >= 0 {
          places.forEach(Int(name), scopeOfRow[Int(index)]) { take($0, index) }
        } else if name < -1 {
          let scope = scopes[scopeOfRow[Int(index)]]
          for activity in places.activities(Int(-2 - name))
          where activityScopes[first + activity].agrees(with: scope) {
            take(activity, index)
          }
        }
      }
    }
    return places
  }

  /// A new activity; its rows are indexes in order.
  mutating func addActivity(_ name: ActivityName, _ scope: Scope, rows: [Int32] = []) {
    names.append(name)
    activityScopes.append(scope)
    members.append(rows)
  }

  /// Puts rows that were added to activities into their lists.
  mutating func settleMembers() {
    let set = set
    members.settle { set.precedes($0, $1) }
  }
}

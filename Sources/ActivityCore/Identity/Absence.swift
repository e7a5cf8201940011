/// F7 and F8: evidence that speaks of many activities at once.
extension Resolution {
  /// Which activities every complete inventory leaves out and every refused authorization ends.
  mutating func judgeByAbsence(_ order: [Int32]) {
    let speakers = order.filter { set.rows[Int($0)].marks.contains(.speaksForAll) }
    guard !speakers.isEmpty else { return }
    var byDevice: [Int32: [Int]] = [:]
    for (activity, scope) in activityScopes.enumerated() {
      byDevice[scope.device, default: []].append(activity)
    }
    let recorders = recordersOfActivities()
    for index in speakers {
      let row = set.rows[Int(index)]
      let scope = set.scopes[row.scope]
      let listed = row.kind == .inventory ? listedIDs(behind: index) : []
      let candidates =
        scope.device >= 0 ? byDevice[scope.device] ?? [] : recorders[row.recorder] ?? []
      for activity in candidates where speaks(row, of: activityScopes[activity]) {
        if row.kind == .inventory {
          guard case .activity(let id) = names[activity], !listed.contains(id) else { continue }
          guard speaksFor(row, activity) else { continue }
        }
        verdicts[activity, default: []].append(index)
      }
    }
  }

  /// A person switches Live Activities off for an app, whatever environment it was built for.
  private func speaks(_ row: Row, of activity: Scope) -> Bool {
    var scope = set.scopes[row.scope]
    if row.kind == .authorization { scope.environment = -1 }
    return activity.agrees(with: scope)
  }

  /// By recorder: the activities it has an own row of.
  private func recordersOfActivities() -> [Int32: [Int]] {
    var result: [Int32: [Int]] = [:]
    for (activity, rows) in members.enumerated() {
      var seen: Set<Int32> = []
      for index in rows
      where set.rows[Int(index)].isFolded && !fansOut(set.rows[Int(index)], in: activity) {
        let recorder = set.rows[Int(index)].recorder
        if seen.insert(recorder).inserted { result[recorder, default: []].append(activity) }
      }
    }
    return result
  }

  private func listedIDs(behind inventory: Int32) -> Set<Int32> {
    var ids: Set<Int32> = []
    var next = Int(inventory) + 1
    while next < set.rows.count, set.rows[next].marks.contains(.listed) {
      ids.insert(set.rows[next].activity)
      next += 1
    }
    return ids
  }

  /// Whether an inventory's type, if it names one, is the activity's.
  private func speaksFor(_ inventory: Row, _ activity: Int) -> Bool {
    let type = set.facts[inventory.facts].attributesType
    guard type >= 0 else { return true }
    let stated = members[activity].last { index in
      let row = set.rows[Int(index)]
      return row.isFolded && set.facts[row.facts].attributesType >= 0
        && !fansOut(row, in: activity)
    }
    return stated.map { set.facts[set.rows[Int($0)].facts].attributesType == type } ?? false
  }

  /// F7: the newest token of every activity that was answered 410.
  mutating func findNewestTokens() {
    for (activity, rows) in members.enumerated() {
      guard rows.contains(where: { set.rows[Int($0)].answer == .gone }) else { continue }
      newestTokens[activity] = newestToken(of: activity)?.token ?? -1
    }
  }
}

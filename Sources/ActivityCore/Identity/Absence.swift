/// F7 and F8: evidence that speaks of many activities at once.
extension Resolution {
  /// Which activities every complete inventory leaves out and every refused authorization ends.
  mutating func judgeByAbsence(_ order: RowOrder) {
    let speakers = order.ordered(set.marked.speakers, in: set)
    guard !speakers.isEmpty else { return }
    let byDevice = activitiesByDevice()
    var recorders: [Int32: [Int]]?
    for index in speakers {
      let row = set.rows.packed[Int(index)]
      let scope = set.scopes[row.scope]
      let listed = row.kind == .inventory ? listedIDs(behind: index) : []
      if scope.device >= 0 {
        for activity in byDevice[Int(scope.device)] { judge(Int(activity), row, index, listed) }
      } else {
        let known = recorders ?? recordersOfActivities()
        recorders = known
        for activity in known[row.recorder] ?? [] { judge(activity, row, index, listed) }
      }
    }
  }

  private mutating func judge(
    _ activity: Int, _ row: PackedRow, _ index: Int32, _ listed: Set<Int32>
  ) {
    guard speaks(row, of: activityScopes[activity]) else { return }
    if row.kind == .inventory {
      guard case .activity(let id) = names[activity], !listed.contains(id) else { return }
      guard speaksFor(row, activity) else { return }
    }
    verdicts[activity, default: []].append(index)
  }

  /// By code of a device: the activities on it.
  private func activitiesByDevice() -> MemberLists {
    var byDevice = MemberLists()
    byDevice.append(set.texts.count) { take in
      for (activity, scope) in activityScopes.enumerated() where scope.device >= 0 {
        take(Int(scope.device), Int32(activity))
      }
    }
    return byDevice
  }

  /// A person switches Live Activities off for an app, whatever environment it was built for.
  private func speaks(_ row: PackedRow, of activity: Scope) -> Bool {
    var scope = set.scopes[row.scope]
    if row.kind == .authorization { scope.environment = -1 }
    return activity.agrees(with: scope)
  }

  /// By recorder: the activities it has an own row of.
  private func recordersOfActivities() -> [Int32: [Int]] {
    var result: [Int32: [Int]] = [:]
    for (activity, rows) in members.enumerated() {
      var seen: Set<Int32> = []
      for index in rows {
        let row = set.rows.packed[Int(index)]
        guard row.isFolded, !fansOut(row, in: activity) else { continue }
        if seen.insert(row.recorder).inserted {
          result[row.recorder, default: []].append(activity)
        }
      }
    }
    return result
  }

  private func listedIDs(behind inventory: Int32) -> Set<Int32> {
    var ids: Set<Int32> = []
    var next = Int(inventory) + 1
    while next < set.rows.count, set.rows.packed[next].marks.contains(.listed) {
      ids.insert(set.rows.packed[next].activity)
      next += 1
    }
    return ids
  }

  /// Whether an inventory's type, if it names one, is the activity's.
  private func speaksFor(_ inventory: PackedRow, _ activity: Int) -> Bool {
    let type = set.facts[inventory.facts].attributesType
    guard type >= 0 else { return true }
    let stated = members[activity].last { index in
      let row = set.rows.packed[Int(index)]
      return row.isFolded && set.facts[row.facts].attributesType >= 0
        && !fansOut(row, in: activity)
    }
    return stated.map {
      set.facts[set.rows.packed[Int($0)].facts].attributesType == type
    } ?? false
  }

  /// F7: the newest token of every activity that was answered 410.
  mutating func findNewestTokens() {
    guard set.rows.packed.contains(where: { $0.answer == .gone }) else { return }
    for (activity, rows) in members.enumerated() {
      guard rows.contains(where: { set.rows.packed[Int($0)].answer == .gone }) else { continue }
      newestTokens[activity] = newestToken(of: activity)?.token ?? -1
    }
  }
}

/// I8 and I9: which activities a row reaches by its key or its channel alone.
struct ModelFanOut {
  /// What of an activity decides whether a row reaches it.
  private struct Target {
    var scope: ModelScope
    /// Every key that an own row says, refused or not.
    var keys: Set<String> = []
    /// Where the activity begins, at first and again.
    var beginnings: [ModelRow] = []
    /// The own starts that are not refused.
    var starts: [ModelRow] = []

    init(_ group: ModelGroup, answers: ModelAnswers) {
      scope = group.scope
      var last: Int64?
      for row in group.rows {
        if let key = row.key { keys.insert(key) }
        if answers.isRefused(row) { continue }
        if row.event == "start" { starts.append(row) }
        let isAfterSilence = last.map { row.at - $0 > 24 * ModelTime.hour } ?? true
        if row.event == "start" || isAfterSilence { beginnings.append(row) }
        last = row.at
      }
    }
  }

  /// Activities named by id, token or start, with their own rows.
  private let own: [ModelGroup]
  private let targets: [Target]

  init(_ groups: [ModelGroup], answers: ModelAnswers) {
    own = groups
    targets = groups.map { Target($0, answers: answers) }
  }

  /// The activities with the rows that reach them, and those of the rows that keep their name.
  ///
  /// - Parameters:
  ///   - rows: the folded rows that fan out, in order.
  ///   - failures: may speak of a channel that has an activity of its own.
  func groups(reachedBy rows: [ModelRow], failures: ModelNamedRows) -> [ModelGroup] {
    var groups = own
    var named = failures.failuresOnly()
    /// Rows that reach none.
    var kept: [ModelRow] = []
    for row in rows {
      let reached = targets.indices.filter { reaches(row, targets[$0]) }
      for index in reached {
        var marked = row
        marked.isFanned = true
        groups[index].rows.append(marked)
      }
      if reached.isEmpty { kept.append(row) }
      if reached.isEmpty || isExpected(row, among: kept) {
        named.add(row, ModelScope(row), to: Self.name(row))
      }
    }
    for index in groups.indices { groups[index].rows.sort { $0.precedes($1) } }
    return groups + named.groups()
  }

  /// I1: a row that fans out has no id and no token, and its channel comes before its key.
  private static func name(_ row: ModelRow) -> ModelName {
    if let channel = row.channel { return ModelName(kind: .channel, text: channel) }
    return ModelName(kind: .key, text: row.key ?? "")
  }

  private func reaches(_ row: ModelRow, _ target: Target) -> Bool {
    if target.scope.contradicts(ModelScope(row)) { return false }
    let starts = target.starts.filter { $0.precedes(row) }
    if let channel = row.channel {
      return starts.contains { start in
        guard start.channel == channel || start.inputPushChannel == channel else { return false }
        var from = start.at
        if let date = start.startDate, date > start.at {
          from = min(date, start.at + 30 * ModelTime.day)
        }
        return row.at - from <= 12 * ModelTime.hour
      }
    }
    guard let key = row.key, target.keys.contains(key) else { return false }
    let isNear = target.beginnings.contains { beginning in
      beginning.precedes(row) && row.at - beginning.at <= 12 * ModelTime.hour
    }
    return isNear || starts.contains { ($0.startDate ?? $0.at) > row.at }
  }

  /// I9: whether an activity `key:…` that rows opened by themselves hears this row too.
  private func isExpected(_ row: ModelRow, among kept: [ModelRow]) -> Bool {
    guard row.channel == nil else { return false }
    return kept.contains { earlier in
      earlier.channel == nil && earlier.key == row.key && earlier.event != "end"
        && earlier.event != "alert" && row.at - earlier.at <= 12 * ModelTime.hour
        && !ModelScope(earlier).contradicts(ModelScope(row))
    }
  }
}

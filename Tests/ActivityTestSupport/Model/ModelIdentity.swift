/// A name of I1: what kind of handle gives it, and the handle.
struct ModelName: Hashable {
  enum Kind {
    case id
    case token
    case channel
    case key
    case start
  }

  var kind: Kind
  var text: String

  /// The name as it is printed.
  var printed: String {
    switch kind {
    case .id: text
    case .token: "token:\(text)"
    case .channel: "channel:\(text)"
    case .key: "key:\(text)"
    case .start: "start:\(text)"
    }
  }
}

/// I4: where a row says it is from; nil is unknown and matches everything.
struct ModelScope: Hashable {
  var environment: String?
  var bundleID: String?
  var device: String?

  init(_ row: ModelRow) {
    environment = row.environment
    bundleID = row.bundleID
    device = row.device
  }

  func contradicts(_ other: ModelScope) -> Bool {
    func differ(_ one: String?, _ two: String?) -> Bool {
      if let one, let two { one != two } else { false }
    }
    return differ(environment, other.environment) || differ(bundleID, other.bundleID)
      || differ(device, other.device)
  }

  /// What is absent here taken from the other.
  func filled(from other: ModelScope) -> ModelScope {
    var scope = self
    scope.environment = environment ?? other.environment
    scope.bundleID = bundleID ?? other.bundleID
    scope.device = device ?? other.device
    return scope
  }
}

/// One activity: a name, one set of scopes (I4), and its rows in order.
struct ModelGroup {
  var name: ModelName
  /// The one value of each part that the scopes of the set name, or its claiming start (I7).
  var scope: ModelScope
  /// Its own rows, and marked those that reached it (I8).
  var rows: [ModelRow]
  /// Seqs of `failure` rows that speak of this activity, for `undecodable` (F1).
  var failures: Set<Int64> = []
}

/// Joins, names and activities of the selected rows (I1 to I9).
struct ModelIdentity {
  private let selected: [ModelRow]
  private let answers: ModelAnswers
  /// Token → the first token of its group seen in order; a token not in here is in no `replaces`.
  private var tokenGroup: [String: String] = [:]
  /// First token of a group → its joining rows in order.
  private var joining: [String: [ModelRow]] = [:]

  init(_ selected: [ModelRow], answers: ModelAnswers) {
    self.selected = selected
    self.answers = answers
    uniteTokens()
    for row in selected where row.joins {
      if let token = row.token { joining[group(of: token), default: []].append(row) }
    }
  }

  private func group(of token: String) -> String {
    tokenGroup[token] ?? token
  }

  /// I2 and I3: groups united by `replaces`, each called by the token of it that is seen first.
  ///
  /// A token row of kind `start` or `device` unites nothing: EVENTS 2.2 lets those never join.
  private mutating func uniteTokens() {
    var order: [String] = []
    var members: [String: [String]] = [:]
    func see(_ token: String) {
      if tokenGroup[token] == nil {
        tokenGroup[token] = token
        members[token] = [token]
        order.append(token)
      }
    }
    // A row's own token is seen before the one it replaces.
    for row in selected where row.hasActivityToken {
      if let token = row.token { see(token) }
      if row.event == "token", let replaced = row.replaces { see(replaced) }
    }
    for row in selected where row.event == "token" && row.hasActivityToken {
      guard let token = row.token, let replaced = row.replaces else { continue }
      let one = group(of: token)
      let two = group(of: replaced)
      guard one != two else { continue }
      let first = order.first { $0 == one || $0 == two } ?? one
      let other = first == one ? two : one
      for moved in members[other] ?? [] { tokenGroup[moved] = first }
      members[first, default: []] += members.removeValue(forKey: other) ?? []
    }
  }

  /// I1 and I3: the name of a row and its scope, nil if it has no name.
  private func place(_ row: ModelRow) -> (name: ModelName, scope: ModelScope)? {
    let scope = ModelScope(row)
    if let id = row.activityID { return (ModelName(kind: .id, text: id), scope) }
    if let token = row.token {
      if row.event == "start" { return (ModelName(kind: .start, text: "\(row.seq)"), scope) }
      if !row.hasActivityToken, row.event == "token" { return nil }
      let group = group(of: token)
      let joins = joining[group] ?? []
      if let join = joins.last(where: { !row.precedes($0) }) ?? joins.first {
        let name = ModelName(kind: .id, text: join.activityID ?? "")
        return (name, scope.filled(from: ModelScope(join)))  // I4
      }
      let hex = group.hasPrefix("sha256:") ? String(group.dropFirst(7)) : group
      return (ModelName(kind: .token, text: String(hex.prefix(12))), scope)
    }
    if let channel = row.channel { return (ModelName(kind: .channel, text: channel), scope) }
    if row.isFolded, row.event != "token", let key = row.key {
      return (ModelName(kind: .key, text: key), scope)
    }
    return nil
  }

  /// Every activity: rows by name (I4), then starts that claim (I7), then rows that reach (I8, I9).
  func groups() -> [ModelGroup] {
    var named = ModelNamedRows()
    var starts: [ModelRow] = []
    var fanning: [ModelRow] = []
    for row in selected {
      if row.event == "inventory" {
        for entry in row.entries {
          let row = ModelRow(entry: entry, of: row)
          if let place = place(row) { named.add(row, place.scope, to: place.name) }
        }
      }
      guard let place = place(row) else { continue }
      if row.event == "failure" { named.addFailure(row, place.scope, to: place.name) }
      guard row.isFolded else { continue }
      switch place.name.kind {
      case .id, .token: named.add(row, place.scope, to: place.name)
      case .start: starts.append(row)
      case .key, .channel: fanning.append(row)
      }
    }
    let groups = ModelClaims(selected, answers: answers).claim(named.groups(), by: starts)
    return ModelFanOut(groups, answers: answers).groups(reachedBy: fanning, failures: named)
  }
}

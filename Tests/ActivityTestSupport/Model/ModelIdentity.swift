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

/// One activity of I4: a name, one set of scopes, and its folded rows in order.
struct ModelGroup {
  var name: ModelName
  /// The one value of each part that the scopes of the set name.
  var scope: ModelScope
  var rows: [ModelRow]
  /// Seqs of `failure` rows that speak of this activity, for `undecodable` (F1).
  var failures: Set<Int64> = []
}

/// Joins and names among the selected rows (I1 to I4).
struct ModelIdentity {
  private let selected: [ModelRow]
  /// Token → the first token of its group seen in order; a token not in here is in no `replaces`.
  private var tokenGroup: [String: String] = [:]
  /// First token of a group → its joining rows in order.
  private var joining: [String: [ModelRow]] = [:]

  init(_ selected: [ModelRow]) {
    self.selected = selected
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

  /// Every activity with its folded rows (R5, I4), names in order of first appearance.
  func groups() -> [ModelGroup] {
    var names: [ModelName] = []
    var placed: [ModelName: [(row: ModelRow, scope: ModelScope)]] = [:]
    var failures: [ModelName: [(row: ModelRow, scope: ModelScope)]] = [:]
    func add(_ row: ModelRow) {
      guard let place = place(row) else { return }
      if row.event == "failure" {
        failures[place.name, default: []].append((row, place.scope))
        return
      }
      if placed[place.name] == nil { names.append(place.name) }
      placed[place.name, default: []].append((row, place.scope))
    }
    for row in selected {
      if row.isFolded || row.event == "failure" { add(row) }
      if row.event == "inventory" {
        for entry in row.entries { add(ModelRow(entry: entry, of: row)) }
      }
    }
    return names.flatMap { name in
      sets(name: name, of: placed[name] ?? [], failures: failures[name] ?? [])
    }
  }

  /// I4: one activity for each maximal set of scopes without a contradiction. Only folded rows make
  /// scopes: what moves no activity cannot make another one of it.
  private func sets(
    name: ModelName, of placed: [(row: ModelRow, scope: ModelScope)],
    failures: [(row: ModelRow, scope: ModelScope)]
  ) -> [ModelGroup] {
    var scopes: [ModelScope] = []
    for item in placed where !scopes.contains(item.scope) { scopes.append(item.scope) }
    return maximalSets(chosen: [], candidates: scopes, excluded: []).map { set in
      let union = set.dropFirst().reduce(set[0]) { $0.filled(from: $1) }
      let rows = placed.filter { set.contains($0.scope) }.map(\.row)
      let spoken = failures.filter { !$0.scope.contradicts(union) }.map(\.row.seq)
      return ModelGroup(name: name, scope: union, rows: rows, failures: Set(spoken))
    }
  }

  /// Bron and Kerbosch without tricks: every set that cannot grow.
  private func maximalSets(
    chosen: [ModelScope], candidates: [ModelScope], excluded: [ModelScope]
  ) -> [[ModelScope]] {
    if candidates.isEmpty { return excluded.isEmpty ? [chosen] : [] }
    var candidates = candidates
    var excluded = excluded
    var result: [[ModelScope]] = []
    while let scope = candidates.first {
      candidates.removeFirst()
      result += maximalSets(
        chosen: chosen + [scope],
        candidates: candidates.filter { !$0.contradicts(scope) },
        excluded: excluded.filter { !$0.contradicts(scope) })
      excluded.append(scope)
    }
    return result
  }
}

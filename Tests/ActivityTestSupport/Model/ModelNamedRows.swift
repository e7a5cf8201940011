/// Rows under their names, and the activities of each name (I4).
struct ModelNamedRows {
  /// In order of first appearance.
  private var names: [ModelName] = []
  private var placed: [ModelName: [(row: ModelRow, scope: ModelScope)]] = [:]
  private var failures: [ModelName: [(row: ModelRow, scope: ModelScope)]] = [:]

  mutating func add(_ row: ModelRow, _ scope: ModelScope, to name: ModelName) {
    if placed[name] == nil { names.append(name) }
    placed[name, default: []].append((row, scope))
  }

  /// A failure makes no activity, but may speak of one (F1).
  mutating func addFailure(_ row: ModelRow, _ scope: ModelScope, to name: ModelName) {
    failures[name, default: []].append((row, scope))
  }

  /// The same failures without any row.
  func failuresOnly() -> ModelNamedRows {
    var rest = ModelNamedRows()
    rest.failures = failures
    return rest
  }

  func groups() -> [ModelGroup] {
    names.flatMap { name in
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

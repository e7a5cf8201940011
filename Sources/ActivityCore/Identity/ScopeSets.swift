/// I4: the activities of one name, as maximal sets of its scopes that do not contradict.
package enum ScopeSets {
  /// A name with more distinct scopes than this is not searched for sets: each scope is then an
  /// activity of its own, which bounds the work that hostile input can ask for.
  package static let scopesMax = 64

  /// For every set: the indexes of its scopes, in order of their first scope.
  package static func sets(of scopes: [Scope]) -> [[Int]] {
    if scopes.count <= 1 { return scopes.isEmpty ? [] : [[0]] }
    guard scopes.count <= scopesMax else { return scopes.indices.map { [$0] } }
    if agree(scopes) { return [Array(scopes.indices)] }
    // Pairwise agreement is agreement of all, since each part takes one value; so every set is
    // what agrees with one combination of stated values.
    var found: Set<[Int]> = []
    for seed in combinations(scopes) {
      found.insert(scopes.indices.filter { scopes[$0].agrees(with: seed) })
    }
    let maximal = found.filter { set in
      !found.contains { other in other.count > set.count && Set(set).isSubset(of: other) }
    }
    return maximal.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether no two contradict: pairwise agreement is agreement of all.
  private static func agree(_ scopes: [Scope]) -> Bool {
    var all = Scope()
    for scope in scopes {
      guard scope.agrees(with: all) else { return false }
      all = all.filled(from: scope)
    }
    return true
  }

  /// Every merge of scopes that agree, one scope at a time.
  private static func combinations(_ scopes: [Scope]) -> Set<Scope> {
    var merged: Set<Scope> = []
    for scope in scopes {
      var grown: Set<Scope> = [scope]
      for other in merged where other.agrees(with: scope) {
        grown.insert(other.filled(from: scope))
      }
      merged.formUnion(grown)
    }
    // A combination that can still take in a scope is not complete.
    return merged.filter { combination in
      scopes.allSatisfy {
        !$0.agrees(with: combination) || combination.filled(from: $0) == combination
      }
    }
  }
}

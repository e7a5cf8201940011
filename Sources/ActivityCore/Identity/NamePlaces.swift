/// I4: which activities the rows of one name belong to, by the scope of each row.
struct NamePlaces {
  /// By name: the scope of its first row, −1 for none.
  private var scopeOf: [Int32]
  /// By name: its other scopes, in order of their first rows.
  private var others: [Int: [Int32]] = [:]
  /// By name: its first activity; one number more than there are names.
  private var first: [Int32] = []
  /// Names with several activities: by scope, which of them.
  private var several: [Int: [Int32: [Int]]] = [:]

  init(_ names: Int) {
    scopeOf = [Int32](repeating: -1, count: names)
    first.reserveCapacity(names + 1)
  }

  /// A folded row of a name.
  mutating func note(_ name: Int, _ scope: Int32) {
    if scopeOf[name] == scope { return }
    if scopeOf[name] < 0 {
      scopeOf[name] = scope
    } else if others[name]?.contains(scope) != true {
      others[name, default: []].append(scope)
    }
  }

  /// The scopes of a name's activities, whose numbers begin at `number`. Names are asked for in
  /// their order, each once.
  mutating func settle(_ name: Int, at number: Int, _ scopes: Interned<Scope>) -> [Scope] {
    first.append(Int32(number))
    guard scopeOf[name] >= 0 else { return [] }
    guard let others = others[name] else { return [scopes[scopeOf[name]]] }
    let indexes = [scopeOf[name]] + others
    let known = indexes.map { scopes[$0] }
    let sets = ScopeSets.sets(of: known)
    if sets.count > 1 {
      for (place, group) in sets.enumerated() {
        for scope in group {
          several[name, default: [:]][indexes[scope], default: []].append(number + place)
        }
      }
    }
    return sets.map { $0.reduce(Scope()) { $0.filled(from: known[$1]) } }
  }

  /// Ends the numbering of activities.
  mutating func close(at number: Int) { first.append(Int32(number)) }

  /// All activities of a name.
  func activities(_ name: Int) -> Range<Int> { Int(first[name])..<Int(first[name + 1]) }

  /// The activities of a name that rows of a scope belong to.
  @inline(__always)
  func forEach(_ name: Int, _ scope: Int32, _ take: (Int) -> Void) {
    if first[name + 1] - first[name] == 1 { return take(Int(first[name])) }
    for activity in several[name]?[scope] ?? [] { take(activity) }
  }
}

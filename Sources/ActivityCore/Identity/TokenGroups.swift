/// I2 and I3: which tokens are one, and which activity-id each belongs to, row by row.
struct TokenGroups {
  /// Union-find over token codes; empty where nothing is replaced.
  private var parent: [Int32] = []
  /// The id and the scope that a row joins a token to.
  struct Join: Equatable {
    /// Code of the id; −1 for none, −2 where the rows of a group do not all say the same.
    var activity: Int32
    var scope: Int32
  }

  /// By group: what its rows join it to.
  private var joinOf: [Join]
  /// Groups of the last kind: their joining rows, in order.
  private var joins: [Int32: [Int32]] = [:]
  /// By group: the token seen first, −1 while none was; empty where nothing is replaced.
  private var first: [Int32] = []
  /// By row: the token it replaces.
  private var replaced: [Int32: Int32] = [:]

  init(_ set: RowSet, _ order: RowOrder) {
    joinOf = [Join](repeating: Join(activity: -1, scope: 0), count: set.texts.count)
    if !set.replacements.isEmpty { unite(set) }
    var differing: Set<Int32> = []
    for index in set.marked.joins {
      let row = set.rows.packed[Int(index)]
      let group = group(row.token)
      let join = Join(activity: row.activity, scope: row.scope)
      let known = joinOf[Int(group)]
      if known.activity == -1 {
        joinOf[Int(group)] = join
      } else if known.activity >= 0, known != join {
        joinOf[Int(group)].activity = -2
        differing.insert(group)
      }
    }
    guard !differing.isEmpty else { return }
    for index in order.ordered(set.marked.joins, in: set) {
      let group = group(set.rows.packed[Int(index)].token)
      if differing.contains(group) { joins[group, default: []].append(index) }
    }
  }

  private mutating func unite(_ set: RowSet) {
    parent = (0..<set.texts.count).map { Int32($0) }
    for replacement in set.replacements {
      let token = set.rows.packed[Int(replacement.row)].token
      if replaced[replacement.row] == nil { replaced[replacement.row] = replacement.replaced }
      guard token >= 0, replacement.replaced >= 0 else { continue }
      let (one, other) = (root(token), root(replacement.replaced))
      guard one != other else { continue }
      parent[Int(max(one, other))] = min(one, other)
    }
    // A parent is never above its child, so one pass leads every token straight to its group.
    for token in parent.indices { parent[token] = parent[Int(parent[token])] }
    first = [Int32](repeating: -1, count: parent.count)
  }

  private func group(_ token: Int32) -> Int32 { parent.isEmpty ? token : parent[Int(token)] }

  /// The group of a token while groups still grow.
  private mutating func root(_ token: Int32) -> Int32 {
    var token = token
    while parent[Int(token)] != token {
      parent[Int(token)] = parent[Int(parent[Int(token)])]
      token = parent[Int(token)]
    }
    return token
  }

  /// Takes note of the tokens a row shows; rows are shown in order, each before it asks for a name.
  mutating func see(_ row: PackedRow, _ index: Int32) {
    guard !parent.isEmpty else { return }
    if row.marks.contains(.joins) { note(row.token) }
    if row.kind == .token, let old = replaced[index], old >= 0 { note(old) }
  }

  private mutating func note(_ token: Int32) {
    let group = group(token)
    if first[Int(group)] < 0 { first[Int(group)] = token }
  }

  /// What joins an id-less row with a token to an id; nil when nothing does.
  func join(of row: PackedRow, in set: RowSet) -> Join? {
    let group = group(row.token)
    let known = joinOf[Int(group)]
    if known.activity >= 0 { return known }
    guard known.activity == -2, let joins = joins[group] else { return nil }
    var low = 0
    var high = joins.count
    while low < high {
      let middle = (low + high) / 2
      let isLater = row.precedes(set.rows.packed[Int(joins[middle])])
      if isLater { high = middle } else { low = middle + 1 }
    }
    let join = set.rows.packed[Int(joins[max(low - 1, 0)])]
    return Join(activity: join.activity, scope: join.scope)
  }

  /// The token that names the group of a token no id is known for.
  func name(of token: Int32) -> Int32 {
    guard !parent.isEmpty else { return token }
    let first = first[Int(group(token))]
    return first < 0 ? token : first
  }
}

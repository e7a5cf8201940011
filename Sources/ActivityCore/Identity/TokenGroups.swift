/// I2 and I3: which tokens are one, and which activity-id each belongs to, row by row.
package struct TokenGroups {
  /// Union-find over token codes; a token that nothing replaces is its own group.
  private var parent: [Int32: Int32] = [:]
  /// By group: its joining rows, in order.
  private var joins: [Int32: [Int32]] = [:]
  /// By group: the token seen first, and the row that shows it.
  private var first: [Int32: (token: Int32, row: Int32)] = [:]

  /// Rows must be the selected ones; `order` are their indexes by (`at`, `seq`).
  package init(_ set: RowSet, order: [Int32]) {
    for replacement in set.replacements {
      let row = set.rows[Int(replacement.row)]
      if row.token >= 0, replacement.replaced >= 0 { unite(row.token, replacement.replaced) }
    }
    let replaced = Dictionary(
      set.replacements.map { ($0.row, $0.replaced) }, uniquingKeysWith: { first, _ in first })
    for index in order {
      let row = set.rows[Int(index)]
      guard row.token >= 0 else { continue }
      if row.marks.contains(.joins) {
        let group = group(row.token)
        if first[group] == nil { first[group] = (row.token, index) }
        if row.activity >= 0 { joins[group, default: []].append(index) }
      }
      if let old = replaced[index], old >= 0 {
        let group = group(old)
        if first[group] == nil { first[group] = (old, index) }
      }
    }
  }

  private func group(_ token: Int32) -> Int32 {
    var token = token
    while let up = parent[token], up != token { token = up }
    return token
  }

  private mutating func unite(_ a: Int32, _ b: Int32) {
    let (a, b) = (group(a), group(b))
    guard a != b else { return }
    parent[max(a, b)] = min(a, b)
  }

  /// The joining row that an id-less row with a token belongs to, else nil.
  package func join(of row: Row, in rows: [Row]) -> Row? {
    guard let joins = joins[group(row.token)], let first = joins.first else { return nil }
    var low = 0
    var high = joins.count
    while low < high {
      let middle = (low + high) / 2
      if row.precedes(rows[Int(joins[middle])]) { high = middle } else { low = middle + 1 }
    }
    return rows[Int(low == 0 ? first : joins[low - 1])]
  }

  /// The token that names the group of a token no id is known for.
  package func name(of token: Int32) -> Int32 { first[group(token)]?.token ?? token }
}

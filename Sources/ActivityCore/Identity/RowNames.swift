/// The names of rows, numbered by first appearance.
struct RowNames {
  private(set) var names: [ActivityName] = []
  /// By row: the number of its name for folded rows, −2 − number for decode failures, else −1.
  private(set) var ofRow: [Int32]
  /// By code of an id, and of a token: the number of the name, −1 for none.
  private var ofActivity: [Int32]
  private var ofToken: [Int32]
  private var others: [ActivityName: Int32] = [:]

  init(_ set: RowSet) {
    ofRow = [Int32](repeating: -1, count: set.rows.count)
    ofActivity = [Int32](repeating: -1, count: set.texts.count)
    ofToken = ofActivity
  }

  mutating func name(_ index: Int32, _ row: PackedRow, activity id: Int32) {
    if ofActivity[Int(id)] < 0 { ofActivity[Int(id)] = add(.activity(id)) }
    tie(index, row, to: ofActivity[Int(id)])
  }

  mutating func name(_ index: Int32, _ row: PackedRow, token: Int32) {
    if ofToken[Int(token)] < 0 { ofToken[Int(token)] = add(.token(token)) }
    tie(index, row, to: ofToken[Int(token)])
  }

  mutating func name(_ index: Int32, _ row: PackedRow, _ name: ActivityName) {
    let number = others[name] ?? add(name)
    others[name] = number
    tie(index, row, to: number)
  }

  private mutating func add(_ name: ActivityName) -> Int32 {
    names.append(name)
    return Int32(names.count - 1)
  }

  private mutating func tie(_ index: Int32, _ row: PackedRow, to number: Int32) {
    if row.isFolded {
      ofRow[Int(index)] = number
    } else if row.marks.contains(.decoding) {
      ofRow[Int(index)] = -2 - number
    }
  }
}

/// Indexes of rows by (`at`, `seq`). Logs are nearly in order: rows that lie in order take no
/// memory, and of the others only those that come late are sorted.
struct RowOrder: RandomAccessCollection {
  /// nil where the rows lie in order.
  private let sorted: [Int32]?
  let count: Int

  init(_ set: RowSet) {
    count = set.rows.count
    if set.marked.isOrdered {
      sorted = nil
    } else if set.marked.seqsRise {
      sorted = RowOrder.merged(set.rows.packed)
    } else {
      // An inventory's entries share its (at, seq): the index keeps them behind it.
      let rows = set.rows.packed
      sorted = rows.indices.map { Int32($0) }.sorted {
        let (a, b) = (rows[Int($0)], rows[Int($1)])
        return (a.at, a.seq, $0) < (b.at, b.seq, $1)
      }
    }
  }

  /// A row that lies behind one that happened later.
  private struct Late {
    var at: Int64
    var index: Int32
  }

  /// Rows whose seqs rise, by (`at`, index): the late ones, sorted, between the others.
  private static func merged(_ rows: [PackedRow]) -> [Int32] {
    var punctual: [Int32] = []
    var late: [Late] = []
    punctual.reserveCapacity(rows.count)
    var latest = Int64.min
    for (index, row) in rows.enumerated() {
      if row.at < latest {
        late.append(Late(at: row.at, index: Int32(index)))
      } else {
        latest = row.at
        punctual.append(Int32(index))
      }
    }
    late.sort { $0.at != $1.at ? $0.at < $1.at : $0.index < $1.index }
    var order: [Int32] = []
    order.reserveCapacity(rows.count)
    var next = 0
    for index in punctual {
      let at = rows[Int(index)].at
      while next < late.count, late[next].at < at || late[next].at == at && late[next].index < index
      {
        order.append(late[next].index)
        next += 1
      }
      order.append(index)
    }
    for row in late[next...] { order.append(row.index) }
    return order
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(place: Int) -> Int32 {
    if let sorted { sorted[place] } else { Int32(truncatingIfNeeded: place) }
  }

  /// Some of the rows, given as they lie, in order.
  func ordered(_ indexes: [Int32], in set: RowSet) -> [Int32] {
    guard sorted != nil else { return indexes }
    return indexes.sorted { set.precedes($0, $1) }
  }
}

extension RowSet {
  /// The one order of rows; an inventory's entries share its (`at`, `seq`) and follow it.
  func precedes(_ one: Int32, _ other: Int32) -> Bool {
    let (a, b) = (rows.packed[Int(one)], rows.packed[Int(other)])
    return (a.at, a.seq, one) < (b.at, b.seq, other)
  }
}

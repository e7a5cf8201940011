internal import ActivityCore
internal import ActivityStore

/// Which rows of a batch bring an id that an earlier one of them brought, and whether they say the
/// same.
struct BatchRepeats {
  /// Rows without an id, and the first row of each id, in their order.
  private(set) var firsts: [Int] = []
  /// Repeats with the content of their first.
  private(set) var equal: [(row: Int, first: Int)] = []
  /// Repeats with other content.
  private(set) var different: [(row: Int, first: Int)] = []

  init(_ batch: EventColumns, rows: [Int]) {
    let ids = batch[.id]
    guard !ids.isEmpty else {
      firsts = rows
      return
    }
    var seen = TextTable()
    var places: [Int] = []
    var lines: PlainLines?
    for row in rows {
      guard ids[row] != EventColumns.absent else {
        firsts.append(row)
        continue
      }
      let code = seen.intern(batch.texts[Int(ids[row])])
      guard code < places.count else {
        places.append(row)
        firsts.append(row)
        continue
      }
      let own = lines ?? PlainLines(batch)
      lines = own
      let first = places[code]
      if let line = own.line(row), line == own.line(first) {
        equal.append((row, first))
      } else {
        different.append((row, first))
      }
    }
  }
}

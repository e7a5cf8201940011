internal import ActivityCore

/// When the work behind each key was opened, finished and cancelled.
struct Works: Sendable {
  private var rows: [RowSet.WorkRow] = []
  /// By key's code: where its rows begin; one number more than there are codes, none without work.
  private var starts: [Int32] = []
  private var open: Int32 = -1
  private var finished: Set<Int32> = []

  init(_ set: RowSet) {
    for word in ["finished", "cancelled"] {
      if let code = set.texts.code(of: word.utf8) { finished.insert(Int32(code)) }
    }
    open = set.texts.code(of: "open".utf8).map { Int32($0) } ?? -1
    let keyed = set.works.filter { $0.key >= 0 }
    guard !keyed.isEmpty else { return }
    rows = keyed
    starts = Groups.sort(&rows, count: set.texts.count) { Int($0.key) }
    for key in 0..<set.texts.count where starts[key + 1] - starts[key] > 1 {
      let range = Int(starts[key])..<Int(starts[key + 1])
      if !zip(rows[range], rows[range].dropFirst()).allSatisfy({ Works.precedes($0, $1) }) {
        rows[range].sort { Works.precedes($0, $1) }
      }
    }
  }

  private static func precedes(_ a: RowSet.WorkRow, _ b: RowSet.WorkRow) -> Bool {
    (a.at, a.seq) < (b.at, b.seq)
  }

  /// The rows of a key, in order.
  private func rows(of key: Int32) -> ArraySlice<RowSet.WorkRow> {
    guard key >= 0, !starts.isEmpty else { return [] }
    return rows[Int(starts[Int(key)])..<Int(starts[Int(key) + 1])]
  }

  /// When work was finished or cancelled; a later `open` takes it back.
  func finish(of key: Int32, from: Int64, until: Int64) -> Int64? {
    var done: Int64?
    for row in rows(of: key) {
      guard row.at <= until else { break }
      if row.outcome == open { done = nil }
      if finished.contains(row.outcome), done == nil, row.at >= from { done = row.at }
    }
    return done
  }

  /// Whether work of a key was still going on at an instant: as its last row by then says, or its
  /// end between then and another instant.
  func isOpen(_ key: Int32, at limit: Int64, finishedBy latest: Int64) -> Bool {
    let rows = rows(of: key)
    if let last = rows.last(where: { $0.at <= limit }) { return !finished.contains(last.outcome) }
    return rows.contains { $0.at > limit && $0.at <= latest && finished.contains($0.outcome) }
  }
}

/// Sorting by small whole numbers.
enum Groups {
  /// Puts elements in order of a number below `count`, those of one number in the order they were
  /// in; returns where each number's begin, and behind it where the last one's end.
  static func sort<Element>(
    _ elements: inout [Element], count: Int, by number: (Element) -> Int
  ) -> [Int32] {
    var starts = [Int32](repeating: 0, count: count + 1)
    for element in elements { starts[number(element) + 1] += 1 }
    for place in 0..<count { starts[place + 1] += starts[place] }
    var next = starts
    var order = [Int32](repeating: 0, count: elements.count)
    for (index, element) in elements.enumerated() {
      let group = number(element)
      order[Int(next[group])] = Int32(index)
      next[group] += 1
    }
    let unsorted = elements
    for (place, index) in order.enumerated() { elements[place] = unsorted[Int(index)] }
    return starts
  }
}

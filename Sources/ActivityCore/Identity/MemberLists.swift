/// The rows of every activity, one list behind the other in one array.
package struct MemberLists: RandomAccessCollection, Sendable {
  /// By activity: where its rows begin; one number more than there are activities.
  private var starts: [Int] = [0]
  private var rows: [Int32] = []
  /// Rows that were added to activities and are not yet in their lists.
  private var waiting: [Int: [Int32]] = [:]

  package init() {}

  package var startIndex: Int { 0 }
  package var endIndex: Int { starts.count - 1 }

  package subscript(activity: Int) -> ArraySlice<Int32> {
    rows[starts[activity]..<starts[activity + 1]]
  }

  /// Where the list of an activity lies among all lists.
  func places(of activity: Int) -> Range<Int> { starts[activity]..<starts[activity + 1] }

  /// How long all lists are together.
  var placeCount: Int { rows.count }

  /// The rows at some places of the lists.
  func indexes(_ places: Range<Int>) -> ArraySlice<Int32> { rows[places] }

  /// A new activity with its rows.
  mutating func append(_ list: [Int32]) {
    rows.append(contentsOf: list)
    starts.append(rows.count)
  }

  /// So many new activities. `place` hands every (activity, row) over, in the order their lists
  /// have in the end; it is called twice, first to count. Activities count from the first new one.
  @inline(__always)
  mutating func append(_ count: Int, _ place: (_ take: (Int, Int32) -> Void) -> Void) {
    let first = starts.count - 1
    var next = [Int](repeating: 0, count: count + 1)
    place { activity, _ in next[activity + 1] += 1 }
    next[0] = rows.count
    for activity in 0..<count {
      next[activity + 1] += next[activity]
      starts.append(next[activity + 1])
    }
    rows.append(contentsOf: repeatElement(-1, count: starts[first + count] - rows.count))
    place { activity, row in
      rows[next[activity]] = row
      next[activity] += 1
    }
  }

  /// Gives an activity more rows, by index in order; `settle` puts them into its list.
  mutating func add(_ added: [Int32], to activity: Int) {
    waiting[activity, default: []] += added
  }

  /// Puts what was added between what was there, in order.
  mutating func settle(_ precedes: (Int32, Int32) -> Bool) {
    guard !waiting.isEmpty else { return }
    let former = self
    var all: [Int32] = []
    all.reserveCapacity(rows.count + waiting.values.reduce(0) { $0 + $1.count })
    for activity in former.indices {
      if let added = former.waiting[activity] {
        MemberLists.merge(former[activity], added, into: &all, precedes)
      } else {
        all.append(contentsOf: former[activity])
      }
      starts[activity + 1] = all.count
    }
    rows = all
    waiting = [:]
  }

  /// Two lists of rows in order as one.
  static func merge(
    _ one: some Sequence<Int32>, _ other: [Int32], into all: inout [Int32],
    _ precedes: (Int32, Int32) -> Bool
  ) {
    var next = 0
    for index in one {
      while next < other.count, precedes(other[next], index) {
        all.append(other[next])
        next += 1
      }
      all.append(index)
    }
    all.append(contentsOf: other[next...])
  }
}

/// A stretch of the members' lists with its rows at hand.
struct NearRows {
  private static let countMax = 1024

  /// Whether nothing behind the activity asked for is wanted.
  var isForOne = false
  private(set) var places = 0..<0
  private var indexes: [Int32] = []
  private var rows: [PackedRow] = []
  private var pushes: [PushID] = []

  subscript(place: Int) -> (Int32, PackedRow) {
    (indexes[place - places.lowerBound], rows[place - places.lowerBound])
  }

  func push(_ place: Int) -> PushID {
    pushes.isEmpty ? .none : pushes[place - places.lowerBound]
  }

  /// Fetches the rows from a place on.
  mutating func fetch(
    _ place: Int, _ wanted: Range<Int>, _ members: MemberLists, _ list: RowList
  ) {
    let end = isForOne ? wanted.upperBound : members.placeCount
    places = place..<min(end, place + NearRows.countMax)
    indexes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    pushes.removeAll(keepingCapacity: true)
    let slice = members.indexes(places)
    indexes.append(contentsOf: slice)
    for index in slice { rows.append(list.packed[Int(index)]) }
    guard !list.pushes.isEmpty else { return }
    for index in slice { pushes.append(list.pushes[Int(index)]) }
  }
}

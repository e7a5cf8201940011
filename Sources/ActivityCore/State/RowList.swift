/// The rows of a set by index, in the order of the log.
///
/// Kept packed, 64 bytes and an `apns-id` each; a whole `Row` is put together for who asks for one.
package struct RowList: RandomAccessCollection, MutableCollection, Sendable {
  package internal(set) var packed: [PackedRow] = []
  /// By index; empty while no row has one.
  package internal(set) var pushes: [PushID] = []
  package internal(set) var details = Interned(empty: RowDetails())

  package var startIndex: Int { 0 }
  package var endIndex: Int { packed.count }

  /// The `apns-id` of a row.
  @inlinable package func push(_ index: Int32) -> PushID {
    pushes.isEmpty ? .none : pushes[Int(index)]
  }

  /// The seq of a row.
  func seq(_ index: Int32) -> Int64 { packed[Int(index)].seq }

  /// What a row says beside what every row does.
  @inlinable package func details(of row: PackedRow) -> RowDetails { details[row.details] }

  package subscript(index: Int) -> Row {
    get { Row(packed[index], details[packed[index].details], push: push(Int32(index))) }
    set {
      packed[index] = newValue.packed
      packed[index].details = details.index(of: newValue.details)
      if !pushes.isEmpty || newValue.push != .none {
        fillPushes(upTo: packed.count)
        pushes[index] = newValue.push
      }
    }
  }

  /// Gives the first rows an `apns-id`, none where they have none.
  mutating func fillPushes(upTo count: Int) {
    guard pushes.count < count else { return }
    pushes.reserveCapacity(packed.capacity)
    pushes.append(contentsOf: repeatElement(.none, count: count - pushes.count))
  }

  /// Makes room for so many more rows, so that few big ones are ever copied.
  mutating func reserve(_ more: Int) {
    let needed = packed.count + more
    guard needed > packed.capacity else { return }
    let room = Swift.max(needed, packed.count + packed.count / 2)
    packed.reserveCapacity(room)
    if !pushes.isEmpty { pushes.reserveCapacity(room) }
  }
}

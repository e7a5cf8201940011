package import ActivityCore

/// Compares two readings of the same rows, however they are cut into batches: every column, every
/// word, every byte of payload.
package struct RowComparison {
  private var left = Side()
  private var right = Side()
  /// By code of the left batch's texts, the code of the right one's that was found equal.
  private var equals: [Int32] = []
  /// The seq of a row near which the readings first differ.
  package private(set) var difference: Int64?

  package init() {}

  /// A batch, and how far it was compared.
  private struct Side {
    var batch = EventColumns()
    var lines = PayloadLines(EventColumns())
    var row = 0
    var entry = 0

    var rest: Int { batch.count - row }
    var seq: Int64 { batch.firstSeq + Int64(row) }

    init() {}

    init(_ batch: EventColumns) {
      self.batch = batch
      lines = PayloadLines(batch)
    }

    /// The bytes of the next rows, line ends and all; nil where they are not there.
    func bytes(_ count: Int) -> ArraySlice<UInt8>? {
      guard let first = lines[row], let last = lines[row + count - 1] else { return nil }
      return lines.bytes[first.lowerBound...last.upperBound]
    }

    /// Inventory entries of the next rows.
    mutating func entries(_ count: Int) -> ArraySlice<EventColumns.InventoryEntry> {
      let first = entry
      while entry < batch.inventory.count, Int(batch.inventory[entry].row) < row + count {
        entry += 1
      }
      return batch.inventory[first..<entry]
    }
  }

  package var needsLeft: Bool { left.rest == 0 }
  package var needsRight: Bool { right.rest == 0 }

  package mutating func setLeft(_ batch: EventColumns) {
    left = Side(batch)
    forgetCodes()
  }

  package mutating func setRight(_ batch: EventColumns) {
    right = Side(batch)
    forgetCodes()
  }

  /// Compares the rows that both sides have; false where they differ.
  package mutating func step() -> Bool {
    let count = min(left.rest, right.rest)
    guard left.seq == right.seq, count > 0, areEqual(count) else {
      difference = min(left.seq, right.seq)
      return false
    }
    left.row += count
    right.row += count
    return true
  }

  private mutating func forgetCodes() {
    equals = [Int32](repeating: -1, count: left.batch.texts.count)
  }

  private mutating func areEqual(_ count: Int) -> Bool {
    let (own, other) = (left.row..<(left.row + count), right.row..<(right.row + count))
    let (one, two) = (left.batch, right.batch)
    guard one.kind[own] == two.kind[other], one.flags[own] == two.flags[other],
      one.subject[own] == two.subject[other], one.at[own] == two.at[other],
      one.recordedAt[own] == two.recordedAt[other], haveEqualEntries(count)
    else { return false }
    for member in Member.allCases {
      guard areEqual(member, one[member], own, two[member], other) else { return false }
    }
    guard let bytes = left.bytes(count), let others = right.bytes(count) else { return false }
    return bytes == others
  }

  private mutating func areEqual(
    _ member: Member, _ one: [Int64], _ own: Range<Int>, _ two: [Int64], _ other: Range<Int>
  ) -> Bool {
    if one.isEmpty { return two.isEmpty || two[other].allSatisfy { $0 == EventColumns.absent } }
    if two.isEmpty { return one[own].allSatisfy { $0 == EventColumns.absent } }
    switch member.storage {
    case .seconds, .whole, .flag, .size, .handle: return one[own] == two[other]
    case .word:
      for (first, second) in zip(one[own], two[other]) where !sameWord(first, second) {
        return false
      }
      return true
    case .text:
      return zip(one[own], two[other]).allSatisfy { first, second in
        first == EventColumns.absent || second == EventColumns.absent
          ? first == second : isSameText(first, second)
      }
    }
  }

  private mutating func sameWord(_ first: Int64, _ second: Int64) -> Bool {
    guard first >= 0, second >= 0 else { return first == second }
    if Int64(equals[Int(first)]) == second { return true }
    guard isSameText(first, second) else { return false }
    equals[Int(first)] = Int32(second)
    return true
  }

  private func isSameText(_ first: Int64, _ second: Int64) -> Bool {
    left.batch.texts.isEqual(Int(first), right.batch.texts, Int(second))
  }

  private mutating func haveEqualEntries(_ count: Int) -> Bool {
    let (one, two) = (left.entries(count), right.entries(count))
    guard one.count == two.count else { return false }
    for (first, second) in zip(one, two) {
      guard Int(first.row) - left.row == Int(second.row) - right.row,
        first.subject == second.subject, sameState(first.state, second.state)
      else { return false }
    }
    return true
  }

  private mutating func sameState(_ first: Int32, _ second: Int32) -> Bool {
    first < 0 || second < 0 ? first == second : sameWord(Int64(first), Int64(second))
  }
}

package import ActivityCore

/// Texts of a column that come again as references to the row they came on first.
///
/// An answer's apns-id nearly always is that of a push some rows before; 16 bytes that nothing else
/// can compress become a small number.
package struct TextReferences {
  /// Codes of the different texts in order of first use.
  package private(set) var new: [Int32] = []
  /// By row: 0 for a new text, else how many new ones back it came first; absent as the column is.
  package private(set) var back: [Int64]

  /// A column of codes of a table's texts.
  package init(_ column: [Int64], of texts: TextTable) {
    back = column
    let present = column.count { $0 != EventColumns.absent }
    let slotCount = 1 << (Int.bitWidth - (present * 2).leadingZeroBitCount)
    // Places in `new` + 1; 0 is free.
    var slots = [Int32](repeating: 0, count: slotCount)
    new.reserveCapacity(present)
    for row in column.indices where column[row] != EventColumns.absent {
      let code = Int(column[row])
      var slot = Int(truncatingIfNeeded: texts.hash(code) >> 32) & (slotCount - 1)
      while slots[slot] != 0, !texts.isEqual(Int(new[Int(slots[slot]) - 1]), texts, code) {
        slot = (slot + 1) & (slotCount - 1)
      }
      if slots[slot] == 0 {
        new.append(Int32(truncatingIfNeeded: code))
        slots[slot] = Int32(truncatingIfNeeded: new.count)
        back[row] = 0
      } else {
        back[row] = Int64(new.count - Int(slots[slot]) + 1)
      }
    }
  }
}

extension [Int64] {
  /// The values of some rows, which must lie in it.
  package func picking(_ rows: [Int32]) -> [Int64] {
    withUnsafeBufferPointer { source in
      [Int64](unsafeUninitializedCapacity: rows.count) { target, filled in
        for (index, row) in rows.enumerated() {
          precondition(row >= 0 && Int(row) < source.count, "A row lies in the column.")
          target[index] = source[Int(row)]
        }
        filled = rows.count
      }
    }
  }
}

package import ActivityCore

/// What the rows of a commit look like: kind, flags and which members they have.
///
/// Rows come in a few dozen forms, so one small code a row says what else takes a column for kinds,
/// one for flags and a bitmap for each member. Many columns are constant or narrow in the rows of
/// one form: they are written form by form.
package struct RowForms {
  /// One entry a form, the commonest first; masks have the bit of a member's number.
  package private(set) var kinds: [UInt8] = []
  package private(set) var flags: [UInt8] = []
  package private(set) var masks: [UInt64] = []
  /// How many forms, from the first on, are written apart from all others.
  package private(set) var apart = 0
  /// The form of each row.
  package private(set) var codes: [UInt8] = []
  /// All rows, form by form, rising within one.
  package private(set) var order: [Int32] = []
  /// Where the rows of each form begin in `order`, and the end.
  package private(set) var starts: [Int] = []

  /// More forms than this are not worth a table.
  package static let formsMax = 256
  /// Forms with fewer rows are written together.
  private static let rowsApart = 64
  /// Commits with fewer rows have their kinds, flags and presences as columns.
  private static let rowsMin = 32

  package var count: Int { kinds.count }

  /// nil where a table would not pay.
  package init?(_ batch: EventColumns) {
    guard batch.count >= RowForms.rowsMin else { return nil }
    let rowMasks = RowForms.masks(of: batch)
    var found = FormTable()
    codes.reserveCapacity(batch.count)
    for row in 0..<batch.count {
      guard
        let code = found.code(
          batch.kind[row].rawValue, batch.flags[row].rawValue, rowMasks[row])
      else { return nil }
      codes.append(code)
    }
    let ranked = found.counts.indices.sorted { (found.counts[$1], $0) < (found.counts[$0], $1) }
    var rank = [UInt8](repeating: 0, count: 256)
    for (place, code) in ranked.enumerated() {
      rank[code] = UInt8(place)
      kinds.append(found.kinds[code])
      flags.append(found.flags[code])
      masks.append(found.masks[code])
    }
    apart = ranked.count { found.counts[$0] >= RowForms.rowsApart }
    codes = codes.map { rank[Int($0)] }
    setOrder()
  }

  private static func masks(of batch: EventColumns) -> [UInt64] {
    var masks = [UInt64](repeating: 0, count: batch.count)
    for member in Member.allCases {
      let column = batch[member]
      guard !column.isEmpty else { continue }
      precondition(column.count == masks.count, "A column has one value for each row.")
      let bit = UInt64(member.rawValue)
      masks.withUnsafeMutableBufferPointer { masks in
        column.withUnsafeBufferPointer { column in
          for row in 0..<column.count { masks[row] |= (column[row] == .min ? 0 : 1) &<< bit }
        }
      }
    }
    return masks
  }

  private mutating func setOrder() {
    starts = [Int](repeating: 0, count: count + 1)
    for code in codes { starts[Int(code) + 1] += 1 }
    for form in 0..<count { starts[form + 1] += starts[form] }
    var next = starts
    order = [Int32](repeating: 0, count: codes.count)
    for (row, code) in codes.enumerated() {
      order[next[Int(code)]] = Int32(truncatingIfNeeded: row)
      next[Int(code)] += 1
    }
  }

  /// Forms written together: each of the first ones alone, then all others.
  private var groups: [Range<Int>] {
    var groups = (0..<apart).map { $0..<($0 + 1) }
    if apart < count { groups.append(apart..<count) }
    return groups
  }

  /// The rows of each group that have a member, form by form, without groups that have none; all
  /// rows for no member.
  package func groups(with member: UInt8?) -> [[Int32]] {
    groups.compactMap { forms in
      let rows = rows(of: forms, with: member)
      return rows.isEmpty ? nil : rows
    }
  }

  private func rows(of forms: Range<Int>, with member: UInt8?) -> [Int32] {
    guard let member else {
      return Array(order[starts[forms.lowerBound]..<starts[forms.upperBound]])
    }
    var rows: [Int32] = []
    for form in forms where masks[form] >> UInt64(member) & 1 != 0 {
      rows.append(contentsOf: order[starts[form]..<starts[form + 1]])
    }
    return rows
  }

  /// Whether every row has a member.
  package func haveAll(_ member: UInt8) -> Bool {
    masks.allSatisfy { $0 >> UInt64(member) & 1 != 0 }
  }

  /// How many rows have a member.
  package func count(with member: UInt8) -> Int { count(of: 0..<count, with: member) }

  /// How many rows of some forms have a member; all of them for none.
  private func count(of forms: Range<Int>, with member: UInt8?) -> Int {
    guard let member else { return starts[forms.upperBound] - starts[forms.lowerBound] }
    var present = 0
    for form in forms where masks[form] >> UInt64(member) & 1 != 0 {
      present += starts[form + 1] - starts[form]
    }
    return present
  }

  /// The rows that have a member, rising.
  package func rows(with member: UInt8) -> [Int32] {
    let bit = UInt64(member)
    var has = [UInt8](repeating: 0, count: 256)
    for form in 0..<count where masks[form] >> bit & 1 != 0 { has[form] = 1 }
    // One place more, which the rows that have it not are written to in turn.
    return [Int32](unsafeUninitializedCapacity: count(with: member) + 1) { rows, filled in
      var next = 0
      has.withUnsafeBufferPointer { has in
        codes.withUnsafeBufferPointer { codes in
          for row in 0..<codes.count {
            rows[next] = Int32(truncatingIfNeeded: row)
            next &+= Int(has[Int(codes[row])])
          }
        }
      }
      filled = next
    }
  }

  /// Reads numbers that were written group by group: of the rows that have a member, which must be
  /// `present`, absent in the others; of all rows for no member.
  package func column(
    _ member: UInt8?, of present: Int, _ reader: inout SectionReader
  ) throws(MalformedCommit) -> [Int64] {
    guard count(of: 0..<count, with: member) == present else {
      throw reader.malformed(.rowOutOfRange)
    }
    var column =
      present == order.count
      ? [Int64](unsafeUninitializedCapacity: present) { $1 = present }
      : [Int64](repeating: .min, count: order.count)
    for forms in groups {
      let size = count(of: forms, with: member)
      guard size > 0 else { continue }
      scatter(try reader.integers(size), forms, member, to: &column)
    }
    return column
  }

  /// Puts a group's values, one for each of its rows that have a member, where the rows are.
  private func scatter(
    _ values: [Int64], _ forms: Range<Int>, _ member: UInt8?, to column: inout [Int64]
  ) {
    column.withUnsafeMutableBufferPointer { column in
      values.withUnsafeBufferPointer { values in
        order.withUnsafeBufferPointer { order in
          var next = 0
          for form in forms {
            if let member, masks[form] >> UInt64(member) & 1 == 0 { continue }
            for place in starts[form]..<starts[form + 1] {
              column[Int(order[place])] = values[next]
              next &+= 1
            }
          }
        }
      }
    }
  }

  // MARK: On disk

  /// Varint forms, varint how many are apart, each form's kind, flags and varint mask, then
  /// numbers: the form of each row.
  package func write(to writer: inout SectionWriter) {
    writer.varint(count)
    writer.varint(apart)
    for form in 0..<count {
      writer.byte(kinds[form])
      writer.byte(flags[form])
      writer.varint(masks[form])
    }
    writer.integers(codes.map { Int64($0) }, .packed)
  }

  /// Reads the forms of `rows` rows, at least one.
  package init(reading reader: inout SectionReader, rows: Int) throws(MalformedCommit) {
    let count = try reader.count(limit: RowForms.formsMax)
    apart = try reader.count(limit: count)
    for _ in 0..<count {
      kinds.append(try reader.byte())
      flags.append(try reader.byte())
      masks.append(try reader.varint())
    }
    codes = try reader.indices(rows, below: count).each { UInt8(truncatingIfNeeded: $0) }
    setOrder()
  }
}

/// Forms met so far, found by a small open-addressing table.
private struct FormTable {
  private(set) var kinds: [UInt8] = []
  private(set) var flags: [UInt8] = []
  private(set) var masks: [UInt64] = []
  private(set) var counts: [Int] = []
  /// Codes + 1, 0 for a free slot.
  private var slots = [UInt16](repeating: 0, count: 1_024)

  /// nil when there are too many.
  mutating func code(_ kind: UInt8, _ flag: UInt8, _ mask: UInt64) -> UInt8? {
    let mixed = (mask ^ UInt64(kind) << 56 ^ UInt64(flag) << 50) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: mixed >> 54)
    while slots[slot] != 0 {
      let code = Int(slots[slot]) - 1
      if masks[code] == mask, kinds[code] == kind, flags[code] == flag {
        counts[code] += 1
        return UInt8(code)
      }
      slot = (slot + 1) & 1_023
    }
    guard kinds.count < RowForms.formsMax else { return nil }
    kinds.append(kind)
    flags.append(flag)
    masks.append(mask)
    counts.append(1)
    slots[slot] = UInt16(kinds.count)
    return UInt8(kinds.count - 1)
  }
}

/// Which rows of a commit have a value of one column.
package struct Presence {
  /// One bit a row.
  private(set) var bits: [UInt8]
  private(set) var present: Int
  private let rows: Int

  package init(of column: [Int64]) {
    rows = column.count
    bits = []
    bits.reserveCapacity((column.count + 7) / 8)
    present = 0
    var byte: UInt8 = 0
    for (row, value) in column.enumerated() {
      let bit: UInt8 = value == .min ? 0 : 1
      byte |= bit &<< UInt8(row & 7)
      present &+= Int(bit)
      if row & 7 == 7 {
        bits.append(byte)
        byte = 0
      }
    }
    if column.count & 7 != 0 { bits.append(byte) }
  }

  /// Writes nothing for all rows, else the shorter of bits and list.
  package func write(to writer: inout SectionWriter) -> PresenceForm {
    guard present < rows else { return .all }
    var list = SectionWriter()
    list.varint(present)
    var last = 0
    for row in 0..<rows where bits[row >> 3] & 1 << UInt8(row & 7) != 0 {
      list.varint(row - last)
      last = row
      if list.bytes.count >= bits.count { break }
    }
    let isList = list.bytes.count < bits.count
    writer.append(isList ? list.bytes : bits)
    return isList ? .list : .bitmap
  }
}

extension SectionReader {
  /// The rows of a bitmap or list, rising.
  package mutating func rows(_ form: PresenceForm, of count: Int) throws(MalformedCommit) -> [Int32]
  {
    form == .bitmap ? try bitmap(count) : try list(count)
  }

  private mutating func bitmap(_ count: Int) throws(MalformedCommit) -> [Int32] {
    let start = offset
    try skip((count + 7) / 8)
    if count & 7 != 0, bytes[offset - 1] >> UInt8(count & 7) != 0 {
      throw malformed(.rowOutOfRange)
    }
    var rows: [Int32] = []
    rows.reserveCapacity(count)
    for place in start..<offset {
      var rest = bytes[place]
      let first = Int32(truncatingIfNeeded: (place - start) * 8)
      while rest != 0 {
        rows.append(first + Int32(rest.trailingZeroBitCount))
        rest &= rest &- 1
      }
    }
    return rows
  }

  private mutating func list(_ count: Int) throws(MalformedCommit) -> [Int32] {
    let present = try self.count(limit: min(count, remaining))
    var rows: [Int32] = []
    rows.reserveCapacity(present)
    var row = 0
    for index in 0..<present {
      let step = try self.count(limit: count)
      row += step
      guard row < count, step > 0 || index == 0 else { throw malformed(.rowOutOfRange) }
      rows.append(Int32(row))
    }
    return rows
  }
}

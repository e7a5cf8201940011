/// Where each row's payload lies: the line ends of a batch's payload, found once.
public struct PayloadLines: Sendable {
  /// The batch's payload; empty when it was not read or is damaged.
  package let bytes: [UInt8]
  private var ends: [Int] = []

  /// Finds the lines of a batch's payload once.
  public init(_ columns: EventColumns) {
    guard case .lines(let bytes) = columns.payload else {
      self.bytes = []
      return
    }
    self.bytes = bytes
    ends.reserveCapacity(columns.count)
    bytes.withUnsafeBytes { raw in
      var start = 0
      while let end = LineBreaks.next(in: raw, from: start) {
        ends.append(end)
        start = end + 1
      }
    }
  }

  /// Where the objects of some rows lie, which ascend, without their line feeds; nil for a row the
  /// payload does not have. No other line is kept.
  package static func ranges(of rows: [Int], in payload: [UInt8]) -> [Range<Int>?] {
    var found: [Range<Int>?] = []
    found.reserveCapacity(rows.count)
    payload.withUnsafeBytes { raw in
      var start = 0
      var line = 0
      for row in rows {
        while line < row, let end = LineBreaks.next(in: raw, from: start) {
          start = end + 1
          line += 1
        }
        let end = line == row ? LineBreaks.next(in: raw, from: start) : nil
        found.append(end.map { start..<$0 })
      }
    }
    return found
  }

  /// Where row `row`'s object lies, without its line feed; nil when the payload does not have it.
  public subscript(row: Int) -> Range<Int>? {
    guard ends.indices.contains(row) else { return nil }
    return (row == 0 ? 0 : ends[row - 1] + 1)..<ends[row]
  }
}

/// Finds line feeds eight bytes at a time.
package enum LineBreaks {
  /// Where the first line feed at or after `start` stands.
  package static func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var place = start
    let ones: UInt64 = 0x0101_0101_0101_0101
    while place + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let feeds = word ^ (ones &* 0x0A)
      let found = (feeds &- ones) & ~feeds & (ones &* 0x80)
      if found != 0 { return place + (found.trailingZeroBitCount >> 3) }
      place += 8
    }
    while place < bytes.count {
      if bytes[place] == 0x0A { return place }
      place += 1
    }
    return nil
  }

  /// Where the last line feed before `end` stands.
  static func last(in bytes: UnsafeRawBufferPointer, before end: Int) -> Int? {
    var place = end - 1
    while place >= 0 {
      if bytes[place] == 0x0A { return place }
      place -= 1
    }
    return nil
  }
}

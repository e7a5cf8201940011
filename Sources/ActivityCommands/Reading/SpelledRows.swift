internal import ActivityCore

/// Rows of one or more sources as stamped lines, with what merging them needs: 40 bytes a row
/// beside its line.
struct SpelledRows {
  /// One row.
  struct Row {
    /// Microseconds.
    var recordedAt: Int64
    /// Its number in its source: a line, or a seq.
    var place: Int64
    var source: Int32
    /// The same for equal ids; −1 without one.
    fileprivate(set) var id: Int32
    fileprivate var part: Int32
    fileprivate var start: Int32
    fileprivate var end: Int32
  }

  /// In the order they came, or were sorted.
  private(set) var rows: [Row] = []
  /// How many different ids they have.
  var idCount: Int { ids.count }

  private var parts: [[UInt8]] = []
  private var ids = TextTable()
  private let writer = LineWriter()

  /// Adds the rows of a stamped batch, except those without `recorded-at`.
  ///
  /// - Parameter places: one for each row; nil for their seqs.
  /// - Returns: how many could not be spelled because of damage.
  mutating func add(
    _ batch: EventColumns, _ names: inout RowReader, source: Int, places: [Int]?
  ) -> Int {
    var lines: [UInt8] = []
    var lost = 0
    for row in names.rows(of: batch) where batch.recordedAt[row.row] != EventColumns.absent {
      let start = lines.count
      guard writer.append(row, to: &lines) else {
        lost += 1
        continue
      }
      let id = batch.value(.id, row.row).map { ids.intern(batch.texts[Int($0)]) }
      rows.append(
        Row(
          recordedAt: batch.recordedAt[row.row],
          place: places.map { Int64($0[row.row]) } ?? row.seq, source: Int32(source),
          id: Int32(id ?? -1), part: Int32(parts.count), start: Int32(start),
          end: Int32(lines.count)))
    }
    parts.append(lines)
    return lost
  }

  /// By `recorded-at`; rows recorded at one instant stay as they came.
  mutating func sort() {
    let order = rows.indices.sorted {
      (rows[$0].recordedAt, $0) < (rows[$1].recordedAt, $1)
    }
    rows = order.map { rows[$0] }
  }

  /// The row as a line without line feed.
  func line(_ row: Row) -> ArraySlice<UInt8> {
    parts[Int(row.part)][Int(row.start)..<Int(row.end)]
  }

  /// Whether two rows say the same but for what tells one recording from another: `seq`,
  /// `recorded-at` and `at`, which every stamped line begins with.
  func isSame(_ one: Row, _ other: Row) -> Bool {
    unstamped(one).elementsEqual(unstamped(other))
  }

  private func unstamped(_ row: Row) -> ArraySlice<UInt8> {
    var rest = line(row)
    for _ in 0..<3 {
      guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { return rest }
      rest = rest[(comma + 1)...]
    }
    return rest
  }
}

internal import ActivityCore

/// Rows of one or more sources as stamped lines, with what merging them needs: 40 bytes a row
/// beside its line.
struct SpelledRows {
  /// One row.
  struct Row {
    /// When it happened as it counts; microseconds.
    var at: Int64
    /// Its number in its source: a line, or a seq.
    var place: Int64
    var source: Int32
    /// The same for equal ids; −1 without one.
    fileprivate(set) var id: Int32
    /// Of a row without content, which of `bare` it is in, counted down from −1.
    fileprivate var part: Int32
    /// Of a row without content, its place there.
    fileprivate var start: Int32
    fileprivate var end: Int32

    /// Whether its content is lost to damage, so that there is no line.
    var isBare: Bool { part < 0 }
  }

  /// What adding a batch left out, or took without content.
  struct Damage {
    /// Rows that lost their names.
    var lost = 0
    /// Rows that lost only their content.
    var bare = 0
  }

  /// In the order they came, or were sorted.
  private(set) var rows: [Row] = []
  /// How many different ids they have.
  var idCount: Int { ids.count }

  private var parts: [[UInt8]] = []
  private var bare: [BareRows] = []
  private var ids = TextTable()
  private let writer = LineWriter()

  /// Adds the rows of a stamped batch, except those without `recorded-at`.
  ///
  /// - Parameters:
  ///   - names: of the batches before it of its numbering.
  ///   - places: one for each row; nil for their seqs.
  mutating func add(
    _ batch: EventColumns, _ names: inout SubjectDirectory, source: Int, places: [Int]?
  ) -> Damage {
    names.take(batch)
    if case .damaged = batch.payload { return addBare(batch, names, source: source) }
    var lines: [UInt8] = []
    var damage = Damage()
    for row in EventRows(batch, names) where batch.recordedAt[row.row] != EventColumns.absent {
      let start = lines.count
      guard writer.append(row, to: &lines) else {
        damage.lost += 1
        continue
      }
      rows.append(
        Row(
          at: batch.countedAt(row.row), place: places.map { Int64($0[row.row]) } ?? row.seq,
          source: Int32(source), id: id(of: row.row, in: batch), part: Int32(parts.count),
          start: Int32(start), end: Int32(lines.count)))
    }
    parts.append(lines)
    return damage
  }

  private mutating func addBare(
    _ batch: EventColumns, _ names: SubjectDirectory, source: Int
  ) -> Damage {
    let own = BareRows(batch, names: names)
    bare.append(own)
    for row in own.named {
      rows.append(
        Row(
          at: batch.countedAt(row), place: batch.firstSeq + Int64(row), source: Int32(source),
          id: id(of: row, in: batch), part: Int32(-bare.count), start: Int32(row), end: 0))
    }
    return Damage(lost: batch.count - own.named.count, bare: own.named.count)
  }

  private mutating func id(of row: Int, in batch: EventColumns) -> Int32 {
    batch.value(.id, row).map { Int32(ids.intern(batch.texts[Int($0)])) } ?? -1
  }

  /// By `at`; rows of one instant stay as they came.
  mutating func sort() {
    let order = rows.indices.sorted { (rows[$0].at, $0) < (rows[$1].at, $1) }
    rows = order.map { rows[$0] }
  }

  /// The row as a line without line feed; empty without content.
  func line(_ row: Row) -> ArraySlice<UInt8> {
    row.isBare ? [] : parts[Int(row.part)][Int(row.start)..<Int(row.end)]
  }

  /// Where a row without content is kept; nil of any other.
  func bareRow(_ row: Row) -> (batch: Int, row: Int)? {
    row.isBare ? (Int(-1 - row.part), Int(row.start)) : nil
  }

  /// Rows without content of one batch, as a batch.
  func batch(_ number: Int, of rows: [Int], firstSeq: Int64) -> EventColumns {
    bare[number].batch(of: rows, firstSeq: firstSeq)
  }

  /// For every id its first row whose content is there, else its first; by place in `rows`.
  func firsts() -> [Int] {
    var first = [Int](repeating: -1, count: idCount)
    for (place, row) in rows.enumerated() where row.id >= 0 {
      let known = first[Int(row.id)]
      if known < 0 || rows[known].isBare && !row.isBare { first[Int(row.id)] = place }
    }
    return first
  }

  /// Whether two rows say the same but for what tells one recording from another: `seq`,
  /// `recorded-at` and `at`, which every stamped line begins with. What is lost contradicts
  /// nothing.
  func isSame(_ one: Row, _ other: Row) -> Bool {
    one.isBare || other.isBare || unstamped(one).elementsEqual(unstamped(other))
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

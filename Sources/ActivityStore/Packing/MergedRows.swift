internal import ActivityCore

/// Rows of consecutive commits of one segment, gathered into one batch.
struct MergedRows {
  private var rows = EventColumns()
  private var kind: [EventKind] = []
  private var flags: [RowFlags] = []
  private var subject: [Int32] = []
  private var at: [Int64] = []
  private var recordedAt: [Int64] = []
  private var columns = [[Int64]](repeating: [], count: Member.columnLimit)
  private var payload: [UInt8] = []

  var count: Int { kind.count }
  var firstSeq: Int64 { rows.firstSeq }
  var payloadBytes: Int { payload.count }

  /// No rows; the first has seq `firstSeq`, and ordinals are of the numbering `space`.
  init(firstSeq: Int64, space: Int) {
    rows.firstSeq = firstSeq
    rows.space = space
  }

  /// Adds some rows of a batch, and their lines.
  mutating func append(_ batch: EventColumns, _ part: Range<Int>, lines: ArraySlice<UInt8>) {
    var codes = [Int32](repeating: -1, count: batch.texts.count)
    let before = count
    for member in Member.allCases where !batch[member].isEmpty {
      append(batch[member][part], of: member, batch.texts, &codes, behind: before)
    }
    for entry in batch.inventory where part.contains(Int(entry.row)) {
      rows.inventory.append(
        EventColumns.InventoryEntry(
          row: Int32(Int(entry.row) - part.lowerBound + before), subject: entry.subject,
          state: entry.state < 0 ? -1 : word(Int(entry.state), batch.texts, &codes)))
    }
    kind += batch.kind[part]
    flags += batch.flags[part]
    subject += batch.subject[part]
    at += batch.at[part]
    recordedAt += batch.recordedAt[part]
    payload += lines
    for number in columns.indices where !columns[number].isEmpty && columns[number].count < count {
      columns[number] += repeatElement(EventColumns.absent, count: count - columns[number].count)
    }
  }

  /// The rows as a batch, with the used and the introduced subjects; nil where one has no name.
  ///
  /// - Parameter introduced: Ordinals that begin with these rows, used or not.
  func batch(_ catalogue: SubjectCatalogue, introducing introduced: Range<Int32>) -> EventColumns? {
    var batch = rows
    batch.setRows(kind: kind, flags: flags, subject: subject, at: at, recordedAt: recordedAt)
    for member in Member.allCases { batch.setColumn(member, columns[Int(member.rawValue)]) }
    batch.payload = .lines(payload)
    return batch.naming(introduced, from: catalogue)
  }

  private mutating func append(
    _ values: ArraySlice<Int64>, of member: Member, _ texts: TextTable, _ codes: inout [Int32],
    behind before: Int
  ) {
    let number = Int(member.rawValue)
    // A column that no row of the part has stays as it is.
    guard values.contains(where: { $0 != EventColumns.absent }) else { return }
    if columns[number].count < before {
      columns[number] += repeatElement(
        EventColumns.absent, count: before - columns[number].count)
    }
    switch member.storage {
    case .word:
      for value in values {
        columns[number].append(
          value == EventColumns.absent ? value : Int64(word(Int(value), texts, &codes)))
      }
    case .text:
      for value in values {
        columns[number].append(
          value == EventColumns.absent ? value : Int64(rows.texts.append(from: texts, Int(value))))
      }
    case .seconds, .whole, .flag, .size, .handle: columns[number] += values
    }
  }

  private mutating func word(_ code: Int, _ texts: TextTable, _ codes: inout [Int32]) -> Int32 {
    if codes[code] < 0 { codes[code] = Int32(rows.texts.intern(from: texts, code)) }
    return codes[code]
  }
}

extension EventColumns {
  /// The batch with exactly the subjects that its rows use and those it introduces, by ordinal; nil
  /// where one has no name.
  func naming(_ introduced: Range<Int32>, from catalogue: SubjectCatalogue) -> EventColumns? {
    var named = self
    let used = usedOrdinals().filter { !introduced.contains($0) }
    // Older ordinals are below the introduced ones.
    guard let table = catalogue.table(of: used + introduced, texts: &named.texts) else {
      return nil
    }
    named.subjects = table
    return named
  }
}

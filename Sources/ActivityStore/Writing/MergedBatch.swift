internal import ActivityCore

/// Several batches as one, rows and payload in the order they were added, so that appends which
/// wait for the same sync share a commit too.
///
/// Codes of texts and ordinals of subjects are the merged batch's own. Every text is interned,
/// because the words of one commit must differ.
struct MergedBatch {
  private(set) var rowCount = 0
  private(set) var cursors: [IngestCursor] = []
  private var texts = TextTable()
  private var subjects = SubjectTable()
  private var kind: [EventKind] = []
  private var flags: [RowFlags] = []
  private var subject: [Int32] = []
  private var at: [Int64] = []
  private var recordedAt: [Int64] = []
  private var columns: [(member: Member, values: [Int64])] = []
  private var inventory: [EventColumns.InventoryEntry] = []
  private var payload: [UInt8] = []
  private var ids = TextTable()

  /// Adds a batch if it can share a commit with those before it; after false it takes no more.
  ///
  /// A batch stays alone when it keeps stamps of its own, when it is not whole, when it repeats an
  /// id, or when the commit would become larger than is good for reading.
  mutating func add(_ batch: EventColumns, cursors: [IngestCursor]) -> Bool {
    let present = Self.present(in: batch)
    guard case .lines(let lines) = batch.payload, batch.statedSeq.isEmpty,
      batch.isWhole(lines, present), rowCount + batch.count <= LineReader.rowLimit,
      payload.count + lines.count <= LineReader.payloadTarget,
      texts.byteCount + batch.texts.byteCount <= LineReader.payloadTarget,
      takeIDs(of: batch)
    else { return false }
    let codes = (0..<batch.texts.count).map { Int32(texts.intern(batch.texts[$0])) }
    let base = Int32(subjects.count)
    addSubjects(of: batch, codes, base)
    addRows(of: batch, present, codes, base)
    payload += lines
    self.cursors += cursors
    rowCount += batch.count
    return true
  }

  /// A column of a batch that some row has.
  fileprivate typealias Column = (member: Member, storage: Member.Storage, values: [Int64])

  private static let members = Member.allCases.map { ($0, $0.storage) }

  /// Looked for once a batch: a small one is mostly the search for the columns it has.
  private static func present(in batch: EventColumns) -> [Column] {
    var found: [Column] = []
    for (member, storage) in members {
      let values = batch[member]
      if !values.isEmpty { found.append((member, storage, values)) }
    }
    return found
  }

  /// All rows added, as one batch.
  func batch() -> EventColumns {
    var batch = EventColumns()
    batch.texts = texts
    batch.subjects = subjects
    batch.setRows(kind: kind, flags: flags, subject: subject, at: at, recordedAt: recordedAt)
    for (member, values) in columns {
      // The batches behind the last one with this member do not have it.
      let missing = repeatElement(EventColumns.absent, count: rowCount - values.count)
      batch.setColumn(member, values + missing)
    }
    batch.inventory = inventory
    batch.payload = .lines(payload)
    return batch
  }

  /// Whether no id of the batch came before: one that comes twice can only be judged once the first
  /// is written.
  private mutating func takeIDs(of batch: EventColumns) -> Bool {
    for code in batch[.id] where code != EventColumns.absent {
      let known = ids.count
      guard ids.intern(batch.texts[Int(code)]) == known else { return false }
    }
    return true
  }

  private mutating func addSubjects(of batch: EventColumns, _ codes: [Int32], _ base: Int32) {
    func own(_ code: Int32) -> Int32 { code < 0 ? -1 : codes[Int(code)] }
    let table = batch.subjects
    for index in 0..<table.count {
      subjects.append(
        ordinal: base + table.ordinals[index], kind: table.kind[index],
        name: own(table.name[index]), environment: own(table.environment[index]),
        bundle: own(table.bundle[index]), device: own(table.device[index]))
    }
  }

  private mutating func addRows(
    of batch: EventColumns, _ present: [Column], _ codes: [Int32], _ base: Int32
  ) {
    kind += batch.kind
    flags += batch.flags
    for ordinal in batch.subject { subject.append(base + ordinal) }
    at += batch.at
    recordedAt += batch.recordedAt
    for (member, storage, column) in present {
      let place = self.place(of: member)
      let missing = rowCount - columns[place].values.count
      columns[place].values += repeatElement(EventColumns.absent, count: missing)
      for value in column {
        columns[place].values.append(Self.mapped(value, storage, codes, base))
      }
    }
    for entry in batch.inventory {
      inventory.append(
        EventColumns.InventoryEntry(
          row: entry.row + Int32(rowCount), subject: base + entry.subject,
          state: entry.state < 0 ? -1 : codes[Int(entry.state)]))
    }
  }

  private mutating func place(of member: Member) -> Int {
    if let place = columns.firstIndex(where: { $0.member == member }) { return place }
    columns.append((member, []))
    return columns.count - 1
  }

  private static func mapped(
    _ value: Int64, _ storage: Member.Storage, _ codes: [Int32], _ base: Int32
  ) -> Int64 {
    guard value != EventColumns.absent else { return value }
    return switch storage {
    case .word, .text: Int64(codes[Int(value)])
    case .handle: Int64(base) + value
    case .seconds, .whole, .flag, .size: value
    }
  }
}

extension EventColumns {
  /// Whether it is as a line reader makes it: subjects numbered from 0 without a gap, every handle
  /// and text there, one line a row. Of another one the commit's own checks say what is wrong.
  fileprivate func isWhole(_ lines: [UInt8], _ present: [MergedBatch.Column]) -> Bool {
    let ordinals = subjects.ordinals
    guard ordinals.indices.allSatisfy({ ordinals[$0] == Int32($0) }) else { return false }
    let known = 0..<Int64(ordinals.count)
    let codes = 0..<Int64(texts.count)
    guard subject.allSatisfy({ known.contains(Int64($0)) }), hasItsNames else { return false }
    for column in present {
      let room: Range<Int64>
      switch column.storage {
      case .handle: room = known
      case .word, .text: room = codes
      case .seconds, .whole, .flag, .size: continue
      }
      for value in column.values where value != EventColumns.absent && !room.contains(value) {
        return false
      }
    }
    return (lines.last ?? 0x0A) == 0x0A && lines.count { $0 == 0x0A } == count
      && inventory.allSatisfy {
        known.contains(Int64($0.subject)) && (0..<Int32(count)).contains($0.row)
          && (-1..<codes.upperBound).contains(Int64($0.state))
      }
  }

  private var hasItsNames: Bool {
    let known = -1..<Int64(texts.count)
    for codes in [subjects.name, subjects.environment, subjects.bundle, subjects.device] {
      guard codes.allSatisfy({ known.contains(Int64($0)) }) else { return false }
    }
    return true
  }
}

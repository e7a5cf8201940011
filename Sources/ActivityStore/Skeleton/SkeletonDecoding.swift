package import ActivityCore

/// Reads the columns of one commit into a batch.
package struct SkeletonDecoding {
  private var reader: SectionReader
  private let count: Int
  private let wanted: MemberSelection
  private(set) var batch: EventColumns
  /// The batch's code of the commit's word 0, and how many there are.
  private var firstWord = 0
  private var wordCount = 0
  private var seen = [Bool](repeating: false, count: 256)
  private var rowValues = [[Int64]](repeating: [], count: 5)
  private var timestamps: [Int64] = []
  private var prediction: SecondsPrediction?
  /// By column number: where its rows stand, and the rows once somebody needed them.
  private var presenceParts = [(form: PresenceForm, reader: SectionReader)?](
    repeating: nil, count: Member.columnLimit)
  private var presenceRows = [[Int32]?](repeating: nil, count: Member.columnLimit)

  /// `batch` has the texts and subjects that are known already.
  package init(_ bytes: [UInt8], count: Int, wanted: MemberSelection, into batch: EventColumns) {
    reader = SectionReader(bytes, .skeleton)
    self.count = count
    self.wanted = wanted
    self.batch = batch
  }

  /// Reads everything; `batch` is whole only if nothing was thrown.
  package mutating func run() throws(MalformedCommit) {
    guard reader.remaining <= CommitBounds.skeletonBytesMax,
      (0...CommitBounds.rowsMax).contains(count)
    else { throw reader.malformed(.beyondLimit) }
    firstWord = batch.texts.count
    wordCount = try reader.count(limit: CommitBounds.listedMax)
    try reader.texts(wordCount, into: &batch.texts, distinct: true)
    let columnCount = try reader.count(limit: 256)
    let members = columnCount - SkeletonDecoding.rowColumns.count
    guard count > 0 ? members >= 0 : columnCount == 0 else {
      throw reader.malformed(.missingColumn)
    }
    if count > 0 {
      for column in SkeletonDecoding.rowColumns { try row(column) }
      try setRows()
      for _ in 0..<members { try column() }
    }
    try reader.finish()
  }

  private mutating func column() throws(MalformedCommit) {
    let number = try reader.byte()
    let shape = ColumnShape(rawValue: try reader.byte())
    guard !seen[Int(number)] else { throw reader.malformed(.repeatedColumn) }
    seen[Int(number)] = true
    var part = try reader.part()
    if let member = Member(rawValue: number) {
      try column(member, shape, &part)
    } else if number == RowColumn.inventory.rawValue, shape.rawValue == 0 {
      try inventory(&part)
    } else {
      throw reader.malformed(.unknownColumn)
    }
    try part.finish()
  }

  // MARK: Columns of every row

  private static let rowColumns = RowColumn.allCases.filter { $0 != .inventory }

  private mutating func row(_ column: RowColumn) throws(MalformedCommit) {
    guard try reader.byte() == column.rawValue else { throw reader.malformed(.missingColumn) }
    rowValues[Int(column.rawValue - RowColumn.kind.rawValue)] = try reader.integers(count)
  }

  private mutating func setRows() throws(MalformedCommit) {
    let kinds = rowValues[0]
    let flags = rowValues[1]
    let subjects = rowValues[2]
    let recordedAt = rowValues[3]
    guard kinds.allBelow(SkeletonDecoding.kindTable.count) else {
      throw reader.malformed(.unknownKind)
    }
    guard flags.allBelow(256) else { throw reader.malformed(.codeOutOfRange) }
    guard subjects.allBelow(CommitBounds.ordinalsMax) else {
      throw reader.malformed(.ordinalOutOfRange)
    }
    var at = rowValues[4]
    rowValues = []
    at.combine(recordedAt) { $0 &+ $1 }
    let table = SkeletonDecoding.kindTable
    batch.setRows(
      kind: kinds.each { table[Int($0)] },
      flags: flags.each { RowFlags(rawValue: UInt8(truncatingIfNeeded: $0)) },
      subject: subjects.each { Int32(truncatingIfNeeded: $0) }, at: at, recordedAt: recordedAt)
  }

  /// Kinds by number: a look-up is faster than making one from its raw value.
  private static let kindTable: [EventKind] =
    EventKind.allCases.sorted { $0.rawValue < $1.rawValue }

  // MARK: Inventories

  private mutating func inventory(_ part: inout SectionReader) throws(MalformedCommit) {
    let entries = try part.count(limit: CommitBounds.listedMax)
    let rows = try part.indices(entries, below: count)
    let subjects = try part.indices(entries, below: CommitBounds.ordinalsMax)
    let states = try part.indices(entries, below: wordCount + 1)
    batch.inventory.reserveCapacity(entries)
    for entry in 0..<entries {
      let state = states[entry] == 0 ? -1 : Int(states[entry]) - 1 + firstWord
      batch.inventory.append(
        EventColumns.InventoryEntry(
          row: Int32(rows[entry]), subject: Int32(subjects[entry]), state: Int32(state)))
    }
  }
}

// MARK: Columns of members

extension SkeletonDecoding {
  private mutating func column(
    _ member: Member, _ shape: ColumnShape, _ part: inout SectionReader
  ) throws(MalformedCommit) {
    let number = Int(member.rawValue)
    let isDate = member.storage == .seconds
    guard isDate || !(shape.isSeconds || shape.isPredicted), shape.isSeconds || !shape.isPredicted
    else { throw part.malformed(.unknownEncoding) }
    presenceParts[number] = (shape.presence, part)
    guard wanted.contains(member) || member == .timestamp && wanted.hasDates else {
      try part.skip(part.remaining)
      return
    }
    let rows = try rows(shape.presence, number, &part)
    let present = rows?.count ?? count
    var values: [Int64]
    if member.storage == .text {
      guard shape.rawValue & 0x3F == 0 else { throw part.malformed(.unknownEncoding) }
      let first = batch.texts.count
      try part.texts(present, into: &batch.texts)
      values = (first..<first + present).map { Int64($0) }
    } else {
      values = present == 0 ? [] : try part.values(shape, present)
      try check(member, &values, part)
    }
    if shape.isSeconds { unscale(&values, member, shape, rows) }
    let whole = rows.map { values.scattered($0, of: count) } ?? values
    if member == .timestamp { prediction?.take(timestamps: whole) }
    if member == .timestamp { timestamps = whole }
    if wanted.contains(member), present > 0 { batch.setColumn(member, whole) }
  }

  /// That codes and ordinals are in range; words become codes of the batch.
  private func check(
    _ member: Member, _ values: inout [Int64], _ part: SectionReader
  ) throws(MalformedCommit) {
    switch member.storage {
    case .word:
      guard values.allBelow(wordCount) else { throw part.malformed(.codeOutOfRange) }
      guard firstWord > 0 else { return }
      let first = Int64(firstWord)
      values = values.each { $0 &+ first }
    case .handle:
      guard values.allBelow(CommitBounds.ordinalsMax) else {
        throw part.malformed(.ordinalOutOfRange)
      }
    case .seconds, .whole, .flag, .size, .text: break
    }
  }

  private mutating func unscale(
    _ values: inout [Int64], _ member: Member, _ shape: ColumnShape, _ rows: [Int32]?
  ) {
    if shape.isPredicted {
      if prediction == nil {
        prediction = SecondsPrediction(at: batch.at)
        prediction?.take(timestamps: timestamps)
      }
      var predicted = prediction?.seconds(of: member) ?? []
      if let rows { predicted = rows.map { predicted[Int($0)] } }
      values.combine(predicted) { ($0 &+ $1) &* 1_000_000 }
    } else {
      values = values.each { $0 &* 1_000_000 }
    }
  }

  /// The rows a column has, nil for all.
  private mutating func rows(
    _ form: PresenceForm, _ number: Int, _ part: inout SectionReader
  ) throws(MalformedCommit) -> [Int32]? {
    switch form {
    case .all: return nil
    case .bitmap, .list:
      let rows = try part.rows(form, of: count)
      presenceRows[number] = rows
      return rows
    case .sameAs:
      let other = Int(try part.byte())
      guard other < Member.columnLimit, other != number, let known = presenceParts[other],
        known.form == .bitmap || known.form == .list
      else { throw part.malformed(.rowOutOfRange) }
      if let rows = presenceRows[other] { return rows }
      var otherPart = known.reader
      let rows = try otherPart.rows(known.form, of: count)
      presenceRows[other] = rows
      return rows
    }
  }
}

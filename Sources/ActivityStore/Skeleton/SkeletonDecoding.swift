package import ActivityCore

/// Reads the columns of one commit into a batch.
package struct SkeletonDecoding {
  private var reader: SectionReader
  let count: Int
  let wanted: MemberSelection
  var batch: EventColumns
  /// The batch's code of the commit's word 0, and how many there are.
  var firstWord = 0
  var wordCount = 0
  private var seen = [Bool](repeating: false, count: 256)
  /// nil where kinds, flags and presences are columns.
  var forms: RowForms?
  var timestamps: [Int64] = []
  var prediction: SecondsPrediction?
  /// By column number: where its rows stand, and the rows once somebody needed them.
  var presenceParts = [(form: PresenceForm, reader: SectionReader)?](
    repeating: nil, count: Member.columnLimit)
  var presenceRows = [[Int32]?](repeating: nil, count: Member.columnLimit)

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
    if count > 0 {
      let rowColumns = try setRows()
      guard columnCount >= rowColumns else { throw reader.malformed(.missingColumn) }
      for _ in rowColumns..<columnCount { try column() }
    } else if columnCount > 0 {
      throw reader.malformed(.missingColumn)
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

  /// One of the columns that every commit has, in their one order.
  private mutating func row(_ column: RowColumn) throws(MalformedCommit) -> [Int64] {
    guard try reader.byte() == column.rawValue else { throw reader.malformed(.missingColumn) }
    let shape = ColumnShape(rawValue: try reader.byte())
    guard shape.presence == .all, !shape.isSeconds, !shape.isPredicted else {
      throw reader.malformed(.unknownEncoding)
    }
    var part = try reader.part()
    let values = try numbers(shape, nil, .all, &part)
    try part.finish()
    return values
  }

  /// Reads the columns of every row and says how many they were.
  private mutating func setRows() throws(MalformedCommit) -> Int {
    let table = SkeletonDecoding.kindTable
    var kinds: [EventKind]
    var flags: [RowFlags]
    if reader.remaining > 0, reader.bytes[reader.offset] == RowColumn.forms.rawValue {
      _ = try reader.byte()
      guard try reader.byte() == 0 else { throw reader.malformed(.unknownEncoding) }
      var part = try reader.part()
      let forms = try RowForms(reading: &part, rows: count)
      try part.finish()
      guard forms.kinds.allSatisfy({ Int($0) < table.count }) else {
        throw reader.malformed(.unknownKind)
      }
      kinds = forms.codes.map { table[Int(forms.kinds[Int($0)])] }
      flags = forms.codes.map { RowFlags(rawValue: forms.flags[Int($0)]) }
      self.forms = forms
    } else {
      let kindNumbers = try row(.kind)
      guard kindNumbers.allBelow(table.count) else { throw reader.malformed(.unknownKind) }
      let flagNumbers = try row(.flags)
      guard flagNumbers.allBelow(256) else { throw reader.malformed(.codeOutOfRange) }
      kinds = kindNumbers.each { table[Int($0)] }
      flags = flagNumbers.each { RowFlags(rawValue: UInt8(truncatingIfNeeded: $0)) }
    }
    let subjects = try row(.subject)
    guard subjects.allBelow(CommitBounds.ordinalsMax) else {
      throw reader.malformed(.ordinalOutOfRange)
    }
    let recordedAt = try row(.recordedAt)
    var at = try row(.at)
    at.combine(recordedAt) { $0 &+ $1 }
    batch.setRows(
      kind: kinds, flags: flags, subject: subjects.each { Int32(truncatingIfNeeded: $0) },
      at: at, recordedAt: recordedAt)
    return forms == nil ? 5 : 4
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

package import ActivityCore

/// Writes the columns of one batch.
package struct SkeletonEncoding {
  private let batch: EventColumns
  private let ordinals: [Int32]
  /// The commit's words, as codes of the batch's texts.
  private var words: [Int32] = []
  /// By code of the batch's texts, −1 for a text that is no word of a row.
  private var wordCodes: [Int32]
  private var columns = SectionWriter()
  private var columnCount = 0
  /// What rows the columns written so far have, where not all.
  private var presences: [(number: UInt8, presence: Presence)] = []

  package init(_ batch: EventColumns, ordinals: [Int32]) {
    self.batch = batch
    self.ordinals = ordinals
    wordCodes = [Int32](repeating: -1, count: batch.texts.count)
  }

  /// The raw skeleton: words, then columns.
  package mutating func bytes() throws(UnencodableBatch) -> [UInt8] {
    if batch.count > 0 {
      try rows()
      try members()
      try inventory()
    }
    guard words.count <= CommitBounds.listedMax else { throw .tooManyWords(words.count) }
    var writer = SectionWriter()
    writer.varint(words.count)
    try writer.texts(words, of: batch.texts)
    writer.varint(columnCount)
    writer.append(columns.bytes)
    guard writer.bytes.count <= CommitBounds.skeletonBytesMax else {
      throw .skeletonTooLarge(bytes: writer.bytes.count)
    }
    return writer.bytes
  }

  private mutating func rows() throws(UnencodableBatch) {
    row(.kind, batch.kind.map { Int64($0.rawValue) })
    row(.flags, batch.flags.map { Int64($0.rawValue) })
    var subjects: [Int64] = []
    subjects.reserveCapacity(batch.count)
    for subject in batch.subject { subjects.append(Int64(try ordinal(Int64(subject)))) }
    row(.subject, subjects)
    row(.recordedAt, batch.recordedAt)
    var delays = batch.at
    delays.combine(batch.recordedAt) { $0 &- $1 }
    row(.at, delays)
  }

  private mutating func row(_ column: RowColumn, _ values: [Int64]) {
    columnCount += 1
    columns.byte(column.rawValue)
    columns.integers(values)
  }

  private mutating func members() throws(UnencodableBatch) {
    var prediction: SecondsPrediction?
    // Timestamps come before what is predicted from them.
    let order = [Member.timestamp] + Member.allCases.filter { $0 != .timestamp }
    for member in order {
      let column = batch[member]
      guard !column.isEmpty else { continue }
      let presence = Presence(of: column)
      guard presence.present > 0 else { continue }
      let values =
        presence.present == column.count
        ? column : column.filter { $0 != EventColumns.absent }
      switch member.storage {
      case .seconds:
        var known = prediction ?? SecondsPrediction(at: batch.at)
        seconds(
          member, values, presence, near(known.seconds(of: member), column, presence))
        if member == .timestamp { known.take(timestamps: column) }
        prediction = known
      case .whole, .flag, .size: integers(member, values, presence)
      case .word: integers(member, values.map { word(Int($0)) }, presence)
      case .handle:
        var handles: [Int64] = []
        for value in values { handles.append(Int64(try ordinal(value))) }
        integers(member, handles, presence)
      case .text: try texts(member, values, presence)
      }
    }
  }

  /// Segment-wide for the batch's own.
  private func ordinal(_ own: Int64) throws(UnencodableBatch) -> Int32 {
    guard own >= 0, own < Int64(ordinals.count), ordinals[Int(own)] >= 0 else {
      throw .unnamedOrdinal(own)
    }
    return ordinals[Int(own)]
  }

  /// What is predicted for the rows that a column has.
  private func near(_ predicted: [Int64], _ column: [Int64], _ presence: Presence) -> [Int64] {
    guard presence.present < column.count else { return predicted }
    return zip(predicted, column).lazy.filter { $1 != EventColumns.absent }.map { $0.0 }
  }

  /// A text's place among the commit's words.
  private mutating func word(_ code: Int) -> Int64 {
    if wordCodes[code] < 0 {
      wordCodes[code] = Int32(words.count)
      words.append(Int32(code))
    }
    return Int64(wordCodes[code])
  }

  private mutating func inventory() throws(UnencodableBatch) {
    let entries = batch.inventory
    guard !entries.isEmpty else { return }
    guard entries.count <= CommitBounds.listedMax else {
      throw .tooManyInventoryEntries(entries.count)
    }
    var subjects: [Int64] = []
    for entry in entries { subjects.append(Int64(try ordinal(Int64(entry.subject)))) }
    var part = SectionWriter()
    part.varint(entries.count)
    part.integers(entries.map { Int64($0.row) })
    part.integers(subjects)
    part.integers(entries.map { $0.state < 0 ? 0 : word(Int($0.state)) + 1 })
    columnCount += 1
    columns.byte(RowColumn.inventory.rawValue)
    columns.byte(0)
    columns.varint(part.bytes.count)
    columns.append(part.bytes)
  }
}

// MARK: Columns of members

extension SkeletonEncoding {
  private mutating func integers(_ member: Member, _ values: [Int64], _ presence: Presence) {
    let plan = IntegerPlan(values)
    column(member, plan.shape, presence) { plan.write(values, to: &$0) }
  }

  /// Microseconds as they are or, where all are whole seconds, the shorter of seconds and their
  /// difference to what is predicted.
  private mutating func seconds(
    _ member: Member, _ values: [Int64], _ presence: Presence, _ predicted: [Int64]
  ) {
    guard values.allSatisfy({ $0 % 1_000_000 == 0 }) else {
      integers(member, values, presence)
      return
    }
    let whole = values.each { $0 / 1_000_000 }
    var differences = whole
    differences.combine(predicted) { $0 &- $1 }
    let plan = IntegerPlan(whole)
    let other = IntegerPlan(differences)
    let isPredicted = other.size < plan.size
    var shape = isPredicted ? other.shape : plan.shape
    shape.rawValue |= ColumnShape.seconds | (isPredicted ? ColumnShape.predicted : 0)
    column(member, shape, presence) { writer in
      if isPredicted {
        other.write(differences, to: &writer)
      } else {
        plan.write(whole, to: &writer)
      }
    }
  }

  private mutating func texts(
    _ member: Member, _ values: [Int64], _ presence: Presence
  ) throws(UnencodableBatch) {
    var part = SectionWriter()
    try part.texts(values.each { Int32(truncatingIfNeeded: $0) }, of: batch.texts)
    column(member, ColumnShape(rawValue: 0), presence) { $0.append(part.bytes) }
  }

  private mutating func column(
    _ member: Member, _ shape: ColumnShape, _ presence: Presence,
    _ write: (inout SectionWriter) -> Void
  ) {
    var shape = shape
    var part = SectionWriter()
    if let same = presences.first(where: { $0.presence.bits == presence.bits }) {
      shape.presence = .sameAs
      part.byte(same.number)
    } else {
      shape.presence = presence.write(to: &part)
      if shape.presence != .all { presences.append((member.rawValue, presence)) }
    }
    write(&part)
    columnCount += 1
    columns.byte(member.rawValue)
    columns.byte(shape.rawValue)
    columns.varint(part.bytes.count)
    columns.append(part.bytes)
  }
}

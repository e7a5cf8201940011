package import ActivityCore

/// Writes the columns of one batch.
package struct SkeletonEncoding {
  private let batch: EventColumns
  private let ordinals: [Int32]
  private let encodings: ColumnEncodings
  /// nil where kinds, flags and presences are columns.
  private let forms: RowForms?
  /// Segment ordinals of the rows' subjects.
  private var subjects: [Int64] = []
  /// The commit's words, as codes of the batch's texts.
  private var words: [Int32] = []
  /// By code of the batch's texts, −1 for a text that is no word of a row.
  private var wordCodes: [Int32]
  private var columns = SectionWriter()
  private var columnCount = 0
  /// What rows the columns written so far have, where not all.
  private var presences: [(number: UInt8, presence: Presence)] = []

  /// `ordinals` are the segment's by the batch's own.
  package init(_ batch: EventColumns, ordinals: [Int32], _ encodings: ColumnEncodings) {
    self.batch = batch
    self.ordinals = ordinals
    self.encodings = encodings
    forms = encodings == .packed ? RowForms(batch) : nil
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
    try writer.texts(words, of: batch.texts, encodings)
    writer.varint(columnCount)
    writer.append(columns.bytes)
    guard writer.bytes.count <= CommitBounds.skeletonBytesMax else {
      throw .skeletonTooLarge(bytes: writer.bytes.count)
    }
    return writer.bytes
  }

  private mutating func rows() throws(UnencodableBatch) {
    if let forms {
      var part = SectionWriter()
      forms.write(to: &part)
      column(RowColumn.forms.rawValue, ColumnShape(rawValue: 0), part.bytes)
    } else {
      row(.kind, batch.kind.map { Int64($0.rawValue) })
      row(.flags, batch.flags.map { Int64($0.rawValue) })
    }
    subjects.reserveCapacity(batch.count)
    for subject in batch.subject { subjects.append(Int64(try ordinal(Int64(subject)))) }
    let (shape, bytes) = numbers(subjects, groups(nil))
    column(RowColumn.subject.rawValue, shape, bytes)
    row(.recordedAt, batch.recordedAt)
    var delays = batch.at
    delays.combine(batch.recordedAt) { $0 &- $1 }
    row(.at, delays)
  }

  /// A column whose order is its rows': kinds of small commits, and times.
  private mutating func row(_ column: RowColumn, _ values: [Int64]) {
    columnCount += 1
    columns.byte(column.rawValue)
    columns.integers(values, encodings)
  }

  private mutating func members() throws(UnencodableBatch) {
    var prediction: SecondsPrediction?
    // Timestamps come before what is predicted from them.
    let order = [Member.timestamp] + Member.allCases.filter { $0 != .timestamp }
    for member in order {
      let column = batch[member]
      guard !column.isEmpty else { continue }
      let presence = forms == nil ? Presence(of: column) : nil
      guard column.contains(where: { $0 != EventColumns.absent }) else { continue }
      switch member.storage {
      case .seconds:
        var known = prediction ?? SecondsPrediction(at: batch.at)
        seconds(member, column, presence, known.seconds(of: member))
        if member == .timestamp { known.take(timestamps: column) }
        prediction = known
      case .whole, .flag, .size: integers(member, column, presence)
      case .word:
        integers(member, column.map { $0 == EventColumns.absent ? $0 : word(Int($0)) }, presence)
      case .handle: try handles(member, column, presence)
      case .text: try texts(member, column, presence)
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
    part.integers(entries.map { Int64($0.row) }, encodings)
    part.integers(subjects, encodings)
    part.integers(entries.map { $0.state < 0 ? 0 : word(Int($0.state)) + 1 }, encodings)
    column(RowColumn.inventory.rawValue, ColumnShape(rawValue: 0), part.bytes)
  }
}

// MARK: Columns of members

extension SkeletonEncoding {
  /// The rows of each group of forms that has a member; nothing without forms.
  private func groups(_ member: Member?) -> [[Int32]] {
    forms?.groups(with: member?.rawValue) ?? []
  }

  /// Numbers of the rows that a column has, absent in all others: form by form where there are
  /// forms and rows of several of them, else in the order of rows.
  private func numbers(_ column: [Int64], _ groups: [[Int32]]) -> (ColumnShape, [UInt8]) {
    var writer = SectionWriter()
    if groups.count > 1 {
      for rows in groups { writer.integers(column.picking(rows), encodings) }
      return (ColumnShape(.grouped), writer.bytes)
    }
    let values = column.filter { $0 != EventColumns.absent }
    let plan = IntegerPlan(values, encodings)
    plan.write(values, to: &writer)
    return (plan.shape, writer.bytes)
  }

  private mutating func integers(_ member: Member, _ column: [Int64], _ presence: Presence?) {
    let (shape, bytes) = numbers(column, groups(member))
    self.column(member, shape, presence, bytes)
  }

  /// Microseconds as they are or, where all are whole seconds, the shorter of seconds and their
  /// difference to what is predicted.
  private mutating func seconds(
    _ member: Member, _ column: [Int64], _ presence: Presence?, _ predicted: [Int64]
  ) {
    guard column.allSatisfy({ $0 == EventColumns.absent || $0 % 1_000_000 == 0 }) else {
      integers(member, column, presence)
      return
    }
    let whole = column.each { $0 == EventColumns.absent ? $0 : $0 / 1_000_000 }
    var differences = whole
    differences.combine(predicted) { $0 == EventColumns.absent ? $0 : $0 &- $1 }
    let groups = groups(member)
    var (shape, bytes) = numbers(whole, groups)
    let other = numbers(differences, groups)
    let isPredicted = other.1.count < bytes.count
    if isPredicted { (shape, bytes) = other }
    shape.rawValue |= ColumnShape.seconds | (isPredicted ? ColumnShape.predicted : 0)
    self.column(member, shape, presence, bytes)
  }

  /// Ordinals or, where it is shorter, their differences to the row's subject: handles that first
  /// appear on one row are neighbours.
  private mutating func handles(
    _ member: Member, _ column: [Int64], _ presence: Presence?
  ) throws(UnencodableBatch) {
    var handles = column
    for row in handles.indices where handles[row] != EventColumns.absent {
      handles[row] = Int64(try ordinal(handles[row]))
    }
    let groups = groups(member)
    var (shape, bytes) = numbers(handles, groups)
    if encodings == .packed {
      handles.combine(subjects) { $0 == EventColumns.absent ? $0 : $0 &- $1 }
      let other = numbers(handles, groups)
      if other.1.count < bytes.count {
        (shape, bytes) = other
        shape.rawValue |= ColumnShape.predicted
      }
    }
    self.column(member, shape, presence, bytes)
  }

  private mutating func texts(
    _ member: Member, _ column: [Int64], _ presence: Presence?
  ) throws(UnencodableBatch) {
    var part = SectionWriter()
    var shape = ColumnShape(rawValue: 0)
    if encodings == .packed {
      let references = TextReferences(column, of: batch.texts)
      let (numbersShape, bytes) = numbers(references.back, groups(member))
      shape = ColumnShape(.packed)
      part.byte(numbersShape.rawValue)
      part.varint(bytes.count)
      part.append(bytes)
      try part.texts(references.new, of: batch.texts, encodings)
    } else {
      let codes = column.filter { $0 != EventColumns.absent }.map { Int32($0) }
      try part.texts(codes, of: batch.texts, encodings)
    }
    self.column(member, shape, presence, part.bytes)
  }

  private mutating func column(
    _ member: Member, _ shape: ColumnShape, _ presence: Presence?, _ bytes: [UInt8]
  ) {
    var shape = shape
    var part = SectionWriter()
    if let presence {
      if let same = presences.first(where: { $0.presence.bits == presence.bits }) {
        shape.presence = .sameAs
        part.byte(same.number)
      } else {
        shape.presence = presence.write(to: &part)
        if shape.presence != .all { presences.append((member.rawValue, presence)) }
      }
    } else if forms?.haveAll(member.rawValue) == false {
      shape.presence = .sameAs
      part.byte(RowColumn.forms.rawValue)
    }
    part.append(bytes)
    column(member.rawValue, shape, part.bytes)
  }

  private mutating func column(_ number: UInt8, _ shape: ColumnShape, _ bytes: [UInt8]) {
    columnCount += 1
    columns.byte(number)
    columns.byte(shape.rawValue)
    columns.varint(bytes.count)
    columns.append(bytes)
  }
}

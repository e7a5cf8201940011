internal import ActivityCore

// Columns of members: what is read of each, and what it becomes.

extension SkeletonDecoding {
  mutating func column(
    _ member: Member, _ shape: ColumnShape, _ part: inout SectionReader
  ) throws(MalformedCommit) {
    let number = Int(member.rawValue)
    let isPredictable = shape.isSeconds || member.storage == .handle
    guard member.storage == .seconds || !shape.isSeconds, isPredictable || !shape.isPredicted
    else { throw part.malformed(.unknownEncoding) }
    presenceParts[number] = (shape.presence, part)
    guard wanted.contains(member) || member == .timestamp && wanted.hasDates else {
      try part.skip(part.remaining)
      return
    }
    let rows = try rows(shape.presence, number, &part)
    var whole: [Int64]
    if member.storage == .text {
      whole = try texts(shape, rows, number, &part)
    } else if rows.count == 0 {
      whole = []
    } else {
      whole = try numbers(shape, shape.presence == .all ? nil : member, rows, &part)
      unscale(&whole, member, shape)
      try check(member, &whole, part)
    }
    if member == .timestamp, !whole.isEmpty {
      prediction?.take(timestamps: whole)
      timestamps = whole
    }
    if wanted.contains(member), !whole.isEmpty { batch.setColumn(member, whole) }
  }

  /// The numbers of a column, absent in rows that have none.
  func numbers(
    _ shape: ColumnShape, _ member: Member?, _ rows: ColumnRows, _ part: inout SectionReader
  ) throws(MalformedCommit) -> [Int64] {
    let present = rows.count ?? count
    if shape.encoding == .grouped {
      guard let forms, !shape.hasExceptions else { throw part.malformed(.unknownEncoding) }
      return try forms.column(member?.rawValue, of: present, &part)
    }
    let values = try part.values(shape, present)
    switch rows {
    case .all: return values
    case .listed(let list): return values.scattered(list, of: count)
    case .formed(let number, _):
      return values.scattered(forms?.rows(with: number) ?? [], of: count)
    }
  }

  /// Texts as codes, absent where a row has none.
  private mutating func texts(
    _ shape: ColumnShape, _ rows: ColumnRows, _ number: Int, _ part: inout SectionReader
  ) throws(MalformedCommit) -> [Int64] {
    let present = rows.count ?? count
    let first = Int64(batch.texts.count)
    if shape.rawValue & 0x3F == 0 {
      try part.texts(present, into: &batch.texts)
      let codes = (first..<first + Int64(present)).map { $0 }
      guard present > 0 else { return [] }
      switch rows {
      case .all: return codes
      case .listed(let list): return codes.scattered(list, of: count)
      // Only packed texts are written beside forms.
      case .formed: throw part.malformed(.unknownEncoding)
      }
    }
    guard shape.rawValue & 0x3F == IntegerEncoding.packed.rawValue, present > 0 else {
      throw part.malformed(.unknownEncoding)
    }
    let inner = ColumnShape(rawValue: try part.byte())
    guard inner.presence == .all, !inner.isSeconds, !inner.isPredicted else {
      throw part.malformed(.unknownEncoding)
    }
    var innerPart = try part.part()
    let member = shape.presence == .all ? nil : Member(rawValue: UInt8(number))
    var codes = try numbers(inner, member, rows, &innerPart)
    try innerPart.finish()
    guard let next = SkeletonDecoding.resolve(&codes, from: first) else {
      throw part.malformed(.codeOutOfRange)
    }
    try part.texts(Int(next - first), into: &batch.texts)
    return codes
  }

  /// Makes codes from references back, the first new text getting `first`; the code behind the last
  /// one, or nil where a reference leads before the first.
  private static func resolve(_ codes: inout [Int64], from first: Int64) -> Int64? {
    codes.withUnsafeMutableBufferPointer { codes in
      var next = first
      for row in 0..<codes.count where codes[row] != EventColumns.absent {
        let back = codes[row]
        guard back >= 0, back <= next &- first else { return nil }
        codes[row] = next &- back
        if back == 0 { next &+= 1 }
      }
      return next
    }
  }

  /// That codes and ordinals are in range; words become codes of the batch.
  private func check(
    _ member: Member, _ values: inout [Int64], _ part: SectionReader
  ) throws(MalformedCommit) {
    switch member.storage {
    case .word:
      guard values.allAbsentOrBelow(wordCount) else { throw part.malformed(.codeOutOfRange) }
      guard firstWord > 0 else { return }
      let first = Int64(firstWord)
      values.change { $0 == EventColumns.absent ? $0 : $0 &+ first }
    case .handle:
      guard values.allAbsentOrBelow(CommitBounds.ordinalsMax) else {
        throw part.malformed(.ordinalOutOfRange)
      }
    case .seconds, .whole, .flag, .size, .text: break
    }
  }

  /// Makes values of what a column is kept as.
  private mutating func unscale(_ values: inout [Int64], _ member: Member, _ shape: ColumnShape) {
    if shape.isPredicted, member.storage == .handle {
      values.withUnsafeMutableBufferPointer { values in
        batch.subject.withUnsafeBufferPointer { subjects in
          for row in 0..<min(values.count, subjects.count) {
            let value = values[row]
            values[row] = value == EventColumns.absent ? value : value &+ Int64(subjects[row])
          }
        }
      }
    } else if shape.isPredicted {
      if prediction == nil {
        prediction = SecondsPrediction(at: batch.at)
        prediction?.take(timestamps: timestamps)
      }
      values.combine(prediction?.seconds(of: member) ?? []) { value, predicted in
        value == EventColumns.absent ? value : (value &+ predicted) &* 1_000_000
      }
    } else if shape.isSeconds {
      values.change { $0 == EventColumns.absent ? $0 : $0 &* 1_000_000 }
    }
  }

  private mutating func rows(
    _ form: PresenceForm, _ number: Int, _ part: inout SectionReader
  ) throws(MalformedCommit) -> ColumnRows {
    switch form {
    case .all: return .all
    case .bitmap, .list:
      let rows = try part.rows(form, of: count)
      presenceRows[number] = rows
      return .listed(rows)
    case .sameAs:
      let other = Int(try part.byte())
      if other == RowColumn.forms.rawValue, let forms {
        // Rows of forms that all have it are the whole column, which has a presence of its own.
        let present = forms.count(with: UInt8(number))
        guard present < count else { throw part.malformed(.rowOutOfRange) }
        return .formed(UInt8(number), count: present)
      }
      guard other < Member.columnLimit, other != number, let known = presenceParts[other],
        known.form == .bitmap || known.form == .list
      else { throw part.malformed(.rowOutOfRange) }
      if let rows = presenceRows[other] { return .listed(rows) }
      var otherPart = known.reader
      let rows = try otherPart.rows(known.form, of: count)
      presenceRows[other] = rows
      return .listed(rows)
    }
  }
}

/// Which rows of a commit have a column.
enum ColumnRows {
  case all
  /// Rising.
  case listed([Int32])
  /// The rows of the forms that have a member, and how many they are.
  case formed(UInt8, count: Int)

  /// nil for all.
  var count: Int? {
    switch self {
    case .all: nil
    case .listed(let rows): rows.count
    case .formed(_, let count): count
    }
  }
}

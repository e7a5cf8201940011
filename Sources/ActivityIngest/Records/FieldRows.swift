internal import ActivityCore

/// Lines of fields under a header (RFC 4180; comma, semicolon or tab, whichever the header has most
/// of, or what a first line `sep=;` says): each becomes an object of texts named by the header.
///
/// A field that is empty, or holds what databases write for nothing, is null; so every record has
/// all names. A name that the header has twice gets a number the second time: `status`, `status 2`.
struct FieldRows: Sendable {
  /// So many fields under a header of one make that a line of words above the table.
  private static let tableFields = 3
  /// How long a row of several lines may grow before its quote counts as never closed.
  static let rowMax = 256 << 10

  /// A row's place within a file's lines, while quotes may be open.
  private enum Place {
    case fieldStart, plain, quoted
    /// Behind a quote inside quotes: it ends the field, or is the first of two.
    case behindQuote

    mutating func pass(_ byte: UInt8, isSeparator: Bool) {
      switch self {
      case .fieldStart:
        self = byte == FieldRows.quote ? .quoted : isSeparator ? .fieldStart : .plain
      case .plain: if isSeparator { self = .fieldStart }
      case .quoted: if byte == FieldRows.quote { self = .behindQuote }
      case .behindQuote:
        self = byte == FieldRows.quote ? .quoted : isSeparator ? .fieldStart : .plain
      }
    }
  }

  struct Field: Equatable {
    var bytes: [UInt8] = []
    var isQuoted = false
  }

  private static let quote = UInt8(ascii: "\"")
  private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// Nil until the header, or a line before it, has told.
  private var separator: UInt8?
  private var header: [[UInt8]] = []
  /// Each name as it stands before its value: in quotes, with the colon; empty for a column
  /// without.
  private var openings: [[UInt8]] = []
  /// The header as it stands, and where.
  private var headerRow: [UInt8] = []
  private var headerLine = 0
  /// Whether a line before the header says what separates fields.
  private var isSaid = false
  /// A row whose quotes are still open, and where it began.
  private var pending: [UInt8] = []
  private var firstLine = 0
  private var place = Place.fieldStart
  private var isOpen = false

  var isInside: Bool { isOpen }

  mutating func take(_ line: UnsafeRawBufferPointer, number: Int, into pieces: inout [FramedPiece])
  {
    if isOpen {
      pending.append(UInt8(ascii: "\n"))
    } else {
      guard line.contains(where: { $0 > 0x20 }) else { return }
      firstLine = number
      place = .fieldStart
    }
    pending.append(contentsOf: line)
    for byte in line { place.pass(byte, isSeparator: isSeparator(byte)) }
    isOpen = place == .quoted
    guard !isOpen else {
      if pending.count > FieldRows.rowMax { giveUp(into: &pieces) }
      return
    }
    let row = pending
    pending = []
    settle(row, line: firstLine, into: &pieces)
  }

  mutating func finish(into pieces: inout [FramedPiece]) {
    if isOpen { giveUp(into: &pieces) }
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    guard let separator else { return FieldRows.separators.contains(byte) }
    return byte == separator
  }

  /// A quote was opened and is not closed: its line is refused, and those behind it are read as
  /// rows of one line each, so that one stray quote does not take the others with it.
  private mutating func giveUp(into pieces: inout [FramedPiece]) {
    let lines = pending.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    pending = []
    isOpen = false
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      var place = Place.fieldStart
      for byte in line { place.pass(byte, isSeparator: isSeparator(byte)) }
      if index == 0 || place == .quoted {
        refuse(
          "field-not-closed",
          "A quote is opened and never closed; double quotes inside a field: "
            + "\"\".", Array(line), line: firstLine + index, into: &pieces)
      } else {
        settle(Array(line), line: firstLine + index, into: &pieces)
      }
    }
  }

  private mutating func settle(_ row: [UInt8], line: Int, into pieces: inout [FramedPiece]) {
    guard !header.isEmpty else { return begin(row, line: line) }
    if isBanner, Self.fields(of: row, Self.separator(of: row)).count >= Self.tableFields {
      pieces.append(.record(SourceRecord(line: headerLine, bytes: headerRow)))
      separator = nil
      return begin(row, line: line)
    }
    let fields = Self.fields(of: row, separator ?? UInt8(ascii: ","))
    let isShort = fields.count < header.count
    guard !isShort, fields.dropFirst(header.count).allSatisfy({ $0.bytes.isEmpty }) else {
      return refuse(
        "wrong-number-of-fields",
        "The row has \(isShort ? "fewer" : "more") fields than the header, which has "
          + "\(header.count); quote fields that hold the separator.",
        row, line: line, into: &pieces)
    }
    let bytes = object(of: fields)
    pieces.append(.record(SourceRecord(line: line, bytes: row, json: JSONSlice(bytes))))
  }

  /// Whether what was taken for the header is one name, as a line of words above a table would be.
  private var isBanner: Bool { header.count == 1 && !isSaid }

  private mutating func begin(_ row: [UInt8], line: Int) {
    (headerRow, headerLine) = (row, line)
    if row.count == 5, row.starts(with: "sep=".utf8), separator == nil {
      (separator, isSaid) = (row[4], true)
      return
    }
    let chosen = separator ?? Self.separator(of: row)
    separator = chosen
    var seen: Set<[UInt8]> = []
    var next: [[UInt8]: Int] = [:]
    header = Self.fields(of: row, chosen).map { field in
      let name = Self.trimmed(Self.utf8(field.bytes))
      var unique = name
      var number = next[name] ?? 2
      while !name.isEmpty, !seen.insert(unique).inserted {
        unique = name + Array(" \(number)".utf8)
        number += 1
      }
      next[name] = number
      return unique
    }
    openings = header.map { name in
      guard !name.isEmpty else { return [] }
      var opening: [UInt8] = []
      JSONText.append(name, to: &opening)
      return opening + [UInt8(ascii: ":")]
    }
  }

  /// Of which the header has most outside quotes; the comma where it has none.
  private static func separator(of row: [UInt8]) -> UInt8 {
    var counts = [Int](repeating: 0, count: separators.count)
    var place = Place.fieldStart
    for byte in row {
      let index = separators.firstIndex(of: byte)
      place.pass(byte, isSeparator: index != nil)
      if let index, place == .fieldStart { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return separators[counts.firstIndex(of: most) ?? 0]
  }

  private func refuse(
    _ code: String, _ sentence: String, _ row: [UInt8], line: Int, into pieces: inout [FramedPiece]
  ) {
    let refusal = LineRefusal(
      line: line, column: 1, reason: .source(code: code, sentence: sentence))
    pieces.append(.broken(refusal, row))
  }

  private func object(of fields: [Field]) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    for (opening, field) in zip(openings, fields) where !opening.isEmpty {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: opening)
      if Self.isNothing(field) {
        bytes.append(contentsOf: "null".utf8)
      } else {
        Self.utf8(field.bytes).withUnsafeBufferPointer { MemberSpelling.append($0, to: &bytes) }
      }
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Empty; the words of databases for it, unless they are quoted; and MySQL's day that never was.
  private static func isNothing(_ field: Field) -> Bool {
    guard let first = field.bytes.first else { return true }
    if first == UInt8(ascii: "0"), field.bytes.starts(with: "0000-00-00".utf8) { return true }
    return !field.isQuoted && field.bytes.count <= 4
      && ["NULL", "null", "\\N"].contains { field.bytes.elementsEqual($0.utf8) }
  }

  /// What is no UTF-8 is replaced: JSON has no other text.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    bytes.allSatisfy { $0 < 0x80 } ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func trimmed(_ field: [UInt8]) -> [UInt8] {
    Array(field.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed())
  }

  /// Fields of a whole row; quotes around a field go, doubled ones inside it are one.
  static func fields(of row: [UInt8], _ separator: UInt8) -> [Field] {
    var fields: [Field] = []
    var field = Field()
    var place = Place.fieldStart
    for byte in row {
      let before = place
      place.pass(byte, isSeparator: byte == separator)
      switch (before, place) {
      case (.quoted, .behindQuote): break
      case (.fieldStart, .quoted): field.isQuoted = true
      case (.fieldStart, .fieldStart), (.plain, .fieldStart), (.behindQuote, .fieldStart):
        fields.append(field)
        field = Field()
      default: field.bytes.append(byte)
      }
    }
    fields.append(field)
    return fields
  }
}

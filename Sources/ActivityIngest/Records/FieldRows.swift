internal import ActivityCore

/// Lines of fields under a header (RFC 4180; comma, semicolon or tab, whichever the header has most
/// of): each becomes an object of texts named by the header. An empty field is left out.
struct FieldRows: Sendable {
  private var separator = UInt8(ascii: ",")
  private var header: [[UInt8]] = []
  /// A row whose quotes are still open, and where it began.
  private var pending: [UInt8] = []
  private var firstLine = 0
  private var isOpen = false

  var isInside: Bool { isOpen }

  mutating func take(_ line: UnsafeRawBufferPointer, number: Int, into pieces: inout [FramedPiece])
  {
    if isOpen {
      pending.append(UInt8(ascii: "\n"))
    } else {
      guard line.contains(where: { $0 > 0x20 }) else { return }
      firstLine = number
    }
    pending.append(contentsOf: line)
    isOpen = !pending.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2)
    guard !isOpen else {
      if pending.count > LineReader.lineLimit { refuse("field-not-closed", into: &pieces) }
      return
    }
    let row = pending
    pending = []
    guard !header.isEmpty else { return begin(row) }
    let fields = Self.fields(of: row, separator)
    guard fields.count == header.count else {
      pending = row
      return refuse("wrong-number-of-fields", into: &pieces)
    }
    let bytes = object(of: fields)
    pieces.append(
      .record(SourceRecord(line: firstLine, bytes: row, json: JSONSlice(bytes))))
  }

  mutating func finish(into pieces: inout [FramedPiece]) {
    if isOpen { refuse("field-not-closed", into: &pieces) }
  }

  private mutating func begin(_ row: [UInt8]) {
    let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    separator =
      separators.max { a, b in
        row.count(where: { $0 == a }) < row.count(where: { $0 == b })
      } ?? separator
    header = Self.fields(of: row, separator).map { Self.trimmed($0) }
  }

  private mutating func refuse(_ code: String, into pieces: inout [FramedPiece]) {
    let sentence =
      code == "field-not-closed"
      ? "A quote is opened and never closed; double quotes inside a field: \"\"."
      : "The row has not as many fields as the header, \(header.count); quote fields that hold "
        + "the separator."
    let refusal = LineRefusal(
      line: firstLine, column: 1, reason: .source(code: code, sentence: sentence))
    pieces.append(.broken(refusal, pending))
    pending = []
    isOpen = false
  }

  private func object(of fields: [[UInt8]]) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    for (name, field) in zip(header, fields) where !field.isEmpty && !name.isEmpty {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(Self.utf8(name), to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSONText.append(Self.utf8(field), to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// What is no UTF-8 is replaced: JSON has no other text.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    bytes.allSatisfy { $0 < 0x80 } ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func trimmed(_ field: [UInt8]) -> [UInt8] {
    Array(field.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed())
  }

  /// Fields of a whole row; quotes around a field go, doubled ones inside it are one.
  static func fields(of row: [UInt8], _ separator: UInt8) -> [[UInt8]] {
    let quote = UInt8(ascii: "\"")
    var fields: [[UInt8]] = []
    var field: [UInt8] = []
    var isQuoted = false
    var place = 0
    while place < row.count {
      let byte = row[place]
      place += 1
      if isQuoted {
        guard byte == quote else {
          field.append(byte)
          continue
        }
        if place < row.count, row[place] == quote {
          field.append(quote)
          place += 1
        } else {
          isQuoted = false
        }
      } else if byte == quote, field.isEmpty {
        isQuoted = true
      } else if byte == separator {
        fields.append(field)
        field = []
      } else {
        field.append(byte)
      }
    }
    fields.append(field)
    return fields
  }
}

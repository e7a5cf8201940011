internal import ActivityCore

/// A stream of JSON objects, however they are laid out: one a line, several on a line, over many
/// lines, or as elements of an array, which is never held whole. What stands between them is text.
///
/// Brackets are matched by their kind of byte alone, strings respected; whether a piece is JSON is
/// checked when it is whole.
struct JSONDocuments: Sendable {
  /// Of the object that has begun: its bytes so far, and how many braces and brackets are open.
  private var pending: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var firstLine = 0

  var isInside: Bool { depth > 0 }

  mutating func take(_ line: UnsafeRawBufferPointer, number: Int, into pieces: inout [FramedPiece])
  {
    // Nested objects of a laid-out document are indented: one at the margin begins a new document,
    // and the one before was cut off.
    if depth > 0, line.first == UInt8(ascii: "{") { refuseCut(into: &pieces) }
    var place = 0
    while place < line.count {
      if depth > 0 {
        scan(line, &place, number: number, into: &pieces)
        continue
      }
      let byte = line[place]
      if byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
        || byte == UInt8(ascii: "[") && Self.opensArray(line, at: place)
      {
        place += 1
      } else if byte == UInt8(ascii: "{") {
        firstLine = number
        scan(line, &place, number: number, into: &pieces)
      } else {
        let rest = Array(UnsafeRawBufferPointer(rebasing: line[place...]))
        pieces.append(.record(SourceRecord(line: number, bytes: rest)))
        return
      }
    }
    guard depth > 0 else { return }
    // JSON has no line end inside a string.
    if isInString { return refuseCut(into: &pieces) }
    pending.append(UInt8(ascii: "\n"))
    if pending.count > LineReader.lineLimit { refuse(.lineTooLong, into: &pieces) }
  }

  mutating func finish(into pieces: inout [FramedPiece]) {
    if depth > 0 { refuseCut(into: &pieces) }
  }

  /// Whether a bracket begins an array of objects, and not a line of text such as `[INFO] …`.
  private static func opensArray(_ line: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard let next = line[(place + 1)...].first(where: { $0 > 0x20 }) else { return true }
    return next == UInt8(ascii: "{") || next == UInt8(ascii: "]") || next == UInt8(ascii: "[")
  }

  /// Goes on to the end of the object or of the line.
  private mutating func scan(
    _ line: UnsafeRawBufferPointer, _ place: inout Int, number: Int,
    into pieces: inout [FramedPiece]
  ) {
    let start = place
    while place < line.count {
      let byte = line[place]
      place += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: continue
      }
      guard depth == 0 else { continue }
      pending.append(contentsOf: line[start..<place])
      return finishObject(column: start, into: &pieces)
    }
    pending.append(contentsOf: line[start...])
  }

  private mutating func finishObject(column: Int, into pieces: inout [FramedPiece]) {
    let bytes = pending
    reset()
    if let json = JSONSlice(bytes) {
      return pieces.append(.record(SourceRecord(line: firstLine, bytes: bytes, json: json)))
    }
    let failure = bytes.withUnsafeBytes { JSONScanner.validate($0) }
    let refusal = LineRefusal(
      line: firstLine, column: column + (failure?.offset ?? 0) + 1,
      reason: .notJSON(failure?.reason ?? .unexpectedByte))
    pieces.append(.broken(refusal, bytes))
  }

  private mutating func refuseCut(into pieces: inout [FramedPiece]) {
    refuse(.notJSON(.unexpectedEnd), into: &pieces)
  }

  private mutating func refuse(
    _ reason: LineRefusal.Reason, into pieces: inout [FramedPiece]
  ) {
    let refusal = LineRefusal(line: firstLine, column: pending.count, reason: reason)
    pieces.append(.broken(refusal, pending))
    reset()
  }

  private mutating func reset() {
    pending = []
    depth = 0
    isInString = false
    isEscaped = false
  }
}

/// Single values of a line: read, or refused with the member's name.
extension LineReader {
  func bytes(_ place: JSONPlace, _ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: line[place.range])
  }

  func problem(_ place: JSONPlace, _ reason: LineRefusal.Reason) -> LineProblem {
    LineProblem(offset: place.range.lowerBound, reason: reason)
  }

  func wrongType(_ place: JSONPlace, _ name: LineName, _ expected: String) -> LineProblem {
    problem(place, .wrongType(member: name.spelling, expected: expected))
  }

  /// Whether a string is spelled as export would spell its text.
  func isCanonical(_ place: JSONPlace, _ line: UnsafeRawBufferPointer) -> Bool {
    guard place.hasEscapes else { return true }
    return JSONText.isCanonical(UnsafeRawBufferPointer(rebasing: line[place.inner]))
  }

  /// A text that is neither empty nor long.
  mutating func text(
    _ place: JSONPlace, _ name: LineName, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) -> LineFacts.Text {
    guard place.type == .string else { throw wrongType(place, name, "a string") }
    var text = LineFacts.Text(range: place.inner, isInScratch: false)
    guard !text.range.isEmpty else { throw problem(place, .emptyText(member: name.spelling)) }
    if place.hasEscapes {
      let start = facts.scratch.count
      JSONText.unescape(line[text.range], into: &facts.scratch)
      text = LineFacts.Text(range: start..<facts.scratch.count, isInScratch: true)
    }
    guard text.range.count <= LineReader.textLimit else {
      throw problem(place, .textTooLong(member: name.spelling))
    }
    return text
  }

  /// A token's digest; its raw text is remembered as one that must not stay.
  mutating func digest(
    _ place: JSONPlace, _ name: LineName, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) -> LineFacts.Text {
    let token = try text(place, name, line)
    let spelled = UnsafeRawBufferPointer(rebasing: line[place.inner])
    var digest: [UInt8] = []
    if token.isInScratch {
      let raw = Array(facts.scratch[token.range])
      raw.withUnsafeBytes { tokens.appendDigest(of: $0, spelled: spelled, to: &digest) }
    } else {
      tokens.appendDigest(of: spelled, spelled: spelled, to: &facts.scratch)
      let end = facts.scratch.count
      return LineFacts.Text(range: (end - TokenDigest.length)..<end, isInScratch: true)
    }
    facts.scratch.append(contentsOf: digest)
    let end = facts.scratch.count
    return LineFacts.Text(range: (end - digest.count)..<end, isInScratch: true)
  }

  /// A whole number in any JSON spelling.
  func whole(
    _ place: JSONPlace, _ name: LineName, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) -> Int64 {
    guard place.type == .number else { throw wrongType(place, name, "a whole number") }
    guard let scaled = DecimalText.read(bytes(place, line), power: 0), scaled.isExact,
      scaled.value.magnitude < 1_000_000_000_000_000_000
    else { throw problem(place, .notWhole(member: name.spelling)) }
    return scaled.value
  }

  /// An instant in microseconds, from Unix seconds or RFC 3339.
  func time(
    _ place: JSONPlace, _ name: LineName, _ line: UnsafeRawBufferPointer
  ) throws(LineProblem) -> Int64 {
    switch place.type {
    case .number:
      guard let instant = Timestamp(number: bytes(place, line)) else {
        throw problem(place, .timeOutOfRange(member: name.spelling))
      }
      return instant.microseconds
    case .string where !place.hasEscapes:
      let text = UnsafeRawBufferPointer(rebasing: line[place.inner])
      guard let instant = Timestamp(rfc3339: text) else {
        throw problem(place, .badTime(member: name.spelling))
      }
      return instant.microseconds
    case .string: throw problem(place, .badTime(member: name.spelling))
    case .object, .array, .true, .false, .null:
      throw wrongType(place, name, "Unix seconds or RFC 3339 text")
    }
  }

  /// The bytes of a text, wherever they are.
  func withBytes<R>(
    _ text: LineFacts.Text, _ line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    guard text.isInScratch else {
      return body(UnsafeRawBufferPointer(rebasing: line[text.range]))
    }
    return facts.scratch.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[text.range]))
    }
  }
}

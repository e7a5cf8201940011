/// One member of an object, as places in the scanned bytes.
package struct JSONMember: Sendable {
  /// Between the quotes of the name.
  package var name: Range<Int>
  package var nameHasEscapes: Bool
  package var value: JSONPlace
}

/// A value as a place in the scanned bytes.
package struct JSONPlace: Sendable {
  /// The whole value, quotes and brackets included.
  package var range: Range<Int>
  package var type: JSONType
  /// True of a string that holds a backslash.
  package var hasEscapes: Bool

  /// Between the quotes of a string.
  package var inner: Range<Int> { (range.lowerBound + 1)..<(range.upperBound - 1) }
}

/// A validating scanner for RFC 8259 that yields exact slices and copies nothing.
///
/// Common objects are left to `QuickScanner`, which reads a copy sixteen bytes at a time; what it
/// declines is read here. In release a raw buffer does not check its bounds, so every read here
/// stands behind a comparison with `count`.
package struct JSONScanner {
  /// How deep objects and arrays may nest; the document's own is level 1.
  package static let depthLimit = 512

  let bytes: UnsafeRawBufferPointer
  var offset = 0
  var failure: JSONFailure?
  /// Whether the string scanned last holds a backslash.
  var sawEscape = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Checks a whole document; nil when it is JSON.
  package static func validate(_ bytes: UnsafeRawBufferPointer) -> JSONFailure? {
    guard !QuickScanner.isObject(bytes) else { return nil }
    return validateCarefully(bytes)
  }

  /// The same, byte by byte; the failure's place is decided here.
  static func validateCarefully(_ bytes: UnsafeRawBufferPointer) -> JSONFailure? {
    var scanner = JSONScanner(bytes)
    return scanner.document { $0.value(0) }.failure
  }

  /// Checks a whole document and adds its members when it is an object.
  ///
  /// - Returns: its type, or where it stops being JSON; `members` is complete only for an object.
  package static func members(
    of bytes: UnsafeRawBufferPointer, into members: inout [JSONMember]
  ) -> Result<JSONType, JSONFailure> {
    members.removeAll(keepingCapacity: true)
    guard !QuickScanner.members(of: bytes, into: &members) else { return .success(.object) }
    return membersCarefully(of: bytes, into: &members)
  }

  /// The same, byte by byte; the failure's place is decided here.
  static func membersCarefully(
    of bytes: UnsafeRawBufferPointer, into members: inout [JSONMember]
  ) -> Result<JSONType, JSONFailure> {
    members.removeAll(keepingCapacity: true)
    var scanner = JSONScanner(bytes)
    scanner.skipBlank()
    guard scanner.offset < bytes.count, bytes[scanner.offset] == UInt8(ascii: "{") else {
      return scanner.document { $0.value(0) }
    }
    return scanner.document { $0.object(0) { members.append($0) } ? .object : nil }
  }

  /// Checks a whole document and adds its elements when it is an array.
  package static func elements(
    of bytes: UnsafeRawBufferPointer, into elements: inout [JSONPlace]
  ) -> Result<JSONType, JSONFailure> {
    elements.removeAll(keepingCapacity: true)
    var scanner = JSONScanner(bytes)
    scanner.skipBlank()
    guard scanner.offset < bytes.count, bytes[scanner.offset] == UInt8(ascii: "[") else {
      return scanner.document { $0.value(0) }
    }
    return scanner.document { $0.array(0) { elements.append($0) } ? .array : nil }
  }

  private mutating func document(
    _ body: (inout JSONScanner) -> JSONType?
  ) -> Result<JSONType, JSONFailure> {
    skipBlank()
    let type = body(&self)
    if type != nil {
      skipBlank()
      if offset < bytes.count { _ = fail(.trailingBytes) }
    }
    if let failure { return .failure(failure) }
    guard let type else { return .failure(JSONFailure(offset: offset, reason: .unexpectedByte)) }
    return .success(type)
  }

  /// Notes the first failure; false, so that callers can return it.
  mutating func fail(_ reason: JSONFailure.Reason, at place: Int? = nil) -> Bool {
    guard failure == nil else { return false }
    let place = place ?? offset
    let isNul = place < bytes.count && bytes[place] == 0
    failure = JSONFailure(offset: place, reason: isNul ? .nulByte : reason)
    return false
  }

  /// Fails at the present byte, or at the end if there is none.
  mutating func failHere(_ reason: JSONFailure.Reason = .unexpectedByte) -> Bool {
    fail(offset < bytes.count ? reason : .unexpectedEnd)
  }

  @inline(__always)
  mutating func skipBlank() {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte > 0x20 { return }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      offset += 1
    }
  }

  /// Scans the value at `offset`; nil after a failure.
  mutating func value(_ depth: Int) -> JSONType? {
    guard offset < bytes.count else {
      _ = failHere()
      return nil
    }
    switch bytes[offset] {
    case UInt8(ascii: "\""): return string() ? .string : nil
    case UInt8(ascii: "{"): return object(depth) { _ in } ? .object : nil
    case UInt8(ascii: "["): return array(depth) { _ in } ? .array : nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number() ? .number : nil
    case UInt8(ascii: "t"): return literal("true") ? .true : nil
    case UInt8(ascii: "f"): return literal("false") ? .false : nil
    case UInt8(ascii: "n"): return literal("null") ? .null : nil
    default:
      _ = fail(.unexpectedByte)
      return nil
    }
  }

  @inline(__always)
  private mutating func object(_ depth: Int, _ take: (JSONMember) -> Void) -> Bool {
    guard depth < JSONScanner.depthLimit else { return fail(.tooDeep) }
    offset += 1
    skipBlank()
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "}") {
      offset += 1
      return true
    }
    while true {
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return failHere() }
      let nameStart = offset + 1
      guard string() else { return false }
      let name = nameStart..<(offset - 1)
      let nameHasEscapes = sawEscape
      skipBlank()
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { return failHere() }
      offset += 1
      skipBlank()
      let start = offset
      guard let type = value(depth + 1) else { return false }
      let place = JSONPlace(
        range: start..<offset, type: type, hasEscapes: type == .string && sawEscape)
      take(JSONMember(name: name, nameHasEscapes: nameHasEscapes, value: place))
      guard let more = separator(closing: UInt8(ascii: "}")) else { return false }
      if !more { return true }
    }
  }

  @inline(__always)
  private mutating func array(_ depth: Int, _ take: (JSONPlace) -> Void) -> Bool {
    guard depth < JSONScanner.depthLimit else { return fail(.tooDeep) }
    offset += 1
    skipBlank()
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "]") {
      offset += 1
      return true
    }
    while true {
      let start = offset
      guard let type = value(depth + 1) else { return false }
      take(
        JSONPlace(range: start..<offset, type: type, hasEscapes: type == .string && sawEscape))
      guard let more = separator(closing: UInt8(ascii: "]")) else { return false }
      if !more { return true }
    }
  }

  /// After a member or element: true when another follows, false at the end, nil on failure.
  @inline(__always)
  private mutating func separator(closing: UInt8) -> Bool? {
    skipBlank()
    guard offset < bytes.count else {
      _ = failHere()
      return nil
    }
    let byte = bytes[offset]
    guard byte == UInt8(ascii: ",") || byte == closing else {
      _ = fail(.unexpectedByte)
      return nil
    }
    offset += 1
    guard byte != closing else { return false }
    skipBlank()
    return true
  }

  private mutating func literal(_ word: StaticString) -> Bool {
    for index in 0..<word.utf8CodeUnitCount {
      guard offset < bytes.count, bytes[offset] == word.utf8Start[index] else {
        return failHere()
      }
      offset += 1
    }
    return true
  }

  private mutating func number() -> Bool {
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
      offset += 1
      if digit() != nil { return fail(.invalidNumber) }
    } else {
      guard digits() else { return failHere(.invalidNumber) }
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      guard digits() else { return failHere(.invalidNumber) }
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < bytes.count, bytes[offset] == 0x2B || bytes[offset] == 0x2D { offset += 1 }
      guard digits() else { return failHere(.invalidNumber) }
    }
    return true
  }

  @inline(__always)
  private func digit() -> UInt8? {
    guard offset < bytes.count else { return nil }
    let value = bytes[offset] &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }

  @inline(__always)
  private mutating func digits() -> Bool {
    let start = offset
    while digit() != nil { offset += 1 }
    return offset > start
  }
}

extension Result {
  fileprivate var failure: Failure? {
    switch self {
    case .success: nil
    case .failure(let failure): failure
    }
  }
}

/// Whole documents, read where they may be read past their end: in a copy.
extension QuickScanner {
  /// A longer document is not copied.
  static let copyLimit = 64 << 10

  /// Lends a copy of a document without line feeds, with a line feed and the margin behind it.
  @inline(__always)
  static func withCopy<Result>(
    of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let count = bytes.count + 1 + margin
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { copy in
      copy.copyMemory(from: bytes)
      copy[bytes.count] = UInt8(ascii: "\n")
      for place in (bytes.count + 1)..<count { copy[place] = 0 }
      return body(UnsafeRawBufferPointer(copy))
    }
  }

  /// Adds the members of an object; false, and some of them added, to decline the document.
  static func members(
    of bytes: UnsafeRawBufferPointer, into members: inout [JSONMember]
  ) -> Bool {
    guard bytes.first == UInt8(ascii: "{"), bytes.count <= copyLimit else { return false }
    return withCopy(of: bytes) { copy in
      guard let base = copy.baseAddress else { return false }
      var scanner = QuickScanner(base, feed: bytes.count)
      return scanner.members(into: &members) == bytes.count
    }
  }

  /// Whether an object is valid JSON; false also to decline it.
  static func isObject(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.first == UInt8(ascii: "{"), bytes.count <= copyLimit else { return false }
    return withCopy(of: bytes) { copy in
      guard let base = copy.baseAddress else { return false }
      var scanner = QuickScanner(base, feed: bytes.count)
      let end = scanner.value(0, 0)
      return end >= 0 && scanner.blanks(end) == bytes.count
    }
  }

  /// Behind the object that begins at 0 and the blanks that follow it.
  @inline(__always)
  private mutating func members(into members: inout [JSONMember]) -> Int {
    var place = blanks(1)
    if byte(place) == UInt8(ascii: "}") { return blanks(place &+ 1) }
    while true {
      guard byte(place) == UInt8(ascii: "\"") else { return -1 }
      sawEscape = false
      let nameEnd = string(place)
      guard nameEnd >= 0 else { return -1 }
      let nameHasEscapes = sawEscape
      let colon = blanks(nameEnd)
      guard byte(colon) == UInt8(ascii: ":") else { return -1 }
      let start = blanks(colon &+ 1)
      let first = byte(start)
      sawEscape = false
      let end = first == UInt8(ascii: "\"") ? string(start) : value(start, 1)
      guard end >= 0 else { return -1 }
      let type = JSONType(first: first)
      let value = JSONPlace(
        range: start..<end, type: type, hasEscapes: type == .string && sawEscape)
      members.append(
        JSONMember(
          name: (place &+ 1)..<(nameEnd &- 1), nameHasEscapes: nameHasEscapes, value: value))
      place = blanks(end)
      let next = byte(place)
      place = blanks(place &+ 1)
      if next == UInt8(ascii: "}") { return place }
      guard next == UInt8(ascii: ",") else { return -1 }
    }
  }
}

extension JSONType {
  /// The type of a valid value by its first byte.
  @inline(__always)
  fileprivate init(first: UInt8) {
    switch first {
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "t"): self = .true
    case UInt8(ascii: "f"): self = .false
    case UInt8(ascii: "n"): self = .null
    default: self = .number
    }
  }
}

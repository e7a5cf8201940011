/// A place in the raw bytes of a section that never moves past its end.
package struct SectionReader {
  package let bytes: [UInt8]
  package let section: MalformedCommit.Section
  private(set) var offset: Int
  private(set) var end: Int

  package init(_ bytes: [UInt8], _ section: MalformedCommit.Section) {
    self.bytes = bytes
    self.section = section
    offset = 0
    end = bytes.count
  }

  package var remaining: Int { end - offset }

  package func malformed(_ reason: MalformedCommit.Reason) -> MalformedCommit {
    MalformedCommit(section: section, offset: offset, reason: reason)
  }

  package mutating func byte() throws(MalformedCommit) -> UInt8 {
    guard offset < end else { throw malformed(.endsEarly) }
    offset += 1
    return bytes[offset - 1]
  }

  package mutating func varint() throws(MalformedCommit) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { throw malformed(.numberTooLong) }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  package mutating func zigzag() throws(MalformedCommit) -> Int64 {
    SectionReader.unzigzagged(try varint())
  }

  @inline(__always)
  package static func unzigzagged(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A number that something is about to be as large as.
  package mutating func count(limit: Int) throws(MalformedCommit) -> Int {
    let value = try varint()
    guard value <= UInt64(limit) else { throw malformed(.beyondLimit) }
    return Int(value)
  }

  /// The next bytes as a reader of their own.
  package mutating func part(_ length: Int) throws(MalformedCommit) -> SectionReader {
    guard length >= 0, length <= remaining else { throw malformed(.endsEarly) }
    var part = self
    part.end = offset + length
    offset += length
    return part
  }

  /// A part whose length stands before it.
  package mutating func part() throws(MalformedCommit) -> SectionReader {
    let length = try count(limit: bytes.count)
    return try part(length)
  }

  /// Steps over bytes read by other means.
  package mutating func skip(_ length: Int) throws(MalformedCommit) { _ = try part(length) }

  /// Every byte must have had a meaning.
  package func finish() throws(MalformedCommit) {
    guard offset == end else { throw malformed(.longerThanItsContent) }
  }
}

/// Byte strings behind small codes: one arena, no allocation for each string.
///
/// `intern` gives equal texts the same code; `append` never looks, for texts that are nearly always
/// a row's own. Codes start at 0 and count up. UUIDs and fingerprints are kept as 16 bytes and
/// spelled only for who asks for the text. Hashing is seeded for each process, so that input cannot
/// choose collisions; no order of hashes ever reaches output.
public struct TextTable: Sendable {
  /// The kept bytes of all texts, one after the other.
  @usableFromInline internal var arena: [UInt8] = []
  /// By code: where the kept bytes end, times 4, plus the spelling.
  @usableFromInline internal var marks: [Int] = []
  /// Open addressing: half a hash on top, then code + 1; 0 is free. Its count is a power of two.
  private var slots: [UInt64] = []
  private var interned = 0

  /// How many texts it holds.
  @inlinable public var count: Int { marks.count }

  /// The bytes it keeps for all texts together: 16 for a UUID or fingerprint.
  @inlinable public var byteCount: Int { arena.count }

  /// A table without texts.
  public init() {}

  /// Where the kept bytes of `code` lie in the arena.
  @inlinable internal func range(_ code: Int) -> Range<Int> {
    (code == 0 ? 0 : marks[code - 1] >> 2)..<(marks[code] >> 2)
  }

  /// How a text is kept.
  @inlinable package func spelling(_ code: Int) -> TextSpelling {
    TextSpelling(rawValue: UInt8(truncatingIfNeeded: marks[code] & 3)) ?? .raw
  }

  /// The 16 bytes behind a code; nil for a text that is neither UUID nor fingerprint.
  @inlinable package func packed(_ code: Int) -> PackedText? {
    let spelling = spelling(code)
    guard spelling != .raw else { return nil }
    let start = (marks[code] >> 2) - 16
    return arena.withUnsafeBytes { bytes in
      PackedText(
        high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)),
        spelling: spelling)
    }
  }

  /// The bytes kept for a code: 16 for a UUID or fingerprint, else its text.
  @inlinable package func kept(_ code: Int) -> ArraySlice<UInt8> { arena[range(code)] }

  /// Makes room for so many more texts and kept bytes.
  package mutating func reserve(texts: Int, bytes: Int) {
    marks.reserveCapacity(marks.count + texts)
    arena.reserveCapacity(arena.count + bytes)
  }

  // MARK: Adding

  /// Adds bytes without looking whether they are there.
  public mutating func append(_ bytes: some Collection<UInt8>) -> Int {
    if let code = bytes.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) {
      return code
    }
    return Array(bytes).withUnsafeBytes { append($0) }
  }

  /// Adds bytes without looking whether they are there; nothing is read outside the buffer.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    if let packed = PackedText(bytes) { return append(packed) }
    arena.append(contentsOf: bytes)
    marks.append(arena.count << 2)
    return marks.count - 1
  }

  /// Adds a text without looking whether it is there.
  package mutating func append(_ text: PackedText) -> Int {
    withUnsafeBytes(of: (text.high.bigEndian, text.low.bigEndian)) {
      arena.append(contentsOf: $0)
    }
    marks.append(arena.count << 2 | Int(text.spelling.rawValue))
    return marks.count - 1
  }

  /// Adds texts of one spelling, not `raw`, as their 16 bytes one after the other; the first one's
  /// code is returned.
  package mutating func append(packed bytes: UnsafeRawBufferPointer, _ spelling: TextSpelling)
    -> Int
  {
    precondition(bytes.count % 16 == 0 && spelling != .raw, "Packed texts have 16 bytes each.")
    let first = marks.count
    var mark = arena.count << 2 | Int(spelling.rawValue)
    arena.append(contentsOf: bytes)
    for _ in 0..<bytes.count / 16 {
      mark += 64
      marks.append(mark)
    }
    return first
  }

  /// Adds another table's text without looking whether it is there.
  package mutating func append(from other: TextTable, _ code: Int) -> Int {
    arena.append(contentsOf: other.kept(code))
    marks.append(arena.count << 2 | other.marks[code] & 3)
    return marks.count - 1
  }

  // MARK: Looking up

  /// The code of these bytes, new if they are new.
  public mutating func intern(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { intern(UnsafeRawBufferPointer($0)) }
  }

  /// The code of these bytes, new if they are new.
  public mutating func intern(_ bytes: some Collection<UInt8>) -> Int {
    if let code = bytes.withContiguousStorageIfAvailable({ intern(UnsafeRawBufferPointer($0)) }) {
      return code
    }
    return Array(bytes).withUnsafeBytes { intern($0) }
  }

  /// The code of these bytes, new if they are new; nothing is read outside the buffer.
  package mutating func intern(_ bytes: UnsafeRawBufferPointer) -> Int {
    if let packed = PackedText(bytes) { return intern(packed) }
    return intern(kept: bytes, .raw, TextTable.hash(bytes))
  }

  /// The code of a text, new if it is new.
  package mutating func intern(_ text: PackedText) -> Int {
    let hash = TextTable.hash(text)
    return withUnsafeBytes(of: (text.high.bigEndian, text.low.bigEndian)) {
      intern(kept: $0, text.spelling, hash)
    }
  }

  /// The code of another table's text, new if it is new.
  package mutating func intern(from other: TextTable, _ code: Int) -> Int {
    if let packed = other.packed(code) { return intern(packed) }
    return other.arena.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[other.range(code)])
      return intern(kept: text, .raw, TextTable.hash(text))
    }
  }

  /// Looks where another table's UUID or fingerprint would be, and at nothing more. Whoever is to
  /// intern many does this for all of them first: with nothing between one look and the next, a
  /// processor waits for many at a time.
  package func glance(from other: TextTable, _ code: Int) -> UInt64 {
    guard !slots.isEmpty, let packed = other.packed(code) else { return 0 }
    return slots[Int(truncatingIfNeeded: TextTable.hash(packed) >> 32) & (slots.count - 1)]
  }

  private mutating func intern(
    kept bytes: UnsafeRawBufferPointer, _ spelling: TextSpelling, _ hash: UInt64
  ) -> Int {
    if interned * 2 >= slots.count { grow() }
    let (slot, code) = find(bytes, spelling, hash)
    if let code { return code }
    arena.append(contentsOf: bytes)
    marks.append(arena.count << 2 | Int(spelling.rawValue))
    slots[slot] = hash & TextTable.hashHalf | UInt64(marks.count)
    interned += 1
    return marks.count - 1
  }

  /// The code of these bytes if they were interned.
  public func code(of bytes: some Collection<UInt8>) -> Int? {
    guard interned > 0 else { return nil }
    return Array(bytes).withUnsafeBytes { raw in
      guard let text = PackedText(raw) else { return find(raw, .raw, TextTable.hash(raw)).code }
      return withUnsafeBytes(of: (text.high.bigEndian, text.low.bigEndian)) {
        find($0, text.spelling, TextTable.hash(text)).code
      }
    }
  }

  /// Where a text is, or the free slot where it would be.
  private func find(
    _ bytes: UnsafeRawBufferPointer, _ spelling: TextSpelling, _ hash: UInt64
  ) -> (slot: Int, code: Int?) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      if (slots[slot] ^ hash) & TextTable.hashHalf == 0 {
        let code = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if keeps(code, bytes, spelling) { return (slot, code) }
      }
      slot = (slot + 1) & mask
    }
    return (slot, nil)
  }

  private func keeps(
    _ code: Int, _ bytes: UnsafeRawBufferPointer, _ spelling: TextSpelling
  ) -> Bool {
    let range = range(code)
    guard range.count == bytes.count, marks[code] & 3 == Int(spelling.rawValue) else {
      return false
    }
    return arena.withUnsafeBytes {
      TextTable.same(UnsafeRawBufferPointer(rebasing: $0[range]), bytes)
    }
  }

  /// Whether two texts, perhaps of two tables, are the same.
  package func isEqual(_ code: Int, _ other: TextTable, _ otherCode: Int) -> Bool {
    guard marks[code] & 3 == other.marks[otherCode] & 3 else { return false }
    let range = range(code)
    let otherRange = other.range(otherCode)
    guard range.count == otherRange.count else { return false }
    return arena.withUnsafeBytes { mine in
      other.arena.withUnsafeBytes { theirs in
        TextTable.same(
          UnsafeRawBufferPointer(rebasing: mine[range]),
          UnsafeRawBufferPointer(rebasing: theirs[otherRange]))
      }
    }
  }

  private mutating func grow() {
    let size = max(64, slots.count * 2)
    var larger = [UInt64](repeating: 0, count: size)
    for entry in slots where entry != 0 {
      var slot = Int(truncatingIfNeeded: entry >> 32) & (size - 1)
      while larger[slot] != 0 { slot = (slot + 1) & (size - 1) }
      larger[slot] = entry
    }
    slots = larger
  }

  private static let hashHalf: UInt64 = 0xFFFF_FFFF_0000_0000
}

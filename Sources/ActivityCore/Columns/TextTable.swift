/// Byte strings behind small codes: one arena, no allocation for each string.
///
/// `intern` gives equal bytes the same code; `append` never looks, for texts that are nearly always
/// a row's own. Codes start at 0 and count up. Hashing is seeded for each process, so that input
/// cannot choose collisions; no order of hashes ever reaches output.
public struct TextTable: Sendable {
  private var arena: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// Open addressing over codes + 1; 0 is free. Its count is a power of two.
  private var slots: [Int32] = []
  private var interned = 0

  /// How many texts it holds.
  public var count: Int { ends.count }

  /// The bytes of all texts together.
  public var byteCount: Int { arena.count }

  /// A table without texts.
  public init() {}

  /// Where the bytes of `code` lie in the arena.
  private func range(_ code: Int) -> Range<Int> {
    (code == 0 ? 0 : ends[code - 1])..<ends[code]
  }

  /// The bytes behind a code.
  public subscript(code: Int) -> ArraySlice<UInt8> { arena[range(code)] }

  /// The text behind a code; every text was checked to be UTF-8 when it came in.
  public func string(_ code: Int) -> String { String(decoding: arena[range(code)], as: UTF8.self) }

  /// Adds bytes without looking whether they are there.
  public mutating func append(_ bytes: some Collection<UInt8>) -> Int {
    arena.append(contentsOf: bytes)
    ends.append(arena.count)
    hashes.append(0)
    return ends.count - 1
  }

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

  /// The code of these bytes, new if they are new. A raw buffer, because hashing eight bytes at a
  /// time is what makes import fast; nothing is read outside it.
  package mutating func intern(_ bytes: UnsafeRawBufferPointer) -> Int {
    if interned * 2 >= slots.count { grow() }
    let hash = TextTable.hash(bytes)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let code = Int(slots[slot]) - 1
      if hashes[code] == hash, equal(code, bytes) { return code }
      slot = (slot + 1) & (slots.count - 1)
    }
    arena.append(contentsOf: bytes)
    ends.append(arena.count)
    hashes.append(hash)
    slots[slot] = Int32(ends.count)
    interned += 1
    return ends.count - 1
  }

  /// The code of these bytes if they were interned.
  public func code(of bytes: some Collection<UInt8>) -> Int? {
    guard interned > 0 else { return nil }
    return Array(bytes).withUnsafeBytes { raw in
      let hash = TextTable.hash(raw)
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 {
        let code = Int(slots[slot]) - 1
        if hashes[code] == hash, equal(code, raw) { return code }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  private func equal(_ code: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let range = range(code)
    guard range.count == bytes.count else { return false }
    return arena.withUnsafeBytes { $0[range].elementsEqual(bytes) }
  }

  private mutating func grow() {
    let size = max(64, slots.count * 2)
    slots = [Int32](repeating: 0, count: size)
    for code in 0..<ends.count where hashes[code] != 0 {
      var slot = Int(truncatingIfNeeded: hashes[code]) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = Int32(code + 1)
    }
  }

  private static let seed = UInt64(bitPattern: Int64("activity-log".hashValue)) | 1

  /// A multiply-and-fold hash, never 0 (which marks texts that were appended).
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < bytes.count {
      tail = tail << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return fold(hash ^ tail) | 1
  }

  private static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}

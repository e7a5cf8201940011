/// Finds the codes of a batch's texts: one probe for each, the table of texts touched only by new
/// ones.
///
/// A text of up to 16 bytes is compared as two words; a longer one by its bytes, kept here once.
struct LineTexts: Sendable {
  private struct Entry: Sendable {
    /// First and last eight bytes, or for a long text its hash and where its bytes are.
    var first: UInt64 = 0
    var last: UInt64 = 0
    /// 0 for a free entry.
    var length: Int32 = 0
    var code: Int32 = 0
  }

  /// What the codes mean.
  private(set) var table = TextTable()
  /// Open addressing; a power of two of entries, at least half of them free.
  private var entries = [Entry](repeating: Entry(), count: LineTexts.smallest)
  private var used = 0
  /// Texts longer than 16 bytes.
  private var arena: [UInt8] = []
  /// Different in each process, so that input cannot choose texts that collide.
  private let seed = LineTexts.processSeed
  private static let processSeed = UInt64(bitPattern: Int64("line-texts".hashValue)) | 1

  private static let smallest = 64

  static let shortLength = 16

  /// Hands out the texts and forgets them.
  mutating func finish() -> TextTable {
    let finished = table
    table = TextTable()
    if entries.count > Self.smallest * max(1, used) {
      // After a large batch small ones must not pay for its table.
      entries = [Entry](repeating: Entry(), count: Self.smallest)
    } else {
      for index in entries.indices { entries[index].length = 0 }
    }
    arena.removeAll(keepingCapacity: true)
    used = 0
    return finished
  }

  /// The code of a text that is nearly always a row's own; nobody looks whether it is there.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int { table.append(bytes) }

  /// The code of these bytes, new if they are new.
  mutating func code(of bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count > 0, let base = bytes.baseAddress else { return table.intern(bytes) }
    guard bytes.count <= LineTexts.shortLength else { return code(ofLong: base, bytes.count) }
    var first: UInt64 = 0
    var last: UInt64 = 0
    for place in 0..<min(8, bytes.count) { first |= UInt64(bytes[place]) << UInt64(8 * place) }
    if bytes.count > 8 {
      for place in 0..<8 {
        last |= UInt64(bytes[bytes.count - 8 + place]) << UInt64(8 * place)
      }
    }
    return code(ofShort: base, bytes.count, first, last)
  }

  /// The code of a text of 1 to 16 bytes, whose first and last eight are known.
  @inline(__always)
  mutating func code(
    ofShort base: UnsafeRawPointer, _ length: Int, _ first: UInt64, _ last: UInt64
  ) -> Int {
    let hash = LineTexts.fold(
      first ^ seed, last ^ 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length))
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while entries[slot].length != 0 {
      let entry = entries[slot]
      if entry.first == first, entry.last == last, entry.length == Int32(length) {
        return Int(entry.code)
      }
      slot = (slot &+ 1) & mask
    }
    return add(UnsafeRawBufferPointer(start: base, count: length), slot, first, last)
  }

  /// The code of a text of more than 16 bytes.
  mutating func code(ofLong base: UnsafeRawPointer, _ length: Int) -> Int {
    let hash = hash(base, length)
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while entries[slot].length != 0 {
      let entry = entries[slot]
      if entry.first == hash, entry.length == Int32(length),
        isEqual(Int(entry.last), base, length)
      {
        return Int(entry.code)
      }
      slot = (slot &+ 1) & mask
    }
    let start = arena.count
    let bytes = UnsafeRawBufferPointer(start: base, count: length)
    arena.append(contentsOf: bytes)
    return add(bytes, slot, hash, UInt64(start))
  }

  @inline(never)
  private mutating func add(
    _ bytes: UnsafeRawBufferPointer, _ slot: Int, _ first: UInt64, _ last: UInt64
  ) -> Int {
    let code = table.append(bytes)
    entries[slot] = Entry(
      first: first, last: last, length: Int32(bytes.count), code: Int32(code))
    used += 1
    if used * 2 >= entries.count { grow() }
    return code
  }

  private func isEqual(_ start: Int, _ base: UnsafeRawPointer, _ length: Int) -> Bool {
    arena.withUnsafeBytes { arena in
      // A text here has more than 16 bytes, so that every read of eight is inside it.
      var place = 0
      while place &+ 8 < length {
        guard
          arena.loadUnaligned(fromByteOffset: start &+ place, as: UInt64.self)
            == base.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        else { return false }
        place &+= 8
      }
      return arena.loadUnaligned(fromByteOffset: start &+ length &- 8, as: UInt64.self)
        == base.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
    }
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: Entry(), count: old.count * 2)
    let mask = entries.count - 1
    for entry in old where entry.length != 0 {
      let isShort = entry.length <= LineTexts.shortLength
      let hash =
        isShort
        ? LineTexts.fold(
          entry.first ^ seed,
          entry.last ^ 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: entry.length))
        : entry.first
      var slot = Int(truncatingIfNeeded: hash) & mask
      while entries[slot].length != 0 { slot = (slot + 1) & mask }
      entries[slot] = entry
    }
  }

  @inline(__always)
  private func hash(_ base: UnsafeRawPointer, _ length: Int) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: length)
    var place = 0
    while place &+ 16 < length {
      hash = LineTexts.fold(
        hash ^ base.loadUnaligned(fromByteOffset: place, as: UInt64.self),
        seed ^ base.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self))
      place &+= 16
    }
    return LineTexts.fold(
      hash ^ base.loadUnaligned(fromByteOffset: length &- 16, as: UInt64.self),
      0x9E37_79B9_7F4A_7C15 ^ base.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self))
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}

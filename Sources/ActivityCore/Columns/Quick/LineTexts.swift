internal import CActivityLog

/// A text of a batch by its code and its hash; −1 and 0 for none.
struct LineText: Sendable {
  var code: Int32 = -1
  var hash: UInt64 = 0
}

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
  let hashes = LineHashes()

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

  /// These bytes as a text of the batch, new if they are new.
  mutating func text(of bytes: UnsafeRawBufferPointer) -> LineText {
    guard bytes.count > 0, let base = bytes.baseAddress else {
      return LineText(code: Int32(table.intern(bytes)))
    }
    guard bytes.count <= LineTexts.shortLength else {
      let hash = hashes.hash(ofLong: base, bytes.count)
      return LineText(code: code(ofLong: base, bytes.count, hash), hash: hash)
    }
    var first: UInt64 = 0
    var last: UInt64 = 0
    for place in 0..<min(8, bytes.count) { first |= UInt64(bytes[place]) << UInt64(8 * place) }
    if bytes.count > 8 {
      for place in 0..<8 {
        last |= UInt64(bytes[bytes.count - 8 + place]) << UInt64(8 * place)
      }
    }
    let word = QuickWord(length: bytes.count, first: first, last: last)
    let hash = hashes.hash(of: word)
    return LineText(code: code(ofShort: base, word, hash), hash: hash)
  }

  /// Asks for the entry of a text that will be looked up: its memory is far away as a rule.
  @inline(__always)
  mutating func prefetch(_ hash: UInt64) {
    entries.withUnsafeBufferPointer { entries in
      guard let base = entries.baseAddress else { return }
      al_prefetch(base + (Int(truncatingIfNeeded: hash) & (entries.count &- 1)))
    }
  }

  /// Once its entry has come, asks for the bytes that a long text will be compared with.
  @inline(__always)
  mutating func prefetchBytes(_ hash: UInt64) {
    entries.withUnsafeBufferPointer { entries in
      guard let base = entries.baseAddress else { return }
      let entry = base + (Int(truncatingIfNeeded: hash) & (entries.count &- 1))
      guard entry.pointee.first == hash else { return }
      arena.withUnsafeBytes { arena in
        guard let base = arena.baseAddress else { return }
        al_prefetch(base + (Int(truncatingIfNeeded: entry.pointee.last) & 0xFFFF_FFFF))
      }
    }
  }

  /// The code of a text of 1 to 16 bytes.
  @inline(__always)
  mutating func code(
    ofShort base: UnsafeRawPointer, _ word: QuickWord, _ hash: UInt64
  ) -> Int32 {
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while entries[slot].length != 0 {
      let entry = entries[slot]
      if entry.first == word.first, entry.last == word.last, entry.length == Int32(word.length) {
        return entry.code
      }
      slot = (slot &+ 1) & mask
    }
    let bytes = UnsafeRawBufferPointer(start: base, count: word.length)
    return add(bytes, slot, word.first, word.last)
  }

  /// The code of a text of more than 16 bytes.
  @inline(__always)
  mutating func code(
    ofLong base: UnsafeRawPointer, _ length: Int, _ hash: UInt64
  ) -> Int32 {
    let mask = entries.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while entries[slot].length != 0 {
      let entry = entries[slot]
      if entry.first == hash, entry.length == Int32(length),
        isEqual(Int(entry.last), base, length)
      {
        return entry.code
      }
      slot = (slot &+ 1) & mask
    }
    return addLong(UnsafeRawBufferPointer(start: base, count: length), slot, hash)
  }

  @inline(never)
  private mutating func addLong(
    _ bytes: UnsafeRawBufferPointer, _ slot: Int, _ hash: UInt64
  ) -> Int32 {
    let start = arena.count
    arena.append(contentsOf: bytes)
    return add(bytes, slot, hash, UInt64(start))
  }

  @inline(never)
  private mutating func add(
    _ bytes: UnsafeRawBufferPointer, _ slot: Int, _ first: UInt64, _ last: UInt64
  ) -> Int32 {
    let code = Int32(table.append(bytes))
    entries[slot] = Entry(first: first, last: last, length: Int32(bytes.count), code: code)
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
      let hash =
        entry.length <= LineTexts.shortLength
        ? hashes.hash(
          of: QuickWord(length: Int(entry.length), first: entry.first, last: entry.last))
        : entry.first
      var slot = Int(truncatingIfNeeded: hash) & mask
      while entries[slot].length != 0 { slot = (slot + 1) & mask }
      entries[slot] = entry
    }
  }
}

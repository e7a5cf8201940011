/// Finds a batch's subjects by what they are, without an allocation for each look-up.
struct LineSubjects: Sendable {
  /// A subject as codes of the batch's texts, −1 for absent.
  struct Key: Sendable {
    var kind: HandleKind
    var name: Int32
    var environment: Int32
    var bundle: Int32
    var device: Int32
  }

  private struct Entry: Sendable {
    var key: Key
    /// −1 for a free entry.
    var ordinal: Int32
  }

  /// Open addressing; a power of two of entries, at least half of them free.
  private var entries = [Entry](repeating: LineSubjects.free, count: LineSubjects.smallest)
  private var table = SubjectTable()

  private static let smallest = 64
  private static let free = Entry(
    key: Key(kind: .app, name: -1, environment: -1, bundle: -1, device: -1), ordinal: -1)

  /// Hands out the subjects and forgets them.
  mutating func finish() -> SubjectTable {
    let finished = table
    table = SubjectTable()
    if entries.count > Self.smallest * max(1, finished.count) {
      // After a large batch small ones must not pay for its table.
      entries = [Entry](repeating: Self.free, count: Self.smallest)
    } else {
      for index in entries.indices { entries[index].ordinal = -1 }
    }
    return finished
  }

  /// The ordinal of a subject, which is its index; new if it is new.
  @inline(__always)
  mutating func ordinal(of key: Key) -> Int32 {
    let mask = entries.count &- 1
    var slot = LineSubjects.hash(key) & mask
    while entries[slot].ordinal >= 0 {
      let entry = entries[slot]
      if entry.key.name == key.name, entry.key.device == key.device, entry.key.kind == key.kind,
        entry.key.environment == key.environment, entry.key.bundle == key.bundle
      {
        return entry.ordinal
      }
      slot = (slot &+ 1) & mask
    }
    return add(key, slot)
  }

  @inline(never)
  private mutating func add(_ key: Key, _ slot: Int) -> Int32 {
    let ordinal = Int32(table.count)
    table.append(
      ordinal: ordinal, kind: key.kind, name: key.name, environment: key.environment,
      bundle: key.bundle, device: key.device)
    entries[slot] = Entry(key: key, ordinal: ordinal)
    if table.count * 2 >= entries.count { grow() }
    return ordinal
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: LineSubjects.free, count: old.count * 2)
    let mask = entries.count - 1
    for entry in old where entry.ordinal >= 0 {
      var slot = LineSubjects.hash(entry.key) & mask
      while entries[slot].ordinal >= 0 { slot = (slot + 1) & mask }
      entries[slot] = entry
    }
  }

  /// Codes count up from 0 by first appearance, so that no input can choose them to collide badly.
  @inline(__always)
  private static func hash(_ key: Key) -> Int {
    var hash = UInt64(UInt32(bitPattern: key.name)) << 3 | UInt64(key.kind.rawValue)
    hash = mixed(hash, key.environment)
    hash = mixed(hash, key.bundle)
    return Int(truncatingIfNeeded: mixed(hash, key.device) >> 1)
  }

  @inline(__always)
  private static func mixed(_ hash: UInt64, _ code: Int32) -> UInt64 {
    let product = (hash ^ UInt64(UInt32(bitPattern: code))) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}

internal import CActivityLog

/// Finds a batch's subjects by what they are, without an allocation for each look-up.
struct LineSubjects: Sendable {
  /// A subject as codes of the batch's texts, −1 for absent.
  struct Key: Sendable {
    private(set) var kind = HandleKind.app
    private(set) var name: Int32 = -1
    let environment: Int32
    let bundle: Int32
    let device: Int32
    /// By its texts, not by their codes, so that it is known before they are looked up.
    private(set) var hash: UInt64

    /// An app, known by its scope alone.
    @inline(__always)
    init(environment: LineText, bundle: LineText, device: LineText) {
      self.environment = environment.code
      self.bundle = bundle.code
      self.device = device.code
      hash = Key.hash(environment.hash, bundle.hash, device.hash)
    }

    /// A handle in an app's scope.
    @inline(__always)
    func named(_ kind: HandleKind, _ name: LineText) -> Key {
      var key = self
      key.kind = kind
      key.name = name.code
      key.hash = Key.hash(kind, name.hash, in: hash)
      return key
    }

    /// An app's hash from those of its texts, 0 for an absent one.
    @inline(__always)
    static func hash(_ environment: UInt64, _ bundle: UInt64, _ device: UInt64) -> UInt64 {
      mixed(mixed(mixed(0x9E37_79B9_7F4A_7C15, environment), bundle), device)
    }

    /// A handle's hash from that of its name and its app's.
    @inline(__always)
    static func hash(_ kind: HandleKind, _ name: UInt64, in app: UInt64) -> UInt64 {
      mixed(app &+ UInt64(kind.rawValue), name)
    }

    // The hashes of texts are seeded, so that no input can choose subjects that collide.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ text: UInt64) -> UInt64 {
      let product = (hash ^ text) &* 0x9E37_79B9_7F4A_7C15
      return product ^ product &>> 29
    }
  }

  private struct Entry: Sendable {
    var name: Int32
    var environment: Int32
    var bundle: Int32
    var device: Int32
    /// The lower half.
    var hash: UInt32
    /// −1 for a free entry.
    var ordinal: Int32
    var kind: HandleKind
  }

  /// Open addressing; a power of two of entries, at least half of them free.
  private var entries = [Entry](repeating: LineSubjects.free, count: LineSubjects.smallest)
  private var table = SubjectTable()

  private static let smallest = 64
  private static let free = Entry(
    name: -1, environment: -1, bundle: -1, device: -1, hash: 0, ordinal: -1, kind: .app)

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
    var slot = Int(UInt32(truncatingIfNeeded: key.hash)) & mask
    while entries[slot].ordinal >= 0 {
      let entry = entries[slot]
      if entry.name == key.name, entry.device == key.device, entry.kind == key.kind,
        entry.environment == key.environment, entry.bundle == key.bundle
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
    entries[slot] = Entry(
      name: key.name, environment: key.environment, bundle: key.bundle, device: key.device,
      hash: UInt32(truncatingIfNeeded: key.hash), ordinal: ordinal, kind: key.kind)
    if table.count * 2 >= entries.count { grow() }
    return ordinal
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: LineSubjects.free, count: old.count * 2)
    let mask = entries.count - 1
    for entry in old where entry.ordinal >= 0 {
      var slot = Int(entry.hash) & mask
      while entries[slot].ordinal >= 0 { slot = (slot + 1) & mask }
      entries[slot] = entry
    }
  }

  /// Asks for the entry of a subject that will be looked up.
  @inline(__always)
  mutating func prefetch(_ hash: UInt64) {
    entries.withUnsafeBufferPointer { entries in
      guard let base = entries.baseAddress else { return }
      al_prefetch(base + (Int(UInt32(truncatingIfNeeded: hash)) & (entries.count &- 1)))
    }
  }
}

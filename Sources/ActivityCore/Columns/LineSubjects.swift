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

  /// Open addressing over indexes of the table + 1; 0 is free. Its count is a power of two.
  private var slots: [Int32] = []

  /// The ordinal of a subject, which is its index; new if it is new.
  mutating func ordinal(of key: Key, in table: inout SubjectTable) -> Int32 {
    if table.count * 2 >= slots.count { grow(table) }
    var slot = LineSubjects.hash(key) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if table.name[index] == key.name, table.kind[index] == key.kind,
        table.environment[index] == key.environment, table.bundle[index] == key.bundle,
        table.device[index] == key.device
      {
        return Int32(index)
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let ordinal = Int32(table.count)
    table.append(
      ordinal: ordinal, kind: key.kind, name: key.name, environment: key.environment,
      bundle: key.bundle, device: key.device)
    slots[slot] = ordinal + 1
    return ordinal
  }

  private mutating func grow(_ table: SubjectTable) {
    let size = max(64, slots.count * 2)
    slots = [Int32](repeating: 0, count: size)
    for index in 0..<table.count {
      let key = Key(
        kind: table.kind[index], name: table.name[index], environment: table.environment[index],
        bundle: table.bundle[index], device: table.device[index])
      var slot = LineSubjects.hash(key) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = Int32(index + 1)
    }
  }

  /// Codes count up from 0 by first appearance, so that no input can choose them to collide badly.
  private static func hash(_ key: Key) -> Int {
    var hash = UInt64(UInt32(bitPattern: key.name)) << 3 | UInt64(key.kind.rawValue)
    hash = mixed(hash, key.environment)
    hash = mixed(hash, key.bundle)
    return Int(truncatingIfNeeded: mixed(hash, key.device) >> 1)
  }

  private static func mixed(_ hash: UInt64, _ code: Int32) -> UInt64 {
    let product = (hash ^ UInt64(UInt32(bitPattern: code))) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}

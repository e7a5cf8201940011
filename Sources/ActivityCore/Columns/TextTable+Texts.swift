/// Texts as they are spelled, and their hashes.
extension TextTable {
  /// The bytes of the text behind a code.
  public subscript(code: Int) -> ArraySlice<UInt8> {
    guard let packed = packed(code) else { return kept(code) }
    var text: [UInt8] = []
    TextTable.spell(packed, to: &text)
    return text[...]
  }

  /// The text behind a code; every text was checked to be UTF-8 when it came in.
  public func string(_ code: Int) -> String {
    guard let packed = packed(code), let length = packed.spelling.length else {
      return String(decoding: kept(code), as: UTF8.self)
    }
    return String(unsafeUninitializedCapacity: length) { room in
      let bytes = UnsafeMutableRawBufferPointer(room)
      if let start = bytes.baseAddress { packed.spell(to: start) }
      return length
    }
  }

  /// Adds the text behind a code to other bytes.
  package func append(_ code: Int, to bytes: inout [UInt8]) {
    if let packed = packed(code) {
      TextTable.spell(packed, to: &bytes)
    } else {
      bytes.append(contentsOf: kept(code))
    }
  }

  /// Adds what tells the text behind a code from every other: its spelling and what is kept of it.
  package func appendKept(_ code: Int, to key: inout [UInt8]) {
    key.append(spelling(code).rawValue)
    key.append(contentsOf: kept(code))
  }

  /// Adds the bytes kept for a code.
  package func appendBytes(_ code: Int, to bytes: inout [UInt8]) {
    let range = range(code)
    arena.withUnsafeBytes { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// The 16 bytes of a text that is a UUID in any case.
  package func uuid(_ code: Int) -> PushID? {
    switch spelling(code) {
    case .upperUUID, .lowerUUID: packed(code).map { PushID(high: $0.high, low: $0.low) }
    case .fingerprint: nil
    case .raw: PushID(uuid: kept(code))
    }
  }

  private static func spell(_ packed: PackedText, to bytes: inout [UInt8]) {
    // The longest spelling; what is not used is not added.
    withUnsafeTemporaryAllocation(byteCount: 40, alignment: 8) { room in
      guard let start = room.baseAddress, let length = packed.spelling.length else { return }
      packed.spell(to: start)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<length]))
    }
  }

  /// A hash of a text, equal for equal texts of any table of this process.
  package func hash(_ code: Int) -> UInt64 {
    if let packed = packed(code) { return TextTable.hash(packed) }
    return kept(code).withUnsafeBytes { TextTable.hash($0) }
  }

  private static let seed = UInt64(bitPattern: Int64("activity-log".hashValue)) | 1

  /// A multiply-and-fold hash, never 0.
  package static func hash(_ text: PackedText) -> UInt64 {
    fold(fold(seed ^ text.high) ^ text.low &+ UInt64(text.spelling.rawValue)) | 1
  }

  /// A multiply-and-fold hash, never 0. The last eight bytes may overlap those before them.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var hash = seed ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    if count >= 8 {
      var offset = 0
      while offset + 8 < count {
        hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      hash ^= bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
      hash ^= UInt64(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      hash ^= UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
    } else if count > 0 {
      hash ^= UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16
    }
    return fold(hash) | 1
  }

  private static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }

  /// Whether two runs of bytes of one length are the same.
  static func same(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
    let count = first.count
    precondition(second.count == count, "The runs are equally long.")
    guard count >= 8 else { return first.elementsEqual(second) }
    var offset = 0
    while offset + 8 < count {
      if first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset += 8
    }
    return first.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      == second.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
  }
}

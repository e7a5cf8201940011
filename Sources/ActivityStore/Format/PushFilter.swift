internal import ActivityCore

/// Which commits of a segment may hold a row with an apns-id: for each commit a Bloom filter over
/// the ids of its rows.
///
/// Ids are random, so a list of their hashes costs four bytes each; a filter costs a byte and a
/// quarter, and names one wrong commit in 120. It never misses an id that is there.
struct PushFilters {
  /// Commit for commit: a varint of the filter's length, and the filter.
  private(set) var bytes: [UInt8] = []
  private var commits = 0

  private static let bitsPerRow = 10
  private static let probes = 7

  /// Adds a commit's filter. Numbers ascend; commits in between are held to have no ids.
  mutating func add(_ filter: [UInt8], commit number: Int) {
    while commits < number {
      bytes.append(0)
      commits += 1
    }
    commits = number + 1
    var writer = ByteWriter()
    writer.varint(UInt64(filter.count))
    bytes += writer.bytes
    bytes += filter
  }

  /// The filter over the ids of a batch.
  static func filter(of batch: EventColumns) -> [UInt8] {
    let ids = batch[.apnsID]
    let rows = ids.count { $0 != EventColumns.absent }
    var filter = [UInt8](repeating: 0, count: (rows * bitsPerRow + 7) / 8)
    for id in ids where id != EventColumns.absent {
      let key = key(of: batch.texts, Int(id))
      for probe in 0..<probes {
        let place = place(probe, key, bits: 8 * filter.count)
        filter[place >> 3] |= 1 << UInt8(place & 7)
      }
    }
    return filter
  }

  /// The commits that may hold a row with this id, ascending.
  ///
  /// - Parameters:
  ///   - range: Where the filters lie in `bytes`.
  ///   - count: Commits of the segment.
  static func commits(
    of key: UInt64, in bytes: [UInt8], _ range: Range<Int>, count: Int
  ) throws(Damage) -> [Int] {
    var reader = ByteReader(bytes, range)
    var found: [Int] = []
    for number in 0..<count {
      let filter = try reader.raw(try reader.count(atMost: reader.remaining))
      let isHeld = (0..<probes).allSatisfy { probe in
        guard !filter.isEmpty else { return false }
        let place = place(probe, key, bits: 8 * filter.count)
        return filter[filter.startIndex + place >> 3] & 1 << UInt8(place & 7) != 0
      }
      if isHeld { found.append(number) }
    }
    guard reader.isAtEnd else { throw Damage(.malformed, "push filters") }
    return found
  }

  /// What stands for an id: equal for a UUID in any case.
  static func key(of texts: TextTable, _ code: Int) -> UInt64 {
    guard let id = texts.uuid(code) else { return key(ofOther: texts[code]) }
    return mixed(id.high &+ mixed(id.low))
  }

  static func key(of name: ArraySlice<UInt8>) -> UInt64 {
    guard let id = PushID(uuid: name) else { return key(ofOther: name) }
    return mixed(id.high &+ mixed(id.low))
  }

  /// FNV-1a, 64 bits.
  private static func key(ofOther name: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return mixed(hash)
  }

  /// The finalizer of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// A place among `bits`, from both halves of a key.
  private static func place(_ probe: Int, _ key: UInt64, bits: Int) -> Int {
    let low = UInt32(truncatingIfNeeded: key)
    let high = UInt32(truncatingIfNeeded: key >> 32) | 1
    let hash = low &+ UInt32(truncatingIfNeeded: probe) &* high
    return Int((UInt64(hash) &* UInt64(bits)) >> 32)
  }
}

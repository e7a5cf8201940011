/// Which commits of a segment name a subject, by a 32-bit hash of the handle.
///
/// A hash may be shared by two handles: the index says where to look, never that something is
/// there. Entries lie in buckets by the hash's upper bits, so one look-up decodes one bucket.
package struct SubjectIndex: Sendable, Equatable {
  /// The encoded index.
  package private(set) var bytes: [UInt8]

  /// Entries a bucket has on average.
  private static let bucketEntries = 32
  static let bucketBitsMax = 16

  /// Encodes commit numbers by hash.
  package init(_ commits: [UInt32: [UInt32]], _ encodings: ColumnEncodings = .first) {
    let pairs = commits.flatMap { hash, numbers in
      numbers.map { UInt64(hash) << 32 | UInt64($0) }
    }
    self.init(pairs: pairs.sorted(), packedWith: encodings == .packed ? PushFilters() : nil)
  }

  /// Encodes pairs of hash (upper half) and commit number, ascending; a pair may come twice.
  ///
  /// - Parameter filters: Of each commit; nil for the form of version 1, which has none.
  init(pairs: [UInt64], packedWith filters: PushFilters?) {
    bytes =
      if let filters {
        PackedSubjectIndex.bytes(of: pairs) + filters.bytes
      } else {
        Self.bytes(of: pairs)
      }
  }

  private static func bytes(of pairs: [UInt64]) -> [UInt8] {
    var lists: [(hash: UInt32, range: Range<Int>)] = []
    var start = 0
    while start < pairs.count {
      let hash = UInt32(pairs[start] >> 32)
      var end = start + 1
      while end < pairs.count, UInt32(pairs[end] >> 32) == hash { end += 1 }
      lists.append((hash, start..<end))
      start = end
    }
    let bits = bucketBits(of: lists.count)
    var table = ByteWriter()
    var entries = ByteWriter()
    table.u8(UInt8(bits))
    table.u32(UInt32(lists.count))
    var next = 0
    for bucket in 0..<(1 << bits) {
      table.u32(UInt32(entries.bytes.count))
      var previous: UInt32 = 0
      while next < lists.count, Self.bucket(of: lists[next].hash, bits: bits) == bucket {
        entries.varint(UInt64(lists[next].hash - previous))
        previous = lists[next].hash
        Self.write(pairs[lists[next].range], to: &entries)
        next += 1
      }
    }
    table.u32(UInt32(entries.bytes.count))
    table.raw(entries.bytes)
    return table.bytes
  }

  /// How many upper bits of a hash number its bucket, given how many hashes there are.
  static func bucketBits(of count: Int) -> Int {
    var bits = 0
    while bits < bucketBitsMax, count >> bits > bucketEntries { bits += 1 }
    return bits
  }

  /// Where the entries end whose offsets stand from `start` on.
  static func end(_ bits: Int, behind start: Int, in bytes: [UInt8]) throws(Damage) -> Int {
    let entries = start + 4 * ((1 << bits) + 1)
    guard let length = bytes.u32(at: entries - 4), entries + Int(length) <= bytes.count else {
      throw Damage(.malformed, "subject index")
    }
    return entries + Int(length)
  }

  /// The bytes of one bucket; its offset, and all others', stand from `start` on.
  static func bucket(
    _ bucket: Int, _ bits: Int, behind start: Int, in bytes: [UInt8]
  ) throws(Damage) -> ByteReader {
    let entries = start + 4 * ((1 << bits) + 1)
    guard let from = bytes.u32(at: start + 4 * bucket),
      let to = bytes.u32(at: start + 4 * bucket + 4), from <= to,
      entries + Int(to) <= bytes.count
    else { throw Damage(.malformed, "subject index") }
    return ByteReader(bytes, (entries + Int(from))..<(entries + Int(to)))
  }

  /// Takes encoded bytes as they are; every look-up checks what it reads.
  package init(encoded bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether every commit's apns-ids are in a filter, also of rows that carry a handle, and every
  /// inventory and authorization is listed under its device.
  package var listsPushes: Bool {
    bytes.first.map { $0 & PackedSubjectIndex.mark != 0 } ?? false
  }

  /// Numbers of the commits that may name a handle, ascending.
  ///
  /// - Parameter count: Commits of the segment.
  package func commits(of handle: LogHandle, count: Int) throws(Damage) -> [Int] {
    var numbers: [Int]
    if case .apnsID(let name) = handle, listsPushes {
      let range = try PackedSubjectIndex.end(in: bytes)..<bytes.count
      let key = PushFilters.key(of: Array(name.utf8)[...])
      numbers = try PushFilters.commits(of: key, in: bytes, range, count: count)
    } else {
      numbers = try commits(of: handle.hash)
    }
    guard numbers.allSatisfy({ $0 < count }) else { throw Damage(.malformed, "subject index") }
    return numbers
  }

  /// Numbers of the commits that may name the handle with this hash, ascending.
  package func commits(of hash: UInt32) throws(Damage) -> [Int] {
    if listsPushes { return try PackedSubjectIndex.commits(of: hash, in: bytes) }
    var table = ByteReader(bytes)
    let bits = Int(try table.u8())
    guard bits <= Self.bucketBitsMax else { throw Damage(.malformed, "subject index") }
    _ = try table.u32()
    let bucket = Self.bucket(of: hash, bits: bits)
    var reader = try Self.bucket(bucket, bits, behind: table.position, in: bytes)
    var current: UInt64 = 0
    while !reader.isAtEnd {
      current &+= try reader.varint()
      let found = try Self.read(&reader)
      if current == UInt64(hash) { return found }
      if current > UInt64(hash) { return [] }
    }
    return []
  }

  private static func bucket(of hash: UInt32, bits: Int) -> Int {
    bits == 0 ? 0 : Int(hash >> UInt32(32 - bits))
  }

  private static func write(_ pairs: ArraySlice<UInt64>, to writer: inout ByteWriter) {
    var commits: [UInt32] = []
    for pair in pairs {
      let commit = UInt32(truncatingIfNeeded: pair)
      if commit != commits.last { commits.append(commit) }
    }
    writer.varint(UInt64(commits.count))
    var previous: UInt32 = 0
    for commit in commits {
      writer.varint(UInt64(commit - previous))
      previous = commit
    }
  }

  private static func read(_ reader: inout ByteReader) throws(Damage) -> [Int] {
    let count = try reader.count(atMost: Limits.segmentCommits)
    var commits: [Int] = []
    var current: UInt64 = 0
    for _ in 0..<count {
      current &+= try reader.varint()
      guard current < UInt64(Limits.segmentCommits) else { throw Damage(.length, "subject index") }
      commits.append(Int(current))
    }
    return commits
  }
}

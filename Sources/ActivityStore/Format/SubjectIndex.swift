/// Which commits of a segment name a subject, by a 32-bit hash of the handle.
///
/// A hash may be shared by two handles: the index says where to look, never that something is
/// there. Entries lie in buckets by the hash's upper bits, so one look-up decodes one bucket.
package struct SubjectIndex: Sendable, Equatable {
  /// The encoded index.
  package private(set) var bytes: [UInt8]

  /// Entries a bucket has on average.
  private static let bucketEntries = 32
  private static let bucketBitsMax = 16

  /// Encodes commit numbers, ascending for each hash.
  package init(_ commits: [UInt32: [UInt32]]) {
    var bits = 0
    while bits < Self.bucketBitsMax, commits.count >> bits > Self.bucketEntries { bits += 1 }
    var table = ByteWriter()
    var entries = ByteWriter()
    table.u8(UInt8(bits))
    table.u32(UInt32(commits.count))
    let sorted = commits.keys.sorted()
    var next = 0
    for bucket in 0..<(1 << bits) {
      table.u32(UInt32(entries.bytes.count))
      var previous: UInt32 = 0
      while next < sorted.count, Self.bucket(of: sorted[next], bits: bits) == bucket {
        let hash = sorted[next]
        entries.varint(UInt64(hash - previous))
        previous = hash
        Self.write(commits[hash, default: []], to: &entries)
        next += 1
      }
    }
    table.u32(UInt32(entries.bytes.count))
    table.raw(entries.bytes)
    bytes = table.bytes
  }

  /// Takes encoded bytes as they are; every look-up checks what it reads.
  package init(encoded bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Numbers of the commits that may name the handle with this hash, ascending.
  package func commits(of hash: UInt32) throws(Damage) -> [Int] {
    var table = ByteReader(bytes)
    let bits = Int(try table.u8())
    guard bits <= Self.bucketBitsMax else { throw Damage(.malformed, "subject index") }
    _ = try table.u32()
    let bucket = Self.bucket(of: hash, bits: bits)
    let start = table.position + 4 * ((1 << bits) + 1)
    guard let from = bytes.u32(at: table.position + 4 * bucket),
      let to = bytes.u32(at: table.position + 4 * bucket + 4), from <= to,
      start + Int(to) <= bytes.count
    else { throw Damage(.malformed, "subject index") }
    var reader = ByteReader(bytes, (start + Int(from))..<(start + Int(to)))
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

  private static func write(_ commits: [UInt32], to writer: inout ByteWriter) {
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

/// Which commits of a segment name a subject, by a 32-bit hash of the handle.
///
/// A hash may be shared by two handles: the index says where to look, never that something is
/// there. Entries lie in buckets by the hash's upper bits, so one look-up decodes one bucket. The
/// short form, which is written now, keeps only 16 bits below those of the bucket, and has push
/// filters behind the entries.
package struct SubjectIndex: Sendable, Equatable {
  /// The encoded index.
  package private(set) var bytes: [UInt8]

  /// Entries a bucket has on average.
  private static let bucketEntries = 32
  private static let bucketBitsMax = 16
  /// Set in the first byte of the short form.
  private static let shortMark: UInt8 = 0x80
  private static let shortBits = 16

  /// Encodes commit numbers by hash.
  package init(_ commits: [UInt32: [UInt32]]) {
    let pairs = commits.flatMap { hash, numbers in
      numbers.map { UInt64(hash) << 32 | UInt64($0) }
    }
    self.init(pairs: pairs.sorted())
  }

  /// Encodes pairs of hash (upper half) and commit number, ascending; a pair may come twice.
  ///
  /// - Parameter filters: Of each commit, for the short form; nil for the form of version 1.
  init(pairs: [UInt64], filters: PushFilters? = nil) {
    var distinct = 0
    var previous: UInt64?
    for pair in pairs where pair >> 32 != previous {
      distinct += 1
      previous = pair >> 32
    }
    var bits = 0
    while bits < Self.bucketBitsMax, distinct >> bits > Self.bucketEntries { bits += 1 }
    let isShort = filters != nil
    let shift = UInt64(isShort ? 32 - min(32, bits + Self.shortBits) : 0)
    var table = ByteWriter()
    var entries = ByteWriter()
    table.u8(UInt8(bits) | (isShort ? Self.shortMark : 0))
    table.u32(UInt32(distinct))
    var next = 0
    for bucket in 0..<UInt64(1 << bits) {
      table.u32(UInt32(entries.bytes.count))
      var before: UInt64 = isShort ? (bucket << (32 - UInt64(bits))) >> shift : 0
      while next < pairs.count, pairs[next] >> (64 - UInt64(bits)) == bucket {
        let kept = pairs[next] >> (32 + shift)
        var end = next + 1
        while end < pairs.count, pairs[end] >> (32 + shift) == kept { end += 1 }
        entries.varint(kept - before)
        before = kept
        Self.write(pairs[next..<end], isShort: isShort, to: &entries)
        next = end
      }
    }
    table.u32(UInt32(entries.bytes.count))
    table.raw(entries.bytes)
    if let filters { table.raw(filters.bytes) }
    bytes = table.bytes
  }

  /// Takes encoded bytes as they are; every look-up checks what it reads.
  package init(encoded bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Numbers of the commits that may name a handle, ascending.
  ///
  /// - Parameter count: Commits of the segment.
  package func commits(of handle: LogHandle, count: Int) throws(Damage) -> [Int] {
    var numbers: [Int]
    if case .apnsID(let name) = handle, listsPushes {
      let key = PushFilters.key(of: Array(name.utf8)[...])
      numbers = try PushFilters.commits(
        of: key, in: bytes, try table().filters..<bytes.count, count: count)
    } else {
      numbers = try commits(of: handle.hash)
    }
    guard numbers.allSatisfy({ $0 < count }) else { throw Damage(.malformed, "subject index") }
    return numbers
  }

  /// Whether every commit's apns-ids are in a filter, also of rows that carry a handle, and every
  /// inventory and authorization is listed under its device.
  package var listsPushes: Bool { bytes.first.map { $0 & Self.shortMark != 0 } ?? false }

  /// Numbers of the commits that may name the handle with this hash, ascending.
  package func commits(of hash: UInt32) throws(Damage) -> [Int] {
    let table = try table()
    let bucket = table.bits == 0 ? 0 : Int(hash >> UInt32(32 - table.bits))
    guard let from = bytes.u32(at: table.offsets + 4 * bucket),
      let to = bytes.u32(at: table.offsets + 4 * bucket + 4), from <= to,
      table.entries + Int(to) <= table.filters
    else { throw Damage(.malformed, "subject index") }
    let shift = UInt64(listsPushes ? 32 - min(32, table.bits + Self.shortBits) : 0)
    var current =
      listsPushes ? (UInt64(bucket) << UInt64(32 - table.bits)) >> shift : 0
    let wanted = UInt64(hash) >> shift
    var reader = ByteReader(bytes, (table.entries + Int(from))..<(table.entries + Int(to)))
    while !reader.isAtEnd {
      current &+= try reader.varint()
      let found = try Self.read(&reader, isShort: listsPushes)
      if current == wanted { return found }
      if current > wanted { return [] }
    }
    return []
  }

  /// Where what lies: the offsets of the buckets, their entries, and what is behind those.
  private func table() throws(Damage) -> (bits: Int, offsets: Int, entries: Int, filters: Int) {
    var reader = ByteReader(bytes)
    let bits = Int(try reader.u8() & ~Self.shortMark)
    guard bits <= Self.bucketBitsMax else { throw Damage(.malformed, "subject index") }
    _ = try reader.u32()
    let offsets = reader.position
    let entries = offsets + 4 * ((1 << bits) + 1)
    guard let length = bytes.u32(at: entries - 4), entries + Int(length) <= bytes.count else {
      throw Damage(.malformed, "subject index")
    }
    return (bits, offsets, entries, entries + Int(length))
  }

  private static func write(
    _ pairs: ArraySlice<UInt64>, isShort: Bool, to writer: inout ByteWriter
  ) {
    var commits = pairs.map { UInt32(truncatingIfNeeded: $0) }
    if isShort { commits.sort() }
    var count = 0
    for commit in commits where count == 0 || commit != commits[count - 1] {
      commits[count] = commit
      count += 1
    }
    // Most handles are in one commit: of the short form a single number takes one byte with its
    // count.
    if isShort, count == 1 { return writer.varint(UInt64(commits[0]) << 1) }
    writer.varint(isShort ? UInt64(count) << 1 | 1 : UInt64(count))
    var previous: UInt32 = 0
    for commit in commits[..<count] {
      writer.varint(UInt64(commit - previous))
      previous = commit
    }
  }

  private static func read(
    _ reader: inout ByteReader, isShort: Bool
  ) throws(Damage) -> [Int] {
    var count = try reader.varint()
    if isShort {
      guard count & 1 != 0 else { return [try checked(count >> 1)] }
      count >>= 1
    }
    guard count <= UInt64(Limits.segmentCommits), count <= UInt64(reader.remaining) else {
      throw Damage(.length, "subject index")
    }
    var commits: [Int] = []
    var current: UInt64 = 0
    for _ in 0..<count {
      current &+= try reader.varint()
      commits.append(try checked(current))
    }
    return commits
  }

  private static func checked(_ number: UInt64) throws(Damage) -> Int {
    guard number < UInt64(Limits.segmentCommits) else { throw Damage(.length, "subject index") }
    return Int(number)
  }
}

/// A subject index of a segment with packed encodings.
///
/// A hash only says where to look, so all of its 32 bits are more than is needed: as many are kept
/// as make one hash in a hundred or more meet another's commits as well. And most handles are named
/// by a few commits that lie together, which a few bits say.
package enum PackedSubjectIndex {
  /// In the first byte, above the bits of a bucket's number.
  static let mark: UInt8 = 0x80
  /// Bits kept of a hash beyond those that would number all of them.
  private static let spareBits = 7
  /// Bits kept at least: a small index is small enough.
  private static let keptMin = 20

  /// How the commits of a hash are told; the low two bits of the first number.
  private enum Form {
    static let one = 0
    static let bits = 1
    static let differences = 2
  }

  /// Encodes pairs of hash (upper half) and commit number, ascending; a pair may come twice.
  static func bytes(of pairs: [UInt64]) -> [UInt8] {
    var count = 0
    for index in pairs.indices where index == 0 || pairs[index] >> 32 != pairs[index - 1] >> 32 {
      count += 1
    }
    let kept = max(keptMin, min(32, Int.bitWidth - count.leadingZeroBitCount + spareBits))
    let bits = SubjectIndex.bucketBits(of: count)
    var entries = ByteWriter(capacity: count * 4)
    var offsets: [UInt32] = []
    var next = 0
    for bucket in 0..<(1 << bits) {
      offsets.append(UInt32(entries.bytes.count))
      var previous = 0
      while next < pairs.count {
        let hash = Int(pairs[next] >> 32) >> (32 - kept)
        guard hash >> (kept - bits) == bucket else { break }
        entries.varint(UInt64(hash - previous))
        previous = hash
        write(commits(of: hash, kept, pairs, from: &next), to: &entries)
      }
    }
    var table = ByteWriter(capacity: entries.bytes.count + 4 * offsets.count + 10)
    table.u8(UInt8(bits) | mark)
    table.u8(UInt8(kept))
    table.u32(UInt32(count))
    for offset in offsets { table.u32(offset) }
    table.u32(UInt32(entries.bytes.count))
    table.raw(entries.bytes)
    return table.bytes
  }

  /// The commits of all pairs with the same kept bits, ascending, each once.
  private static func commits(
    of hash: Int, _ kept: Int, _ pairs: [UInt64], from next: inout Int
  ) -> [Int] {
    var commits: [Int] = []
    var isAscending = true
    while next < pairs.count, Int(pairs[next] >> 32) >> (32 - kept) == hash {
      let commit = Int(pairs[next] & 0xFFFF_FFFF)
      next += 1
      if let last = commits.last {
        if commit == last { continue }
        if commit < last { isAscending = false }
      }
      commits.append(commit)
    }
    return isAscending ? commits : Set(commits).sorted()
  }

  private static func write(_ commits: [Int], to writer: inout ByteWriter) {
    let first = commits[0]
    guard commits.count > 1 else { return writer.varint(UInt64(4 * first + Form.one)) }
    var list = ByteWriter()
    list.varint(UInt64(commits.count - 1))
    for (commit, before) in zip(commits.dropFirst(), commits) {
      list.varint(UInt64(commit - before))
    }
    let bitBytes = (commits[commits.count - 1] - first + 6) / 7
    guard bitBytes <= list.bytes.count else {
      writer.varint(UInt64(4 * first + Form.differences))
      return writer.raw(list.bytes)
    }
    writer.varint(UInt64(4 * first + Form.bits))
    var bits = [UInt8](repeating: 0x80, count: bitBytes)
    bits[bitBytes - 1] = 0
    for commit in commits.dropFirst() {
      let place = commit - first - 1
      bits[place / 7] |= 1 << UInt8(place % 7)
    }
    writer.raw(bits)
  }

  /// Numbers of the commits that may name the handle with this hash, ascending.
  static func commits(of hash: UInt32, in bytes: [UInt8]) throws(Damage) -> [Int] {
    let (bits, kept, offsets) = try head(of: bytes)
    let wanted = UInt64(hash) >> UInt64(32 - kept)
    let bucket = Int(wanted >> UInt64(kept - bits))
    var reader = try SubjectIndex.bucket(bucket, bits, behind: offsets, in: bytes)
    var current: UInt64 = 0
    while !reader.isAtEnd {
      current &+= try reader.varint()
      let found = try read(&reader)
      if current == wanted { return found }
      if current > wanted { return [] }
    }
    return []
  }

  /// Where the index ends, and what belongs to it begins.
  static func end(in bytes: [UInt8]) throws(Damage) -> Int {
    let (bits, _, offsets) = try head(of: bytes)
    return try SubjectIndex.end(bits, behind: offsets, in: bytes)
  }

  /// Bits of a bucket's number, bits kept of a hash, and where the buckets' offsets begin.
  private static func head(
    of bytes: [UInt8]
  ) throws(Damage) -> (bits: Int, kept: Int, offsets: Int) {
    var table = ByteReader(bytes)
    let bits = Int(try table.u8() & ~mark)
    let kept = Int(try table.u8())
    guard bits <= SubjectIndex.bucketBitsMax, bits <= kept, kept <= 32 else {
      throw Damage(.malformed, "subject index")
    }
    _ = try table.u32()
    return (bits, kept, table.position)
  }

  private static func read(_ reader: inout ByteReader) throws(Damage) -> [Int] {
    let head = try reader.count(atMost: 4 * Limits.segmentCommits)
    var commits = [head >> 2]
    switch head & 3 {
    case Form.one: break
    case Form.bits:
      var place = commits[0] + 1
      while true {
        let byte = try reader.u8()
        for bit in 0..<7 where byte >> UInt8(bit) & 1 != 0 { commits.append(place + bit) }
        place += 7
        guard byte & 0x80 != 0 else { break }
        guard place < Limits.segmentCommits else { throw Damage(.length, "subject index") }
      }
    case Form.differences:
      var commit = UInt64(commits[0])
      for _ in 0..<(try reader.count(atMost: Limits.segmentCommits)) {
        let (next, overflow) = commit.addingReportingOverflow(try reader.varint())
        guard !overflow, next < UInt64(Limits.segmentCommits) else {
          throw Damage(.length, "subject index")
        }
        commit = next
        commits.append(Int(next))
      }
    default: throw Damage(.malformed, "subject index")
    }
    guard let last = commits.last, last < Limits.segmentCommits else {
      throw Damage(.length, "subject index")
    }
    return commits
  }
}

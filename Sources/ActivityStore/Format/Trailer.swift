/// The last 64 bytes of a sealed segment: where its footer is and what the segment holds.
package struct Trailer: Sendable, Equatable {
  package static let length = 64
  /// "ALOG-END"
  package static let signature: [UInt8] = [0x41, 0x4C, 0x4F, 0x47, 0x2D, 0x45, 0x4E, 0x44]

  package var footerOffset: UInt64
  /// The whole frame.
  package var footerLength: UInt64
  package var nextSeq: Int64
  package var count: Int64
  package var commits: Int

  package func encode(seed: SegmentSeed, offset: UInt64) -> [UInt8] {
    var writer = ByteWriter(capacity: Self.length)
    writer.u32(Frames.trailer)
    writer.u32(UInt32(Self.length - Frames.skippablePrefix))
    writer.raw(Self.signature)
    writer.u64(footerOffset)
    writer.u64(footerLength)
    writer.i64(seed.firstSeq)
    writer.i64(nextSeq)
    writer.i64(count)
    writer.u32(UInt32(commits))
    writer.u32(CRC32C.of(writer.bytes, seed: seed.value(at: offset)))
    return writer.bytes
  }

  /// The trailer that verifies at `offset`, whose bytes are the array's last 64.
  package init(_ bytes: [UInt8], seed: SegmentSeed, offset: UInt64) throws(Damage) {
    let start = bytes.count - Self.length
    guard start >= 0 else { throw Damage(.truncated) }
    let computed = CRC32C.of(
      bytes, start..<(bytes.count - 4), seed: seed.value(at: offset))
    guard bytes.u32(at: bytes.count - 4) == computed else { throw Damage(.checksum, "trailer") }
    var reader = ByteReader(bytes, start..<bytes.count)
    guard try reader.u32() == Frames.trailer, try reader.u32() == 56,
      try reader.raw(8).elementsEqual(Self.signature)
    else { throw Damage(.malformed, "trailer") }
    footerOffset = try reader.u64()
    footerLength = try reader.u64()
    guard try reader.i64() == seed.firstSeq else { throw Damage(.malformed, "trailer") }
    nextSeq = try reader.i64()
    count = try reader.i64()
    commits = Int(try reader.u32())
    guard footerLength <= UInt64(Limits.footerBytes), footerLength <= offset,
      footerOffset == offset - footerLength, nextSeq >= seed.firstSeq, count >= 0
    else { throw Damage(.malformed, "trailer") }
  }

  package init(
    footerOffset: UInt64, footerLength: UInt64, nextSeq: Int64, count: Int64, commits: Int
  ) {
    self.footerOffset = footerOffset
    self.footerLength = footerLength
    self.nextSeq = nextSeq
    self.count = count
    self.commits = commits
  }
}

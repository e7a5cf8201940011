/// The fixed 128 bytes in front of a commit: every length, every checksum, and the facts.
///
/// Four checksums cover cursors, names, skeleton and payload; the fifth, seeded with log, segment
/// and offset, covers the header with the other four in it. The header has one length, so that a
/// write cut short is told from a damaged length without trusting either.
package struct CommitHeader: Sendable, Equatable {
  package static let length = 128
  /// The bytes 41 4C 63 31, "ALc1".
  package static let mark: UInt32 = 0x3163_4C41

  package var namesCodec = BlockCodec.stored
  package var skeletonCodec = BlockCodec.stored
  package var namesStored = 0
  package var namesRaw = 0
  package var skeletonStored = 0
  package var skeletonRaw = 0
  package var payloadStored = 0
  package var payloadRaw = 0
  package var cursorsLength = 0
  package var cursorsCRC: UInt32 = 0
  package var namesCRC: UInt32 = 0
  package var skeletonCRC: UInt32 = 0
  /// Of the whole data frame, its constant bytes and end mark too.
  package var payloadCRC: UInt32 = 0
  /// `facts.cursors` is empty here: cursors are a section of their own.
  package var facts: CommitFacts

  package init(facts: CommitFacts) {
    self.facts = facts
  }

  // Offsets from the commit's first byte.
  package var cursorsStart: Int { Self.length }
  package var namesStart: Int { cursorsStart + cursorsLength }
  package var skeletonStart: Int { namesStart + namesStored }
  package var dataStart: Int { skeletonStart + skeletonStored }
  /// The whole commit, both its frames.
  package var totalLength: Int { dataStart + Frames.dataLength(ofBlock: payloadStored) }

  package func range(of section: CommitSection) -> Range<Int> {
    switch section {
    case .cursors: cursorsStart..<namesStart
    case .names: namesStart..<skeletonStart
    case .skeleton: skeletonStart..<dataStart
    case .payload: dataStart..<totalLength
    }
  }

  package func checksum(of section: CommitSection) -> UInt32 {
    switch section {
    case .cursors: cursorsCRC
    case .names: namesCRC
    case .skeleton: skeletonCRC
    case .payload: payloadCRC
    }
  }

  /// The 128 bytes for a commit that will begin at `offset`.
  package func encode(seed: SegmentSeed, offset: UInt64) -> [UInt8] {
    var writer = ByteWriter(capacity: Self.length)
    writer.u32(Frames.commit)
    writer.u32(UInt32(dataStart - Frames.skippablePrefix))
    writer.u32(Self.mark)
    writer.u8(namesCodec.rawValue)
    writer.u8(skeletonCodec.rawValue)
    writer.u16(facts.mattersToResolution ? 1 : 0)
    for length in [namesStored, namesRaw, skeletonStored, skeletonRaw, payloadStored, payloadRaw] {
      writer.u32(UInt32(length))
    }
    writer.i64(facts.firstSeq)
    writer.u32(UInt32(facts.count))
    writer.u32(facts.kinds)
    writer.i64(facts.recordedMin)
    writer.i64(facts.recordedMax)
    writer.i64(facts.atMin)
    writer.i64(facts.atMax)
    writer.i64(Absent.from(facts.latestStartDate))
    writer.i64(Absent.from(facts.earliestAtOfStartDate))
    writer.u32(UInt32(cursorsLength))
    for crc in [cursorsCRC, namesCRC, skeletonCRC, payloadCRC] { writer.u32(crc) }
    writer.u32(CRC32C.of(writer.bytes, seed: seed.value(at: offset)))
    return writer.bytes
  }

  /// Whether the bytes at `index` begin as a commit does; cheap, and no proof.
  package static func looksLikeCommit(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes.u32(at: index) == Frames.commit && bytes.u32(at: index + 8) == mark
  }

  /// A header that verifies at `offset` of the segment.
  ///
  /// - Parameters:
  ///   - bytes: Holds the header at `index`.
  /// - Throws: `Damage` where it does not verify, or where what verifies is beyond a limit.
  package init(
    verifying bytes: [UInt8], at index: Int, seed: SegmentSeed, offset: UInt64
  ) throws(Damage) {
    guard index >= 0, index + Self.length <= bytes.count else { throw Damage(.truncated) }
    let stored = bytes.u32(at: index + Self.length - 4)
    let computed = CRC32C.of(
      bytes, index..<(index + Self.length - 4), seed: seed.value(at: offset))
    guard stored == computed else { throw Damage(.checksum, "commit header") }
    try self.init(unverified: bytes, at: index)
  }

  /// What the bytes say, limits checked, nothing proven: for finding the next boundary only.
  package init(unverified bytes: [UInt8], at index: Int) throws(Damage) {
    var reader = ByteReader(bytes, index..<(index + Self.length))
    guard try reader.u32() == Frames.commit else { throw Damage(.malformed, "no commit") }
    let size = try reader.u32()
    guard try reader.u32() == Self.mark else { throw Damage(.malformed, "no commit") }
    let codecs = (BlockCodec(rawValue: try reader.u8()), BlockCodec(rawValue: try reader.u8()))
    guard let namesCodec = codecs.0, let skeletonCodec = codecs.1 else {
      throw Damage(.malformed, "an unknown codec")
    }
    let flags = try reader.u16()
    self.namesCodec = namesCodec
    self.skeletonCodec = skeletonCodec
    namesStored = try Self.length(&reader, atMost: Limits.sectionBytes)
    namesRaw = try Self.length(&reader, atMost: Limits.sectionBytes)
    skeletonStored = try Self.length(&reader, atMost: Limits.sectionBytes)
    skeletonRaw = try Self.length(&reader, atMost: Limits.sectionBytes)
    payloadStored = try Self.length(&reader, atMost: Limits.payloadBytes)
    payloadRaw = try Self.length(&reader, atMost: Limits.payloadBytes)
    facts = try Self.facts(&reader, flags: flags)
    cursorsLength = try Self.length(&reader, atMost: Limits.cursorBytes)
    cursorsCRC = try reader.u32()
    namesCRC = try reader.u32()
    skeletonCRC = try reader.u32()
    payloadCRC = try reader.u32()
    guard Int(size) == dataStart - Frames.skippablePrefix else {
      throw Damage(.malformed, "the frame's length contradicts the header's")
    }
  }

  private static func length(_ reader: inout ByteReader, atMost limit: Int) throws(Damage) -> Int {
    let value = try reader.u32()
    guard value <= UInt32(limit) else { throw Damage(.length, "\(value)") }
    return Int(value)
  }

  private static func facts(
    _ reader: inout ByteReader, flags: UInt16
  ) throws(Damage) -> CommitFacts {
    let firstSeq = try reader.i64()
    let count = try length(&reader, atMost: Limits.commitRows)
    guard firstSeq >= 1, firstSeq <= Int64.max - Int64(count), count >= 1 else {
      throw Damage(.malformed, "a commit without rows or before the first seq")
    }
    var facts = CommitFacts(
      firstSeq: firstSeq, count: count, recordedMin: 0, recordedMax: 0, atMin: 0, atMax: 0)
    facts.kinds = try reader.u32()
    facts.recordedMin = try reader.i64()
    facts.recordedMax = try reader.i64()
    facts.atMin = try reader.i64()
    facts.atMax = try reader.i64()
    facts.latestStartDate = Absent.optional(try reader.i64())
    facts.earliestAtOfStartDate = Absent.optional(try reader.i64())
    facts.mattersToResolution = flags & 1 != 0
    return facts
  }
}

/// The four checked parts of a commit behind its header, in file order.
package enum CommitSection: Sendable, CaseIterable {
  case cursors
  case names
  case skeleton
  case payload
}

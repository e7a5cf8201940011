/// What is appended when a segment is sealed: where each commit is, which name which subjects, and
/// how far every feed had come. All of it can be rebuilt from the commits.
package struct Footer: Sendable, Equatable {
  /// "ALf1"
  package static let mark: UInt32 = 0x3166_4C41
  private static let fixedLength = 80

  package var nextSeq: Int64
  /// Of the log up to and with this segment.
  package var through: LogTotals
  package var commits: [CommitEntry]
  package var subjects: SubjectIndex
  /// Least recently used first.
  package var cursors: [IngestCursor]

  package init(
    nextSeq: Int64, through: LogTotals, commits: [CommitEntry], subjects: SubjectIndex,
    cursors: [IngestCursor]
  ) {
    self.nextSeq = nextSeq
    self.through = through
    self.commits = commits
    self.subjects = subjects
    self.cursors = cursors
  }

  package func encode(seed: SegmentSeed, offset: UInt64) -> [UInt8] {
    let cursorBytes = IngestCursor.encode(cursors)
    var writer = ByteWriter(
      capacity: Self.fixedLength + commits.count * CommitEntry.length + subjects.bytes.count
        + cursorBytes.count + 4)
    writer.u32(Frames.footer)
    writer.u32(0)
    writer.u32(Self.mark)
    writer.u32(UInt32(commits.count))
    writer.i64(seed.firstSeq)
    writer.i64(nextSeq)
    through.write(to: &writer)
    writer.u32(UInt32(subjects.bytes.count))
    writer.u32(UInt32(cursorBytes.count))
    writer.u64(0)
    for commit in commits { commit.write(to: &writer) }
    writer.raw(subjects.bytes)
    writer.raw(cursorBytes)
    writer.patch(u32: UInt32(writer.bytes.count + 4 - Frames.skippablePrefix), at: 4)
    writer.u32(CRC32C.of(writer.bytes, seed: seed.value(at: offset)))
    return writer.bytes
  }

  /// The footer that verifies at `offset`; `bytes` is the whole frame and nothing else.
  package init(_ bytes: [UInt8], seed: SegmentSeed, offset: UInt64) throws(Damage) {
    guard bytes.count >= Self.fixedLength + 4 else { throw Damage(.truncated) }
    let computed = CRC32C.of(
      bytes, 0..<(bytes.count - 4), seed: seed.value(at: offset))
    guard bytes.u32(at: bytes.count - 4) == computed else { throw Damage(.checksum, "footer") }
    var reader = ByteReader(bytes, 0..<(bytes.count - 4))
    guard try reader.u32() == Frames.footer,
      Int(try reader.u32()) == bytes.count - Frames.skippablePrefix,
      try reader.u32() == Self.mark
    else { throw Damage(.malformed, "footer") }
    let count = Int(try reader.u32())
    guard count <= Limits.segmentCommits else { throw Damage(.length, "footer") }
    guard try reader.i64() == seed.firstSeq else { throw Damage(.malformed, "footer") }
    nextSeq = try reader.i64()
    through = try LogTotals(&reader)
    let subjectLength = Int(try reader.u32())
    let cursorLength = Int(try reader.u32())
    _ = try reader.u64()
    commits = []
    commits.reserveCapacity(count)
    for _ in 0..<count { commits.append(try CommitEntry(&reader)) }
    subjects = SubjectIndex(encoded: [UInt8](try reader.raw(subjectLength)))
    guard reader.remaining == cursorLength else { throw Damage(.malformed, "footer") }
    cursors = try IngestCursor.decode(&reader)
  }
}

/// One commit in a footer's index.
package struct CommitEntry: Sendable, Equatable {
  package static let length = 80

  package var offset: UInt64
  /// The whole commit, both its frames.
  package var byteCount: Int
  /// Without cursors.
  package var facts: CommitFacts

  package init(offset: UInt64, byteCount: Int, facts: CommitFacts) {
    self.offset = offset
    self.byteCount = byteCount
    self.facts = facts
    self.facts.cursors = []
  }

  func write(to writer: inout ByteWriter) {
    writer.u64(offset)
    writer.u32(UInt32(byteCount))
    writer.u32(facts.mattersToResolution ? 1 : 0)
    writer.i64(facts.firstSeq)
    writer.u32(UInt32(facts.count))
    writer.u32(facts.kinds)
    writer.i64(facts.recordedMin)
    writer.i64(facts.recordedMax)
    writer.i64(facts.atMin)
    writer.i64(facts.atMax)
    writer.i64(Absent.from(facts.latestStartDate))
    writer.i64(Absent.from(facts.earliestAtOfStartDate))
  }

  init(_ reader: inout ByteReader) throws(Damage) {
    offset = try reader.u64()
    byteCount = Int(try reader.u32())
    let flags = try reader.u32()
    let firstSeq = try reader.i64()
    let count = Int(try reader.u32())
    guard count >= 1, count <= Limits.commitRows, firstSeq >= 1,
      firstSeq <= Int64.max - Int64(count), offset <= UInt64(Int64.max)
    else { throw Damage(.malformed, "footer") }
    facts = CommitFacts(
      firstSeq: firstSeq, count: count, recordedMin: 0, recordedMax: 0, atMin: 0, atMax: 0)
    facts.kinds = try reader.u32()
    facts.recordedMin = try reader.i64()
    facts.recordedMax = try reader.i64()
    facts.atMin = try reader.i64()
    facts.atMax = try reader.i64()
    facts.latestStartDate = Absent.optional(try reader.i64())
    facts.earliestAtOfStartDate = Absent.optional(try reader.i64())
    facts.mattersToResolution = flags & 1 != 0
  }
}

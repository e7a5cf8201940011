/// A commit as it is written: its header and every byte, for one position of one segment.
package struct CommitFrame: Sendable {
  package var header: CommitHeader
  package var bytes: [UInt8]

  /// Compresses and frames a commit.
  ///
  /// - Throws: `.batchTooLarge` where a section exceeds its limit; nothing was written then.
  package init(
    _ content: CommitContent, seed: SegmentSeed, offset: UInt64, encoding: CommitEncoding = .fast
  ) throws(LogError) {
    let cursors = IngestCursor.encode(content.facts.cursors)
    try Self.check(content, cursors: cursors)
    let names = LZ4.pack(content.names, level: encoding.level)
    let skeleton = LZ4.pack(content.skeleton, level: encoding.level)
    let payload = content.packedPayload ?? LZ4.pack(content.payload, level: encoding.level)

    var header = CommitHeader(facts: content.facts)
    header.facts.cursors = []
    header.namesCodec = names.codec
    header.skeletonCodec = skeleton.codec
    header.namesStored = names.bytes.count
    header.namesRaw = content.names.count
    header.skeletonStored = skeleton.bytes.count
    header.skeletonRaw = content.skeleton.count
    header.payloadStored = payload.bytes.count
    header.payloadRaw = content.payload.count
    header.cursorsLength = cursors.count
    header.cursorsCRC = CRC32C.of(cursors)
    header.namesCRC = CRC32C.of(names.bytes)
    header.skeletonCRC = CRC32C.of(skeleton.bytes)

    var body = ByteWriter(capacity: header.totalLength - CommitHeader.length)
    body.raw(cursors)
    body.raw(names.bytes)
    body.raw(skeleton.bytes)
    let dataStart = body.bytes.count
    Frames.writeData(payload, to: &body)
    header.payloadCRC = CRC32C.of(body.bytes, dataStart..<body.bytes.count)

    self.header = header
    self.bytes = header.encode(seed: seed, offset: offset) + body.bytes
  }

  private static func check(
    _ content: CommitContent, cursors: [UInt8]
  ) throws(LogError) {
    let facts = content.facts
    precondition(facts.count >= 1, "A commit has at least one row.")
    precondition(facts.firstSeq >= 1, "Seqs begin at 1.")
    let sizes: [(what: String, size: Int, limit: Int)] = [
      ("events", facts.count, Limits.commitRows),
      ("bytes of content", content.payload.count, Limits.payloadBytes),
      ("bytes of columns", content.skeleton.count, Limits.sectionBytes),
      ("bytes of names", content.names.count, Limits.sectionBytes),
      ("bytes of ingest cursors", cursors.count, Limits.cursorBytes),
    ]
    for entry in sizes where entry.size > entry.limit {
      throw LogError(
        .batchTooLarge,
        detail: "this batch has \(entry.size) \(entry.what), one commit holds \(entry.limit): "
          + "append it in smaller parts")
    }
    for cursor in facts.cursors
    where cursor.feed.count > Limits.feedBytes || cursor.check.count > Limits.feedBytes {
      throw LogError(
        .batchTooLarge,
        detail: "a feed's name may have \(Limits.feedBytes) bytes: name it by a digest instead")
    }
  }
}

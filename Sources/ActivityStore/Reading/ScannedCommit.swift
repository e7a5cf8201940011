/// A commit whose header verified; its sections are read, checked and decompressed on demand.
package struct ScannedCommit: Sendable, Equatable {
  /// Of its first byte in the segment's file.
  package var offset: UInt64
  package var header: CommitHeader

  package var facts: CommitFacts { header.facts }
  package var end: UInt64 { offset + UInt64(header.totalLength) }

  /// Every seq it holds.
  package var seqs: LostSeqs { .between(facts.firstSeq, facts.nextSeq) }

  /// What a footer says of it.
  package var entry: CommitEntry {
    CommitEntry(offset: offset, byteCount: header.totalLength, facts: facts)
  }
}

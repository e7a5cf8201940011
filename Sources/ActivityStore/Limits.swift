/// Every maximum of the format, with its reason. A number read from disk is compared with one of
/// these before anything is allocated for it.
package enum Limits {
  /// Rows of one commit: what one damaged commit can cost at most.
  package static let commitRows = 65_536
  /// Raw payload of one commit: the largest block an LZ4 frame of our kind may hold.
  package static let payloadBytes = 4 << 20
  /// Raw payload at which a writer that may choose begins the next commit.
  package static let payloadTarget = 1 << 20
  /// Raw skeleton of one commit, and raw names of one commit.
  package static let sectionBytes = 4 << 20
  /// Encoded ingest cursors of one commit.
  package static let cursorBytes = 256 << 10
  /// Feeds a log remembers a cursor of; the least recently used goes first.
  package static let feeds = 4_096
  /// A feed's name or check: a digest is 32 bytes, a stream with a partition somewhat more.
  package static let feedBytes = 255

  /// Where a segment ends and the next begins, whichever comes first.
  package static let segmentRows = 262_144
  package static let segmentBytes = 32 << 20
  package static let segmentCommits = 16_384

  /// One copy of a segment header with its metadata.
  package static let headerBytes = 64 << 10
  /// A footer: 16 384 commits' entries, and a subject index of 262 144 rows with four handles each.
  package static let footerBytes = 64 << 20
  /// How much later than the last seq the next one is when a lost commit's count is unreadable.
  package static let lostCommitStride: Int64 = 65_537
  /// Ids remembered for telling a repeated line.
  package static let rememberedIDs = 1_048_576
  /// How much of a file a scan reads at once.
  package static let windowBytes = 256 << 10
}

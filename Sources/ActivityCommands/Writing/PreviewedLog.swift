internal import ActivityCore
internal import ActivityStore

/// What a log says to an ingestion that records nothing: where its keys lie, and how far it took
/// each feed. It is only read, and need not be there.
struct PreviewedLog {
  /// Whether there is a log.
  private(set) var isThere = false
  /// Where it was told that business keys lie.
  private(set) var keyPath: KeyPointer?

  private var cursors: [[UInt8]: IngestCursor] = [:]

  /// - Throws: when there is a log that cannot be read.
  init(_ files: any LogFiles) throws(LogError) {
    let names: [String]
    do throws(LogError) {
      names = try CommitWriter.segments(files)
    } catch {
      guard WritableLog.isNothingThere(error, files) else { throw error }
      return
    }
    isThere = true
    for name in names {
      var scanner = try SegmentScanner(
        try files.open(name, .read), isWriterLive: { WriterLock.isHeld(files) })
      let kept = scanner.header.metadata.first { $0.key == KeyPointer.metadataKey }
      keyPath = kept.flatMap { KeyPointer($0.value) }
      if let footer = try scanner.readFooter() {
        take(footer.cursors)
      } else {
        while let commit = try scanner.next() { take(try scanner.readCursors(of: commit)) }
      }
    }
  }

  private mutating func take(_ list: [IngestCursor]) {
    for cursor in list { cursors[cursor.feed] = cursor }
  }

  func cursor(of feed: [UInt8]) -> IngestCursor? { cursors[feed] }
}

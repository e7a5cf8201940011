/// The segment a writer appends to: its file, and everything its footer will need.
struct ActiveSegment {
  let file: any LogFile
  let header: SegmentHeader
  /// Where the next commit goes.
  private(set) var end: UInt64
  /// After a failed write or sync nothing behind it stays: the last synced end, or, where nobody
  /// asked for a sync, the end of the last whole commit.
  private var keptEnd: UInt64
  private let policy: SyncPolicy
  private(set) var commits: [CommitEntry]
  private(set) var through: LogTotals
  private(set) var nextSeq: Int64

  var rows: Int64 { through.count - header.before.count }

  /// Makes a segment under a temporary name, syncs it and gives it its own: a crash at any step
  /// leaves either no segment or a whole one.
  init(
    making header: SegmentHeader, in files: any LogFiles, policy: SyncPolicy
  ) throws(LogError) {
    let temporary = header.fileName + ".tmp"
    let copy = header.encode()
    guard copy.count <= Limits.headerBytes else {
      throw LogError(
        .batchTooLarge, detail: "the log's metadata is \(copy.count) bytes, 65536 fit: shorten it")
    }
    guard try !files.list().contains(header.fileName) else {
      throw LogError(
        .exists, file: header.fileName,
        detail: "a segment of this name is already here: run verify on this log")
    }
    let file = try files.open(temporary, .create)
    try file.write(copy + copy, at: 0)
    try file.sync()
    try files.rename(temporary, to: header.fileName)
    try files.syncDirectory()
    // Opened again so that messages name the file that is there now.
    self.file = try files.open(header.fileName, .readWrite)
    self.header = header
    self.policy = policy
    end = UInt64(2 * copy.count)
    keptEnd = end
    commits = []
    through = header.before
    nextSeq = header.firstSeq
  }

  /// Goes on with a segment that a scan walked to its end.
  init(
    continuing file: any LogFile, header: SegmentHeader, commits: [CommitEntry], end: UInt64,
    policy: SyncPolicy
  ) {
    self.policy = policy
    keptEnd = end
    self.file = file
    self.header = header
    self.commits = commits
    self.end = end
    through = header.before
    nextSeq = header.firstSeq
    for commit in commits {
      through.add(commit.facts)
      nextSeq = commit.facts.nextSeq
    }
  }

  /// Writes a commit behind the last one, in one call, and syncs if told to.
  ///
  /// - Throws: With the file's end as it was before, or not even that; the caller must stop.
  mutating func append(_ content: CommitContent, sync: Bool) throws(LogError) {
    let frame = try CommitFrame(content, seed: header.seed, offset: end)
    do throws(LogError) {
      try file.write(frame.bytes, at: end)
      if sync { try file.sync() }
    } catch {
      cutBack()
      throw error
    }
    commits.append(
      CommitEntry(offset: end, byteCount: frame.bytes.count, facts: content.facts))
    end += UInt64(frame.bytes.count)
    through.add(content.facts)
    nextSeq = content.facts.nextSeq
    if sync || policy == .operatingSystem { keptEnd = end }
  }

  /// Makes every commit so far durable.
  mutating func sync() throws(LogError) {
    do throws(LogError) {
      try file.sync()
    } catch {
      cutBack()
      throw error
    }
    keptEnd = end
  }

  /// Appends footer and trailer and syncs: the segment is sealed.
  mutating func seal(subjects: SubjectIndex, cursors: [IngestCursor]) throws(LogError) {
    try sync()
    let footer = Footer(
      nextSeq: nextSeq, through: through, commits: commits, subjects: subjects, cursors: cursors
    ).encode(seed: header.seed, offset: end)
    let trailer = Trailer(
      footerOffset: end, footerLength: UInt64(footer.count), nextSeq: nextSeq, count: rows,
      commits: commits.count
    ).encode(seed: header.seed, offset: end + UInt64(footer.count))
    do throws(LogError) {
      try file.write(footer + trailer, at: end)
      try file.sync()
    } catch {
      cutBack()
      throw error
    }
  }

  /// After a failed write or sync: whatever was never acknowledged goes. If even that
  /// fails the tail stays, and the next writer to open the log cuts it as torn.
  private func cutBack() {
    guard (try? file.truncate(to: keptEnd)) != nil else { return }
    _ = try? file.sync()
  }
}

/// The only writer of a log, at the level of commits: takes the lock, appends, syncs, rolls.
///
/// After a failed write or sync it accepts nothing more; open the log again.
package final class CommitWriter {
  package let files: any LogFiles
  package let log: LogID
  /// What the header of the next segment carries.
  package private(set) var metadata: [LogMetadata]
  package let policy: SyncPolicy
  /// What opening found and did.
  package let recovery: LogRecovery
  /// A seal was interrupted; the caller should roll before it appends.
  package let wasBeingSealed: Bool

  /// The seq the next commit must not be below.
  package private(set) var nextSeq: Int64
  /// Of every commit so far.
  package private(set) var through: LogTotals
  private var active: ActiveSegment?
  private var feeds = FeedTable()
  private var lock: WriterLock
  private var poison: LogError?

  /// Makes a log in a new or empty directory.
  ///
  /// - Throws: `.exists` where a log is there already, `.notALog` where other files are.
  package static func create(
    in files: any LogFiles, id: LogID, metadata: [LogMetadata] = [], options: WriterOptions
  ) throws(LogError) -> CommitWriter {
    try files.makeDirectory()
    try checkEmpty(files)
    let lock = try options.lock(files)
    try checkEmpty(files)
    var header = SegmentHeader(log: id, firstSeq: 1)
    header.metadata = metadata
    header.encodings = .packed
    let active = try ActiveSegment(making: header, in: files, policy: options.policy)
    let writer = CommitWriter(files, header: header, lock: lock, options: options, last: nil)
    writer.active = active
    writer.stateProgress()
    return writer
  }

  /// Opens a log for appending: reads the last footer and the active segment, cuts a torn tail.
  ///
  /// - Throws: `.missing`, `.notALog`, `.locked`, `.newerFormat`, or a failure of the file system.
  package static func open(
    in files: any LogFiles, options: WriterOptions
  ) throws(LogError) -> CommitWriter {
    try checkVersion(segments(files), files)
    let lock = try options.lock(files)
    let names = try segments(files)
    let note = WriterNote.read(files)
    for name in try files.list() where name.hasSuffix(SegmentName.ending + ".tmp") {
      try files.remove(name)
    }
    let last = try lastSegment(names, in: files, note: note, policy: options.policy)
    let writer = CommitWriter(
      files, header: last.header, lock: lock, options: options, last: last)
    if last.active != nil || last.cursors.isEmpty {
      try writer.feeds.advance(all: Self.cursors(before: names.count - 1, names, files))
    }
    writer.feeds.advance(all: last.cursors)
    writer.stateProgress()
    return writer
  }

  private init(
    _ files: any LogFiles, header: SegmentHeader, lock: WriterLock, options: WriterOptions,
    last: LastSegment?
  ) {
    self.files = files
    self.lock = lock
    log = header.log
    metadata = header.metadata
    policy = options.policy
    active = last?.active
    nextSeq = last?.nextSeq ?? header.firstSeq
    through = last?.through ?? header.before
    recovery = last?.recovery ?? LogRecovery()
    wasBeingSealed = last?.wasBeingSealed ?? false
  }

  /// The segment being written, nil when the next commit begins a new one.
  package var activeSegment: (firstSeq: Int64, commits: [CommitEntry], file: any LogFile)? {
    active.map { ($0.header.firstSeq, $0.commits, $0.file) }
  }

  /// How commits of the active segment, or else of the next one, are to be encoded: a segment that
  /// was begun without the feature of packed encodings never gets any.
  package var encodings: ColumnEncodings { active?.header.encodings ?? .packed }

  /// Bytes of the active segment.
  package var activeBytes: UInt64 { active?.end ?? 0 }

  /// Feeds' cursors, least recently used first.
  package var cursors: [IngestCursor] { feeds.list }

  package func cursor(of feed: [UInt8]) -> IngestCursor? { feeds[feed] }

  /// Feeds dropped since this writer opened, because there were more than a log remembers.
  package var forgottenFeeds: Int { feeds.forgotten }

  /// Keeps a fact about the log from the next segment on, in place of an older one of its key. A
  /// segment without a commit is made anew, since its header is written once; on a log with commits
  /// the fact is durable with the next one.
  package func keep(_ fact: LogMetadata) throws(LogError) {
    try checkUsable()
    guard !metadata.contains(fact) else { return }
    metadata.removeAll { $0.key == fact.key }
    metadata.append(fact)
    guard let empty = active, empty.commits.isEmpty else { return }
    active = nil
    try files.remove(empty.header.fileName)
    active = try activeOrNew(at: nextSeq)
    stateProgress()
  }

  /// Whether the active segment is full for a commit of so many rows: then `roll` comes first.
  package func isFull(adding rows: Int) -> Bool {
    guard let active, !active.commits.isEmpty else { return false }
    // A header is written once, so what the log is told to keep needs a new one.
    if active.header.metadata != metadata { return true }
    return active.rows + Int64(rows) > Int64(Limits.segmentRows)
      || active.end >= UInt64(Limits.segmentBytes)
      || active.commits.count >= Limits.segmentCommits
  }

  /// Appends one commit; when it returns, the commit is as durable as the policy says.
  ///
  /// - Throws: `.batchTooLarge` and `.outOfOrder` with nothing changed; `.noSpace`, `.cannotWrite`,
  ///   `.cannotSync` with the writer poisoned; `.poisoned` from then on.
  ///
  /// With `sync` false it is durable after the next `sync()`, which several appends can share.
  package func append(_ content: CommitContent, sync: Bool = true) throws(LogError) {
    try checkUsable()
    guard content.facts.firstSeq >= nextSeq else {
      throw LogError(
        .outOfOrder, file: files.path,
        detail: "seq \(content.facts.firstSeq) comes after seq \(nextSeq - 1): "
          + "seqs must increase")
    }
    precondition(!isFull(adding: content.facts.count), "A full segment is rolled first.")
    var segment = try activeOrNew(at: content.facts.firstSeq)
    // Held once only while it changes, so that its list of commits is never copied.
    active = nil
    do throws(LogError) {
      try segment.append(content, sync: sync && policy == .everyCommit)
    } catch {
      active = segment
      if error.code != .batchTooLarge { poison = error }
      throw error
    }
    active = segment
    nextSeq = segment.nextSeq
    through = segment.through
    feeds.advance(all: content.facts.cursors)
    if sync, policy == .everyCommit { stateProgress() }
  }

  /// Seals the active segment; the next commit begins a new one. Does nothing to an empty segment.
  package func seal(subjects: SubjectIndex) throws(LogError) {
    try checkUsable()
    guard var segment = active, !segment.commits.isEmpty else { return }
    do throws(LogError) {
      try segment.seal(subjects: subjects, cursors: feeds.list)
    } catch {
      poison = error
      throw error
    }
    active = nil
  }

  /// Makes everything appended so far durable, whatever the policy.
  ///
  /// - Parameter noting: false where `stateProgress` follows as soon as the waiting are answered.
  package func sync(noting: Bool = true) throws(LogError) {
    try checkUsable()
    do throws(LogError) {
      try active?.sync()
    } catch {
      poison = error
      throw error
    }
    if noting { stateProgress() }
  }

  private func activeOrNew(at seq: Int64) throws(LogError) -> ActiveSegment {
    if let active { return active }
    var header = SegmentHeader(log: log, firstSeq: seq)
    header.before = through
    header.metadata = metadata
    header.encodings = .packed
    do throws(LogError) {
      return try ActiveSegment(making: header, in: files, policy: policy)
    } catch {
      poison = error
      throw error
    }
  }

  private func checkUsable() throws(LogError) {
    guard let poison else { return }
    throw LogError(
      .poisoned, file: files.path,
      detail: "an earlier write failed (\(poison.detail)): open the log again")
  }

  /// Rewrites the note in the lock file. It helps others and decides nothing: a commit that is
  /// durable is not refused because the note could not be rewritten.
  package func stateProgress() {
    guard let active, poison == nil else { return }
    _ = try? lock.state(
      segment: active.header.firstSeq, syncedSeq: nextSeq - 1, syncedEnd: active.end)
  }
}

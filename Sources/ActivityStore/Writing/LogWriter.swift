public import ActivityCore

/// The sole writer of a log: stamps batches, keeps what was already there from coming twice,
/// compresses, writes, syncs, and begins new segments.
///
/// Not safe to share between tasks; `LogRecorder` is the door for several.
public final class LogWriter {
  package let commits: CommitWriter
  /// Microseconds since 1970.
  private let clock: @Sendable () -> Int64
  private var ordinals: SegmentOrdinals
  private var index: SubjectIndexBuilder
  private var ids: IDWindow?

  /// What opening the log found and did.
  public var recovery: LogRecovery { commits.recovery }
  /// The log's identity.
  public var log: LogID { commits.log }
  /// The seq the next event gets.
  public var nextSeq: Int64 { commits.nextSeq }
  /// What the log keeps about itself, such as `key-path`.
  public var metadata: [LogMetadata] { commits.metadata }
  /// Keeps a fact about the log in the headers of its segments, in place of an older one of its
  /// key; what is appended next begins a new segment if the present one says otherwise, and makes
  /// the fact durable.
  public func keep(_ fact: LogMetadata) throws(LogError) {
    try commits.keep(fact)
    // An empty segment was made anew, perhaps with other encodings.
    if commits.activeSegment?.commits.isEmpty == true {
      ordinals = SegmentOrdinals(commits.encodings)
      index = SubjectIndexBuilder(commits.encodings)
    }
  }
  /// How far every feed had come, least recently used first.
  public var cursors: [IngestCursor] { commits.cursors }
  /// How far one feed had come.
  public func cursor(of feed: [UInt8]) -> IngestCursor? { commits.cursor(of: feed) }

  /// Writes at the end of a log that a `CommitWriter` opened.
  ///
  /// - Parameter clock: Microseconds since 1970; called once for each batch.
  package init(_ commits: CommitWriter, clock: @escaping @Sendable () -> Int64) throws(LogError) {
    self.commits = commits
    self.clock = clock
    ordinals = SegmentOrdinals(commits.encodings)
    index = SubjectIndexBuilder(commits.encodings)
    try takeOverActiveSegment()
    if commits.wasBeingSealed { try roll() }
  }

  /// Appends a batch as one commit, durable when this returns if the policy says so.
  ///
  /// Rows whose `id` the log already has are not written again; the receipt says which seq has
  /// them. `recorded-at` is the clock's, never decreasing; a missing `at` becomes it. A batch that
  /// was read for restoring keeps both stamps, and its holes in `seq` cut it into several commits.
  ///
  /// - Parameters:
  ///   - cursors: Feeds this batch advances; they become durable with its rows.
  ///   - sync: Whether to sync now if the policy wants it; false where `sync()` follows.
  /// - Throws: `.batchTooLarge` and `.badBatch` with nothing written; `.outOfOrder` for a restored
  ///   stamp that goes back; else the writer is poisoned.
  public func append(
    _ batch: EventColumns, cursors: [IngestCursor] = [], sync: Bool = true
  ) throws(LogError) -> AppendReceipt {
    try append(batch, prepared: nil, cursors: cursors, sync: sync)
  }

  /// The same; what is `prepared` of the batch is used where all of it is written as it is.
  package func append(
    _ batch: EventColumns, prepared: PreparedBatch?, cursors: [IngestCursor] = [],
    sync: Bool = true
  ) throws(LogError) -> AppendReceipt {
    guard batch.count > 0 else { return AppendReceipt() }
    var receipt = AppendReceipt(pending: batch.count)
    let fresh = try screen(batch, &receipt)
    if let fresh, fresh.isEmpty { return receipt }
    let part = fresh.map { batch.selecting($0) } ?? batch
    let isWhole = fresh == nil && batch.statedSeq.isEmpty
    let runs = try StampedRun.runs(
      of: part, nextSeq: nextSeq, floor: commits.through.recordedMax, now: clock())
    for (number, run) in runs.enumerated() {
      let isLast = number == runs.count - 1
      try write(
        run.batch, isWhole ? prepared : nil, cursors: isLast ? cursors : [], sync: sync)
      for row in run.rows { receipt.set(fresh?[row] ?? row, .appended(run.seq(of: row))) }
    }
    remember(batch, receipt)
    return receipt
  }

  /// Makes everything appended so far durable, whatever the policy.
  public func sync() throws(LogError) { try commits.sync() }

  /// Makes everything durable and leaves the note about it, which nobody's answer waits for, to
  /// `noteProgress`.
  package func syncBeforeNote() throws(LogError) { try commits.sync(noting: false) }

  /// Tells readers how far the log is durable.
  package func noteProgress() { commits.stateProgress() }

  /// Closes the active segment with its indexes; the next append begins another.
  public func seal() throws(LogError) { try roll() }

  private func roll() throws(LogError) {
    try commits.seal(subjects: index.index)
    ordinals = SegmentOrdinals(commits.encodings)
    index = SubjectIndexBuilder(commits.encodings)
  }

  private func write(
    _ batch: EventColumns, _ prepared: PreparedBatch?, cursors: [IngestCursor], sync: Bool
  ) throws(LogError) {
    guard IngestCursor.encode(cursors).count <= Limits.cursorBytes else {
      throw LogError(
        .batchTooLarge, detail: "too many ingest cursors for one commit: append in smaller parts")
    }
    if commits.isFull(adding: batch.count) { try roll() }
    let encoded: EncodedCommit
    do throws(UnencodableBatch) {
      encoded = try CommitCoding.encode(batch, ordinals: &ordinals)
    } catch {
      guard error == .ordinalsExhausted, commits.activeSegment?.commits.isEmpty == false else {
        throw error.logError
      }
      try roll()
      return try write(batch, prepared, cursors: cursors, sync: sync)
    }
    var content = CommitContent(encoded, firstSeq: batch.firstSeq, cursors: cursors)
    content.packedPayload = prepared?.payload
    try commits.append(content, sync: sync)
    let number = (commits.activeSegment?.commits.count ?? 1) - 1
    index.add(prepared?.listing(commits.encodings) ?? listing(of: batch), commit: number)
  }

  private func listing(of batch: EventColumns) -> CommitListing {
    CommitListing(batch, commits.encodings)
  }

  /// Numbers the subjects of a segment that was begun before, and lists its commits.
  private func takeOverActiveSegment() throws(LogError) {
    guard let active = commits.activeSegment, !active.commits.isEmpty else { return }
    var reader = SegmentReader(try SegmentScanner(active.file))
    var selection = LogSelection.columns
    selection.members = [.token, .channel, .key, .replaces, .apnsID]
    var hashes = SubjectHashes(commits.encodings)
    var number = 0
    while let (commit, batch) = try reader.next(selection) {
      while number < active.commits.count, active.commits[number].offset < commit.offset {
        number += 1
      }
      hashes.add(batch.subjects, batch.texts)
      index.add(CommitListing(batch, hashes), commit: number)
      if let bytes = try reader.scanner.read(.names, of: commit),
        let names = try? CommitCoding.decodeNames(bytes)
      {
        ordinals.restore(names)
      }
      ordinals.reserve(below: (batch.usedOrdinals().last ?? -1) + 1)
    }
  }

  /// Which rows are to be written, nil for all; the others' receipts say why not.
  private func screen(
    _ batch: EventColumns, _ receipt: inout AppendReceipt
  ) throws(LogError) -> [Int]? {
    guard batch[.id].contains(where: { $0 != EventColumns.absent }) else { return nil }
    if ids == nil { ids = try IDWindow(log: log, files: commits.files) }
    return try ids?.screen(batch, &receipt, files: commits.files)
  }

  private func remember(_ batch: EventColumns, _ receipt: AppendReceipt) {
    ids?.remember(batch, receipt)
  }
}

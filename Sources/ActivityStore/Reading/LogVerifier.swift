internal import ActivityCore

/// Checks a whole log: every checksum, every column, order, and that the indexes say what the
/// commits hold. Safe beside a live writer.
public enum LogVerifier {
  /// - Throws: `.missing`, `.notALog`, `.newerFormat`, or a failure to read. Damage is no error.
  package static func verify(_ files: any LogFiles) throws(LogError) -> LogVerification {
    let names = try CommitWriter.segments(files)
    // Sizes first, then the synced end: a writer at work can only make the first look too small.
    var sizes: [String: UInt64] = [:]
    for name in names { sizes[name] = try files.open(name, .read).size() }
    let note = WriterNote.read(files)
    let isLive = WriterLock.isHeld(files)

    var result = LogVerification()
    result.syncedSeq = note?.syncedSeq
    result.policy = note?.policy
    result.isWriterLive = isLive
    var walk = try LogReader(files)
    while let batch = try walk.next() {
      result.events += Int64(batch.count)
      result.commits += 1
    }
    result.bytes = sizes.values.reduce(0, +)
    result.segments = names.count
    var damage = walk.end.damage
    for name in names {
      var check = try SegmentCheck(name, in: files, log: walk.log)
      damage += try check.run().filter { !damage.contains($0) }
    }
    let chain = try LogChain(files)
    result.chain = chain
    damage += chain.breaks
    if let note, !isLive, note.policy == .everyCommit, !chain.holds(note.segment),
      let missing = missing(note, sizes, lastSeq: walk.lastSeq)
    {
      damage.append(missing)
    }
    result.end = damage.isEmpty ? walk.end : .damaged(damage, torn: walk.end.tornTail)
    return result
  }

  /// Checks the log in a directory.
  public static func verify(path: String) throws(LogError) -> LogVerification {
    try verify(PosixFiles(path: path))
  }

  /// Bytes that a writer had synced and that are not there.
  private static func missing(
    _ note: WriterNote, _ sizes: [String: UInt64], lastSeq: Int64
  ) -> DamagedRange? {
    let name = SegmentName.of(max(note.segment, 1))
    guard note.segment > 0, let size = sizes[name], size < note.syncedEnd else { return nil }
    return DamagedRange(
      file: name, offset: size, byteCount: note.syncedEnd - size, part: .segment,
      lost: .between(lastSeq + 1, note.syncedSeq + 1), why: "bytes that were synced are missing")
  }
}

/// What a verification found.
public struct LogVerification: Sendable, Equatable {
  /// Files that make up the log.
  public var segments = 0
  /// Commits whose columns could be read.
  public var commits = 0
  /// Rows of those commits.
  public var events: Int64 = 0
  /// Of all segments, when their sizes were taken.
  public var bytes: UInt64 = 0
  /// What the last writer said is durable; nil where no writer left a note.
  public var syncedSeq: Int64?
  /// How durable the last writer made its commits.
  public var policy: SyncPolicy?
  /// Whether somebody held the log for writing.
  public var isWriterLive = false
  /// The packed segments, read whole.
  public var chain = LogChain()
  /// How the log ends, with every damage found.
  public var end = LogEnd.open
}

/// One segment, every section decoded, its rows compared with headers and indexes.
struct SegmentCheck {
  private var reader: SegmentReader
  private var hashes: SubjectHashes
  private var index: SubjectIndexBuilder
  private var entries: [CommitEntry] = []
  private var recorded = Int64.min

  init(_ name: String, in files: any LogFiles, log: LogID?) throws(LogError) {
    let seed = SegmentName.firstSeq(name).flatMap { seq in
      log.map { SegmentSeed(log: $0, firstSeq: seq) }
    }
    self.init(
      try SegmentScanner(
        try files.open(name, .read), fallback: seed,
        isWriterLive: { WriterLock.isWriting(name, in: files) }))
  }

  init(_ scanner: SegmentScanner) {
    reader = SegmentReader(scanner)
    hashes = SubjectHashes(scanner.header.encodings)
    index = SubjectIndexBuilder(scanner.header.encodings)
  }

  /// What walks the segment.
  var scanner: SegmentScanner {
    get { reader.scanner }
    set { reader.scanner = newValue }
  }

  mutating func run() throws(LogError) -> [DamagedRange] {
    while try next() != nil {}
    return try finish()
  }

  /// The next commit's cursors and rows, checked; nil at the end.
  mutating func next() throws(LogError) -> (cursors: [IngestCursor], batch: EventColumns)? {
    guard let (commit, batch) = try reader.next(LogSelection()) else { return nil }
    let cursors = try reader.scanner.readCursors(of: commit)
    hashes.add(batch.subjects, batch.texts)
    index.add(CommitListing(batch, hashes), commit: entries.count)
    entries.append(commit.entry)
    checkRows(commit, batch)
    return (cursors, batch)
  }

  /// Compares the indexes with what the commits hold; every damage of the segment is returned.
  mutating func finish() throws(LogError) -> [DamagedRange] {
    try checkIndexes()
    return reader.scanner.damage
  }

  private mutating func checkRows(_ commit: ScannedCommit, _ batch: EventColumns) {
    let facts = commit.facts
    let counted = (0..<batch.count).map { batch.countedAt($0) }
    let isTrue =
      facts.recordedMin == batch.recordedAt.min() && facts.recordedMax == batch.recordedAt.max()
      && facts.atMin == counted.min() && facts.atMax == counted.max()
    if !isTrue { note(commit, "the header says other times than its rows") }
    if facts.recordedMin < recorded { note(commit, "recorded-at goes back") }
    recorded = max(recorded, facts.recordedMax)
    guard case .lines(let payload) = batch.payload else { return }
    if payload.count(where: { $0 == 0x0A }) != batch.count {
      note(commit, "the payload has not one line for each row")
    }
  }

  /// Only where every commit was sound: an index lists also what is damaged now.
  private mutating func checkIndexes() throws(LogError) {
    let damage = reader.scanner.damage
    guard damage.allSatisfy({ $0.part == .header || $0.part == .cursors }),
      let trailer = reader.scanner.trailer, let footer = try reader.scanner.readFooter()
    else { return }
    // Of a segment without a header left, nothing else says which form its index has.
    let isOtherForm =
      reader.scanner.start == 0
      && footer.subjects.listsPushes != (reader.scanner.header.encodings == .packed)
    guard footer.commits != entries || !(isOtherForm || footer.subjects == index.index) else {
      return
    }
    reader.scanner.note(
      .index, offset: trailer.footerOffset, byteCount: trailer.footerLength, lost: .none,
      why: "it does not list what the commits hold")
  }

  private mutating func note(_ commit: ScannedCommit, _ why: String) {
    reader.scanner.note(
      .index, offset: commit.offset, byteCount: UInt64(commit.header.totalLength), lost: .none,
      why: why)
  }
}

/// What opening a log for writing found and did.
public struct LogRecovery: Sendable, Equatable {
  /// A write that had not finished, now cut off.
  public var cut: TornTail?
  /// Where its bytes were copied to first.
  public var copy: String?
  /// Acknowledged bytes that do not verify; they stay, and writing goes on in a new segment.
  public var damage: [DamagedRange] = []

  /// Nothing found, nothing done.
  public init() {}
}

/// The last segment of a log as a writer finds it.
struct LastSegment {
  /// nil when the next commit must begin a new segment.
  var active: ActiveSegment?
  var header: SegmentHeader
  var nextSeq: Int64
  var through: LogTotals
  var cursors: [IngestCursor]
  var recovery = LogRecovery()
  /// A torn footer was cut: the segment was being sealed.
  var wasBeingSealed = false

  /// Reads a sealed segment's footer, or walks an active one and cuts what is torn.
  init(
    _ name: String, in files: any LogFiles, note: WriterNote?, policy: SyncPolicy
  ) throws(LogError) {
    let file = try files.open(name, .readWrite)
    var scanner = try SegmentScanner(file)
    guard !scanner.header.isNewerForWriting else { throw SegmentScanner.newer(file.name) }
    header = scanner.header
    if let footer = try scanner.readFooter() {
      nextSeq = footer.nextSeq
      through = footer.through
      cursors = footer.cursors
      return
    }
    var commits: [CommitEntry] = []
    cursors = []
    while let commit = try scanner.next() {
      commits.append(commit.entry)
      cursors += try scanner.readCursors(of: commit)
    }
    let active = ActiveSegment(
      continuing: file, header: header, commits: commits, end: scanner.offset,
      policy: policy)
    nextSeq = scanner.nextSeq
    through = active.through
    recovery.damage = scanner.damage
    if let tail = scanner.end.tornTail {
      recovery.cut = tail
      wasBeingSealed = tail.isFooter
      recovery.copy = try Self.cut(tail, of: file, name: name, in: files)
    }
    let costly = scanner.damage.filter { $0.part != .header }
    if costly.isEmpty, !scanner.isSealed {
      self.active = active
    } else {
      nextSeq = Self.seqBehind(costly, nextSeq: nextSeq, note: note)
    }
  }

  /// A segment neither of whose headers verifies, read by its name and what came before it. It
  /// stays as it is, and writing goes on in a new one.
  init(
    headless name: String, behind prior: LastSegment, in files: any LogFiles, note: WriterNote?
  ) throws(LogError) {
    let first = SegmentName.firstSeq(name) ?? prior.nextSeq
    var scanner = try SegmentScanner(
      try files.open(name, .read),
      fallback: SegmentSeed(log: prior.header.log, firstSeq: first))
    header = prior.header
    through = prior.through
    cursors = prior.cursors
    while let commit = try scanner.next() {
      through.add(commit.facts)
      cursors += try scanner.readCursors(of: commit)
    }
    recovery.damage = scanner.damage
    nextSeq = Self.seqBehind(scanner.damage, nextSeq: scanner.nextSeq, note: note)
    if nextSeq <= first { nextSeq = first - 1 + Limits.lostCommitStride }
  }

  /// Where seqs go on behind damage: beyond anything the unreadable commit can have held.
  private static func seqBehind(
    _ damage: [DamagedRange], nextSeq: Int64, note: WriterNote?
  ) -> Int64 {
    guard damage.contains(where: { if case .from = $0.lost { true } else { false } }) else {
      return nextSeq
    }
    return max(nextSeq - 1 + Limits.lostCommitStride, (note?.syncedSeq ?? 0) + 1)
  }

  /// Copies a torn tail aside, then cuts it. Without the copy nothing is cut and the log is not
  /// opened. A footer is derived, so it is not copied.
  private static func cut(
    _ tail: TornTail, of file: any LogFile, name: String, in files: any LogFiles
  ) throws(LogError) -> String? {
    var copyName: String?
    if !tail.isFooter {
      let aside = "\(name).torn-\(tail.offset)"
      let bytes = try file.read(at: tail.offset, count: Int(tail.byteCount))
      let copy = try files.open(aside, .create)
      try copy.write(bytes, at: 0)
      try copy.sync()
      try files.syncDirectory()
      copyName = aside
    }
    try file.truncate(to: tail.offset)
    try file.sync()
    return copyName
  }
}

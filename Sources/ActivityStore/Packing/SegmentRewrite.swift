internal import ActivityCore

/// Writes a sealed segment anew into another file: the same rows in fewer and denser commits.
struct SegmentRewrite {
  /// How far rows of the source had come when they could be cut.
  private struct Mark {
    /// Rows gathered, and the first ordinal they do not introduce.
    var rows: Int
    var ordinals: Int32
    var cursors: [IngestCursor]
  }

  /// Payload of the pieces a large commit of the source is cut into, and the most rows of one.
  private static let pieceBytes = Limits.payloadTarget / 16
  private static let pieceRows = Limits.commitRows / 16

  private var source: SegmentReader
  private let file: any LogFile
  private let header: SegmentHeader
  private let encoding: CommitEncoding

  private var catalogue = SubjectCatalogue()
  private var ordinals: SegmentOrdinals
  private var index: SubjectIndexBuilder
  private var entries: [CommitEntry] = []
  /// Of the log, with what was written.
  private(set) var through: LogTotals
  private var nextSeq: Int64
  private var end: UInt64

  private var rows: MergedRows
  private var marks: [Mark] = []
  private var cursorBytes = 0
  /// The first ordinal that no written commit introduced.
  private var introduced: Int32 = 0

  /// - Parameter header: What both headers of the new file say.
  init(
    _ source: SegmentScanner, into file: any LogFile, header: SegmentHeader,
    encoding: CommitEncoding
  ) throws(LogError) {
    self.source = SegmentReader(source)
    self.file = file
    self.header = header
    index = SubjectIndexBuilder(header.encodings)
    self.encoding = encoding
    ordinals = SegmentOrdinals(header.encodings)
    through = header.before
    nextSeq = header.firstSeq
    rows = MergedRows(firstSeq: header.firstSeq, space: 0)
    let copy = header.encode()
    try file.write(copy + copy, at: 0)
    end = UInt64(2 * copy.count)
  }

  /// Commits written, and commits taken from the source.
  var commits: Int { entries.count }
  private(set) var commitsRead = 0
  /// Damage of the source that costs nothing, and that what was written does not have.
  var healed: [DamagedRange] { source.scanner.damage }

  /// Writes and syncs the whole segment.
  ///
  /// - Parameters:
  ///   - cursors: Every feed's at the segment's end.
  ///   - progress: Told how many bytes of the source were taken.
  /// - Returns: Damage that cost something, after which the file is not whole; else nothing.
  mutating func run(
    cursors: [IngestCursor], _ progress: (UInt64) -> Void
  ) throws(LogError) -> [DamagedRange] {
    while let (commit, batch) = try source.next(LogSelection()) {
      let cursors = try source.scanner.readCursors(of: commit)
      guard source.scanner.costlyDamage.isEmpty, case .lines(let payload) = batch.payload else {
        break
      }
      try take(batch, payload, cursors)
      commitsRead += 1
      progress(commit.end)
    }
    let damage = source.scanner.costlyDamage
    guard damage.isEmpty else { return damage }
    try flush()
    try seal(cursors)
    return []
  }

  private mutating func take(
    _ batch: EventColumns, _ payload: [UInt8], _ cursors: [IngestCursor]
  ) throws(LogError) {
    let first = catalogue.end
    catalogue.take(batch)
    let cuts = CommitCuts(
      of: batch, introducing: first..<catalogue.end, payload: payload, bytes: Self.pieceBytes,
      rows: Self.pieceRows
    ).cuts
    var (row, byte) = (0, 0)
    for (number, cut) in cuts.enumerated() {
      let isLast = number == cuts.count - 1
      try add(
        batch, row..<cut.row, lines: payload[byte..<cut.byte],
        Mark(rows: 0, ordinals: cut.ordinals, cursors: isLast ? cursors : []))
      (row, byte) = (cut.row, cut.byte)
    }
  }

  private mutating func add(
    _ batch: EventColumns, _ part: Range<Int>, lines: ArraySlice<UInt8>, _ mark: Mark
  ) throws(LogError) {
    let seq = batch.firstSeq + Int64(part.lowerBound)
    let added = IngestCursor.encode(mark.cursors).count
    if rows.count > 0,
      seq != nextSeq || rows.payloadBytes + lines.count > Limits.payloadTarget
        || rows.count + part.count > Limits.commitRows
        || cursorBytes + added > Limits.cursorBytes
    {
      try flush()
    }
    if rows.count == 0 { rows = MergedRows(firstSeq: seq, space: batch.space) }
    rows.append(batch, part, lines: lines)
    var mark = mark
    mark.rows = rows.count
    marks.append(mark)
    cursorBytes += added
    nextSeq = seq + Int64(part.count)
  }

  private mutating func flush() throws(LogError) {
    guard let last = marks.last else { return }
    guard let batch = rows.batch(catalogue, introducing: introduced..<last.ordinals) else {
      throw Self.unwritable(header, "a subject without a name")
    }
    try write(batch, marks[...], behind: Mark(rows: 0, ordinals: introduced, cursors: []))
    introduced = last.ordinals
    marks = []
    cursorBytes = 0
    rows = MergedRows(firstSeq: nextSeq, space: batch.space)
  }

  /// Writes rows as one commit, or, where they do not fit one, as several.
  private mutating func write(
    _ batch: EventColumns, _ marks: ArraySlice<Mark>, behind start: Mark
  ) throws(LogError) {
    let encoded: EncodedCommit
    do throws(UnencodableBatch) {
      encoded = try CommitCoding.encode(batch, ordinals: &ordinals)
    } catch {
      guard marks.count > 1 else { throw Self.unwritable(header, "\(error)") }
      let middle = marks.startIndex + marks.count / 2
      try write(part(of: batch, marks[..<middle], behind: start), marks[..<middle], behind: start)
      let next = marks[middle - 1]
      try write(part(of: batch, marks[middle...], behind: next), marks[middle...], behind: next)
      return
    }
    var feeds = FeedTable()
    for mark in marks { feeds.advance(all: mark.cursors) }
    let content = CommitContent(encoded, firstSeq: batch.firstSeq, cursors: feeds.list)
    let frame = try CommitFrame(content, seed: header.seed, offset: end, encoding: encoding)
    try file.write(frame.bytes, at: end)
    index.add(CommitListing(batch, header.encodings), commit: entries.count)
    entries.append(CommitEntry(offset: end, byteCount: frame.bytes.count, facts: content.facts))
    end += UInt64(frame.bytes.count)
    through.add(content.facts)
  }

  /// The rows between two marks, with the subjects they need.
  private func part(
    of batch: EventColumns, _ marks: ArraySlice<Mark>, behind start: Mark
  ) throws(LogError) -> EventColumns {
    // Rows of a mark count from where the marks of the whole batch do.
    let base = Int(batch.firstSeq - rows.firstSeq)
    let last = marks[marks.endIndex - 1]
    var part = batch.selecting(Array((start.rows - base)..<(last.rows - base)))
    part.firstSeq = rows.firstSeq + Int64(start.rows)
    guard let named = part.naming(start.ordinals..<last.ordinals, from: catalogue) else {
      throw Self.unwritable(header, "a subject without a name")
    }
    return named
  }

  private mutating func seal(_ cursors: [IngestCursor]) throws(LogError) {
    let next = entries.last?.facts.nextSeq ?? header.firstSeq
    let footer = Footer(
      nextSeq: next, through: through, commits: entries,
      subjects: index.index, cursors: cursors
    ).encode(seed: header.seed, offset: end)
    let trailer = Trailer(
      footerOffset: end, footerLength: UInt64(footer.count), nextSeq: next,
      count: through.count - header.before.count, commits: entries.count
    ).encode(seed: header.seed, offset: end + UInt64(footer.count))
    try file.write(footer + trailer, at: end)
    try file.sync()
  }

  private static func unwritable(_ header: SegmentHeader, _ why: String) -> LogError {
    LogError(
      .badBatch, file: header.fileName,
      detail: "this segment cannot be packed (\(why)): it stays as it is")
  }
}

extension SegmentScanner {
  /// Damage that cost rows, names, content or cursors; a header's second copy and the indexes can
  /// be made again from what is there.
  var costlyDamage: [DamagedRange] { damage.filter { $0.part != .header && $0.part != .index } }
}

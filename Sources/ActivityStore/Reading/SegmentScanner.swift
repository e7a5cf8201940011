/// The one walker of a segment's bytes: every reader, the writer's recovery and `verify` use it.
///
/// It yields commits whose headers verify, in order, and keeps what did not verify for `end`.
/// Sections are checked when they are read; only the last commit of a segment that is not sealed is
/// checked whole before it is yielded, because that is where a torn write shows.
package struct SegmentScanner: Sendable {
  package let file: any LogFile
  package let header: SegmentHeader
  /// Where commits begin.
  package let start: UInt64
  /// Nothing at or beyond it is looked at.
  package internal(set) var size: UInt64
  /// The trailer, where the segment is sealed and it verifies.
  package internal(set) var trailer: Trailer?
  /// Where the next commit begins: all bytes before it were walked.
  package internal(set) var offset: UInt64
  /// The seq the next commit should begin with.
  package internal(set) var nextSeq: Int64
  package internal(set) var damage: [DamagedRange] = []
  /// Rows of the commits walked so far.
  package internal(set) var rows: Int64 = 0

  var tail: Tail?
  var window: FileWindow
  private var footer: Footer?
  private let isWriterLive: @Sendable () -> Bool
  private let reopen: @Sendable () -> (any LogFile)?
  /// The packed file that took this one's name under a reader whose bytes went with it.
  package private(set) var replacement: (any LogFile)?

  /// How the file ends, apart from damage.
  enum Tail: Sendable, Equatable {
    case sealed
    case open
    case torn(TornTail)
  }

  /// Opens a segment.
  ///
  /// - Parameters:
  ///   - fallback: Log and first seq from elsewhere (a neighbour, the file's name), to read a
  ///     segment both of whose headers are gone.
  ///   - isWriterLive: Asked when the tail does not verify: a live writer's half-written tail is
  ///     the end of the log and not a word is said.
  ///   - reopen: What has the file's name now; asked before anything is called damaged.
  /// - Throws: `.notALog`, `.newerFormat`, or a failure to read.
  package init(
    _ file: any LogFile, fallback: SegmentSeed? = nil,
    isWriterLive: @escaping @Sendable () -> Bool = { false },
    reopen: @escaping @Sendable () -> (any LogFile)? = { nil }
  ) throws(LogError) {
    self.file = file
    self.isWriterLive = isWriterLive
    self.reopen = reopen
    size = try file.size()
    window = FileWindow(file)
    let first = try file.read(
      at: 0, count: Int(min(size, UInt64(2 * Limits.headerBytes + 16))))
    if let found = SegmentHeaders(first) {
      guard !found.header.isNewer else { throw Self.newer(file.name) }
      header = found.header
      start = found.end
    } else if let fallback {
      header = SegmentHeader(log: fallback.log, firstSeq: fallback.firstSeq)
      start = 0
    } else {
      throw LogError(
        .notALog, file: file.name,
        detail: "this is no activity log segment, or its beginning is destroyed: name a log")
    }
    offset = start
    nextSeq = header.firstSeq
    if start > size {
      tail = .torn(
        TornTail(
          file: file.name, offset: start / 2, byteCount: size - start / 2,
          why: "the second header is incomplete", isFooter: false))
      offset = size
      return
    }
    noteHeaderDamage(SegmentHeaders(first))
    trailer = try readTrailer()
  }

  static func newer(_ name: String) -> LogError {
    LogError(
      .newerFormat, file: name,
      detail: "this log was written by a newer version: upgrade activitylog to read it")
  }

  /// The next commit, nil at the end, and where the file was replaced.
  package mutating func next() throws(LogError) -> ScannedCommit? {
    while tail == nil {
      if offset == limit {
        try finish()
        break
      }
      var found = try probe(offset)
      if case .bad = found {
        // The file may have been replaced or still be growing under a reader: look again.
        window.drop()
        found = try probe(offset)
        if case .bad = found, isReplaced() { return nil }
      }
      switch found {
      case .commit(let commit):
        if try accept(commit) { return commit }
      case .footer(let length):
        finishWithoutTrailer(footerLength: length)
      case .bad(let why):
        try passDamage(why)
      }
    }
    return nil
  }

  /// How the segment ends, with every damage met so far; meaningful once `next` gave nil.
  package var end: LogEnd {
    let torn: TornTail? = if case .torn(let tail) = tail { tail } else { nil }
    if !damage.isEmpty { return .damaged(damage, torn: torn) }
    return switch tail {
    case .sealed: .sealed
    case .open, nil: .open
    case .torn(let tail): .torn(tail)
    }
  }

  /// Whether a footer ends the segment, its trailer sound or not.
  package var isSealed: Bool { trailer != nil || tail == .sealed }

  /// Goes to a commit the index names, without walking there.
  package mutating func seek(to entry: CommitEntry) {
    offset = entry.offset
    nextSeq = entry.facts.firstSeq
    tail = nil
  }

  /// Goes to what follows a commit.
  package mutating func seek(behind commit: ScannedCommit) {
    offset = commit.end
    nextSeq = commit.facts.nextSeq
    tail = nil
  }

  /// The footer, if the segment is sealed and it verifies.
  package mutating func readFooter() throws(LogError) -> Footer? {
    if let footer { return footer }
    guard let trailer else { return nil }
    let bytes = try file.read(at: trailer.footerOffset, count: Int(trailer.footerLength))
    footer = try? Footer(bytes, seed: header.seed, offset: trailer.footerOffset)
    return footer
  }

  /// The commits of a sealed segment; nil where neither their headers nor its footer say.
  ///
  /// Headers, each of which verifies and leads to the next, are far fewer bytes than a footer with
  /// its subject index, unless commits are small.
  package mutating func readEntries() throws(LogError) -> [CommitEntry]? {
    guard let trailer else { return nil }
    if Int(trailer.footerLength) > trailer.commits * Self.hopBytes,
      let entries = try hop(to: trailer)
    {
      return entries
    }
    return try readFooter()?.commits
  }

  /// What reading one commit's header costs, in bytes read in one go.
  private static let hopBytes = 4_096

  /// Goes from header to header; nil where one does not verify or does not lead to the next.
  private func hop(to trailer: Trailer) throws(LogError) -> [CommitEntry]? {
    var entries: [CommitEntry] = []
    entries.reserveCapacity(min(trailer.commits, Limits.segmentCommits))
    var (place, seq) = (start, header.firstSeq)
    while place < trailer.footerOffset, entries.count < Limits.segmentCommits {
      let bytes = try file.read(at: place, count: CommitHeader.length)
      guard
        let found = try? CommitHeader(verifying: bytes, at: 0, seed: header.seed, offset: place),
        found.facts.firstSeq >= seq
      else { return nil }
      let commit = ScannedCommit(offset: place, header: found)
      entries.append(commit.entry)
      (place, seq) = (commit.end, commit.facts.nextSeq)
    }
    let isWhole =
      place == trailer.footerOffset && seq == trailer.nextSeq && entries.count == trailer.commits
    return isWhole ? entries : nil
  }

  /// Where commits end: the footer of a sealed segment, else the end of the file.
  var limit: UInt64 { trailer?.footerOffset ?? size }

  func readTrailer() throws(LogError) -> Trailer? {
    guard size >= start + UInt64(Trailer.length) else { return nil }
    let offset = size - UInt64(Trailer.length)
    let bytes = try file.read(at: offset, count: Trailer.length)
    guard let trailer = try? Trailer(bytes, seed: header.seed, offset: offset),
      trailer.footerOffset >= start
    else { return nil }
    return trailer
  }

  /// Whether the bytes that do not verify may be a writer at work. Takes the file's present size
  /// when nobody writes any more: what looked torn may have been finished meanwhile.
  mutating func tailMayGrow() throws(LogError) -> Bool {
    if isWriterLive() {
      tail = .open
      return true
    }
    let now = try file.size()
    guard now > size else { return false }
    size = now
    window.drop()
    trailer = try readTrailer()
    return true
  }

  /// Whether the name stands for another file by now, because the segment was packed: bytes that do
  /// not verify are no damage then.
  mutating func isReplaced() -> Bool {
    guard replacement == nil else { return true }
    guard let file = reopen(), let bytes = try? file.read(at: 0, count: Limits.headerBytes),
      let now = SegmentHeaders(bytes)?.header, now.isPacked, now.digest != header.digest,
      now.log == header.log, now.firstSeq == header.firstSeq
    else { return false }
    replacement = file
    return true
  }

  private mutating func noteHeaderDamage(_ found: SegmentHeaders?) {
    guard found?.isCopyDamaged ?? true else { return }
    note(
      .header, offset: 0, byteCount: start, lost: .none,
      why: start == 0 ? "neither copy verifies" : "one of two copies does not verify")
  }

  mutating func note(
    _ part: DamagedRange.Part, offset: UInt64, byteCount: UInt64, lost: LostSeqs, why: String,
    resynchronised: Bool = false
  ) {
    let range = DamagedRange(
      file: file.name, offset: offset, byteCount: byteCount, part: part, lost: lost, why: why,
      isResynchronised: resynchronised)
    if !damage.contains(range) { damage.append(range) }
  }
}

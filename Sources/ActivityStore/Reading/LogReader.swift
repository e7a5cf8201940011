public import ActivityCore

/// Reads a log, or one segment of it, as batches of columns in log order.
///
/// Takes no lock and never changes a file. Everything that verifies is delivered; what does not is
/// a value of `end`. A batch's `space` changes where its numbering of subjects does, and it brings
/// every subject its rows need that no earlier batch of that numbering brought.
public struct LogReader: Sendable {
  /// The largest times and the count of what was pruned before the oldest segment; count 0 if
  /// nothing was.
  package private(set) var before = LogTotals()
  /// The log's identity; nil while no segment was opened.
  public private(set) var log: LogID?

  /// The last seq walked past, delivered or not; 0 before the first.
  public private(set) var lastSeq: Int64 = 0

  private let files: any LogFiles
  private let selection: LogSelection
  private var names: [String]
  /// Which of the names is read next.
  private var place = 0
  private var reader: SegmentReader?
  private var damage: [DamagedRange] = []
  private var tail: LogEnd = .open
  /// What the segment before amounts to: the next header must agree.
  private var expected: (nextSeq: Int64, count: Int64)?

  /// - Throws: `.missing`, `.notALog`, or a failure to read.
  package init(_ files: any LogFiles, _ selection: LogSelection = LogSelection()) throws(LogError) {
    self.files = files
    self.selection = selection
    names = try CommitWriter.segments(files)
    try skipOldSegments()
  }

  /// Reads one file as a segment, wherever it lies and whatever its name.
  package init(
    segment name: String, in files: any LogFiles, _ selection: LogSelection = LogSelection()
  ) throws(LogError) {
    self.files = files
    self.selection = selection
    names = [name]
  }

  /// The next selected commit; nil at the end.
  public mutating func next() throws(LogError) -> EventColumns? {
    while true {
      if reader == nil, try !openNext() { return nil }
      guard var current = reader else { return nil }
      // Taken out while it is used, so that its buffer is never copied.
      reader = nil
      let found = try current.next(selection)
      reader = current
      if let found { return found.batch }
      closeSegment()
    }
  }

  /// The payload of the next selected commit, and nothing else of it; nil at the end.
  package mutating func nextPayload() throws(LogError) -> CommitPayload? {
    while true {
      if reader == nil, try !openNext() { return nil }
      guard var current = reader else { return nil }
      reader = nil
      let found = try current.nextPayload(selection)
      reader = current
      if let found { return found }
      closeSegment()
    }
  }

  /// How the log ends and what was lost on the way; meaningful once `next` gave nil.
  public var end: LogEnd {
    guard !damage.isEmpty else { return tail }
    return .damaged(damage, torn: tail.tornTail)
  }

  private mutating func openNext() throws(LogError) -> Bool {
    while place < names.count {
      let name = names[place]
      if let next = names.indices.contains(place + 1)
        ? SegmentName.firstSeq(names[place + 1]) : nil, next <= selection.seqs.lowerBound
      {
        place += 1
        expected = nil
        continue
      }
      if let first = SegmentName.firstSeq(name), first > selection.seqs.upperBound { return false }
      place += 1
      if let opened = try open(name) {
        reader = opened
        return true
      }
    }
    return false
  }

  private mutating func open(_ name: String) throws(LogError) -> SegmentReader? {
    let seed = try seed(of: name)
    let files = files
    var scanner: SegmentScanner
    do throws(LogError) {
      scanner = try SegmentScanner(
        try files.open(name, .read), fallback: seed,
        isWriterLive: { WriterLock.isWriting(name, in: files) },
        reopen: { try? files.open(name, .read) })
    } catch {
      guard error.code == .notALog, names.count > 1 else { throw error }
      noteSegment(name, .from(SegmentName.firstSeq(name) ?? 1), "its headers do not verify")
      return nil
    }
    let header = scanner.header
    if let log, header.log != log {
      noteSegment(name, .none, "it belongs to another log")
      return nil
    }
    log = header.log
    if place == 1 { before = header.before }
    if let expected, header.before.count > expected.count, header.firstSeq > expected.nextSeq {
      noteSegment(name, .between(expected.nextSeq, header.firstSeq), "what came before is missing")
    }
    guard !selection.isEverything, let trailer = scanner.trailer,
      let entries = try selection.entries(of: &scanner)
    else { return SegmentReader(scanner) }
    if !entries.isEmpty {
      guard let handles = selection.handles else { return SegmentReader(scanner) }
      return SegmentReader(
        scanner, entries: entries, jumping: handles.allSatisfy(\.findsItsNames))
    }
    expected = (trailer.nextSeq, header.before.count + trailer.count)
    lastSeq = max(lastSeq, trailer.nextSeq - 1)
    damage += scanner.damage
    tail = .sealed
    return nil
  }

  /// What a segment's checksums begin with, from its name and a neighbour: for one whose headers
  /// are gone.
  private func seed(of name: String) throws(LogError) -> SegmentSeed? {
    guard let seq = SegmentName.firstSeq(name) else { return nil }
    if let log { return SegmentSeed(log: log, firstSeq: seq) }
    for other in names {
      let bytes = try files.open(other, .read).read(at: 0, count: Limits.headerBytes)
      if let found = SegmentHeaders(bytes) {
        return SegmentSeed(log: found.header.log, firstSeq: seq)
      }
    }
    return nil
  }

  private mutating func closeSegment() {
    guard let scanner = reader?.scanner else { return }
    reader = nil
    // A sealed segment may have been left before its end.
    let nextSeq = scanner.trailer?.nextSeq ?? scanner.nextSeq
    lastSeq = max(lastSeq, nextSeq - 1)
    damage += scanner.end.damage
    tail = Self.tail(of: scanner)
    // Without a header of its own a segment cannot say what it amounts to.
    guard scanner.start > 0 else {
      expected = nil
      return
    }
    let count = scanner.header.before.count + (scanner.trailer?.count ?? scanner.rows)
    expected = (nextSeq, count)
  }

  private static func tail(of scanner: SegmentScanner) -> LogEnd {
    if let torn = scanner.end.tornTail { return .torn(torn) }
    return scanner.isSealed ? .sealed : .open
  }

  private mutating func noteSegment(_ name: String, _ lost: LostSeqs, _ why: String) {
    damage.append(
      DamagedRange(
        file: name, offset: 0, byteCount: 0, part: .segment, lost: lost, why: why))
  }

  /// Passes over segments that lie wholly before the earliest `at` wanted: from the newest back,
  /// the first header that says so ends the search.
  private mutating func skipOldSegments() throws(LogError) {
    guard selection.atNoEarlierThan > .min else { return }
    for index in names.indices.reversed() {
      guard let file = try? files.open(names[index], .read),
        let bytes = try? file.read(at: 0, count: 2 * Limits.headerBytes + 16),
        let found = SegmentHeaders(bytes), let latest = found.header.before.atMax
      else { continue }
      if latest < selection.atNoEarlierThan {
        place = index
        return
      }
    }
  }
}

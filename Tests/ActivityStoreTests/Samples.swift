import ActivityStore
import ActivityTestSupport

/// Small logs for the tests of the format.
enum Samples {
  static let id = LogID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
  static let first = SegmentName.of(1)

  static func options(
    policy: SyncPolicy = .everyCommit, process: Int32 = 7
  ) -> WriterOptions {
    WriterOptions(
      identity: WriterIdentity(process: process, host: "test"), policy: policy,
      started: 1_700_000_000_000_000, waitMilliseconds: 0)
  }

  /// A commit of `rows` rows; its bytes depend on its seq, so that no two are alike.
  static func content(
    seq: Int64, rows: Int = 3, cursors: [IngestCursor] = []
  ) -> CommitContent {
    var payload: [UInt8] = []
    for row in 0..<Int64(rows) {
      payload += [UInt8](#"{"attributes":{"order":"A-\#(seq + row)"},"n":\#(seq * 7919)}"#.utf8)
      payload.append(0x0A)
    }
    let time = 1_700_000_000_000_000 + seq * 1_000_000
    return CommitContent(
      names: [UInt8]("names of \(seq)".utf8),
      skeleton: [UInt8](repeating: UInt8(truncatingIfNeeded: seq), count: 60) + [1, 2, 3],
      payload: payload,
      facts: CommitFacts(
        firstSeq: seq, count: rows, recordedMin: time, recordedMax: time + 5, atMin: time - 9,
        atMax: time, latestStartDate: seq == 1 ? time : nil,
        earliestAtOfStartDate: seq == 1 ? time - 9 : nil, kinds: 6,
        mattersToResolution: seq == 1, cursors: cursors))
  }

  static let feed = IngestCursor(feed: [1, 2, 3], position: 77, check: [9, 9])

  /// A log of four commits, the second with a cursor, the third of one row.
  static func contents() -> [CommitContent] {
    [
      content(seq: 1), content(seq: 4, cursors: [feed]), content(seq: 7, rows: 1),
      content(seq: 8, rows: 2),
    ]
  }

  static let subjects = SubjectIndex([17: [0, 2], 0xFFFF_0000: [1], 18: [3]])

  /// The one segment of such a log.
  static func segment(sealed: Bool) throws -> [UInt8] {
    let files = MemoryFiles()
    let writer = try CommitWriter.create(
      in: files, id: id, metadata: [LogMetadata(key: "key-path", value: "/attributes/order")],
      options: options())
    for content in contents() { try writer.append(content) }
    if sealed { try writer.seal(subjects: subjects) }
    return files[first] ?? []
  }
}

/// What a scan of a segment delivers, sections and all.
struct Scan: Equatable {
  /// A commit's sections; nil where they were damaged.
  struct Part: Equatable {
    var facts: CommitFacts
    var names: [UInt8]?
    var skeleton: [UInt8]?
    var payload: [UInt8]?
    var cursors: [IngestCursor]
  }

  var parts: [Part] = []
  var end = LogEnd.open

  init(_ bytes: [UInt8], fallback: SegmentSeed? = nil, live: Bool = false) throws {
    let files = MemoryFiles(files: [Samples.first: bytes])
    try self.init(files.open(Samples.first, .read), fallback: fallback, live: live)
  }

  init(_ file: any LogFile, fallback: SegmentSeed? = nil, live: Bool = false) throws {
    var scanner = try SegmentScanner(file, fallback: fallback, isWriterLive: { live })
    while let commit = try scanner.next() {
      parts.append(
        Part(
          facts: commit.facts,
          names: try scanner.read(.names, of: commit),
          skeleton: try scanner.read(.skeleton, of: commit),
          payload: try scanner.read(.payload, of: commit),
          cursors: try scanner.readCursors(of: commit)))
    }
    end = scanner.end
  }

  init(_ contents: [CommitContent], end: LogEnd) {
    self.end = end
    parts = contents.map { content in
      var facts = content.facts
      facts.cursors = []
      return Part(
        facts: facts, names: content.names, skeleton: content.skeleton, payload: content.payload,
        cursors: content.facts.cursors)
    }
  }
}

import ActivityStore
import ActivityTestSupport
import Testing

@Suite("The writer of commits")
struct CommitWriterTests {
  private let files = MemoryFiles()

  private func create() throws -> CommitWriter {
    try CommitWriter.create(in: files, id: Samples.id, options: Samples.options())
  }

  private func open() throws -> CommitWriter {
    try CommitWriter.open(in: files, options: Samples.options())
  }

  private func scan(_ name: String) throws -> Scan {
    try Scan(files.open(name, .read))
  }

  @Test("A log that is opened again goes on where it ended")
  func reopened() throws {
    do {
      let writer = try create()
      try writer.append(Samples.content(seq: 1, cursors: [Samples.feed]))
    }
    let writer = try open()
    #expect(writer.nextSeq == 4)
    #expect(writer.cursors == [Samples.feed])
    #expect(writer.through.count == 3)
    try writer.append(Samples.content(seq: 4))
    #expect(try scan(Samples.first).parts.map(\.facts.firstSeq) == [1, 4])
  }

  @Test("After a seal the next commit begins a segment that knows what came before")
  func sealed() throws {
    do {
      let writer = try create()
      for content in Samples.contents() { try writer.append(content) }
      try writer.seal(subjects: Samples.subjects)
      #expect(writer.activeSegment == nil)
    }
    let writer = try open()
    #expect(writer.nextSeq == 10)
    #expect(writer.cursors == [Samples.feed])
    try writer.append(Samples.content(seq: 10))
    let second = SegmentName.of(10)
    #expect(files.names == [Samples.first, second, "lock"].sorted())
    let scanner = try SegmentScanner(files.open(second, .read))
    #expect(scanner.header.log == Samples.id)
    #expect(scanner.header.before.count == 9)
    #expect(scanner.header.before.atMax == Samples.content(seq: 8).facts.atMax)
    #expect(try scan(Samples.first).end == .sealed)
  }

  @Test("Cursors survive a segment without any, and the newest position wins")
  func cursors() throws {
    do {
      let writer = try create()
      try writer.append(Samples.content(seq: 1, cursors: [Samples.feed]))
      try writer.seal(subjects: Samples.subjects)
      try writer.append(Samples.content(seq: 4))
    }
    #expect(try open().cursors == [Samples.feed])
    var later = Samples.feed
    later.position = 900
    do {
      try open().append(Samples.content(seq: 7, cursors: [later]))
    }
    #expect(try open().cursor(of: later.feed) == later)
  }

  @Test("Of more feeds than a log remembers the least recently used go")
  func manyFeeds() throws {
    let writer = try create()
    func feed(_ number: Int) -> IngestCursor {
      IngestCursor(feed: [UInt8](String(number).utf8), position: UInt64(number))
    }
    for hundred in 0..<41 {
      // Feed 0 is used again and again, so it stays.
      let list = (0..<100).map { feed(100 * hundred + $0) } + [feed(0)]
      try writer.append(Samples.content(seq: writer.nextSeq, rows: 1, cursors: list))
    }
    #expect(writer.cursors.count == 4_096)
    #expect(writer.forgottenFeeds == 4)
    #expect(writer.cursor(of: feed(0).feed) == feed(0))
    #expect(writer.cursor(of: feed(1).feed) == nil)
    #expect(writer.cursor(of: feed(4_099).feed) == feed(4_099))
  }

  @Test("A torn tail is copied aside, cut and told, and writing goes on behind the last commit")
  func tornTail() throws {
    do {
      let writer = try create()
      for content in Samples.contents() { try writer.append(content) }
    }
    let whole = try #require(files[Samples.first])
    files.put(Samples.first, Array(whole.dropLast(7)))
    let boundary = try EveryPrefixTests.boundaries(of: whole)[3]
    let writer = try open()
    #expect(writer.nextSeq == 8)
    #expect(writer.recovery.cut?.offset == UInt64(boundary))
    let copy = try #require(writer.recovery.copy)
    #expect(files[copy] == Array(whole[boundary..<(whole.count - 7)]))
    try writer.append(Samples.content(seq: 8))
    #expect(try scan(Samples.first).parts.map(\.facts.firstSeq) == [1, 4, 7, 8])
  }

  @Test("If the torn tail cannot be copied aside, nothing is cut and the log is not opened")
  func noCopy() throws {
    do {
      try create().append(Samples.content(seq: 1))
    }
    let torn = Array(try #require(files[Samples.first]).dropLast(7))
    files.put(Samples.first, torn)
    files.arm(.init(at: 0, .fail(LogError(.noSpace, detail: "full"))))
    #expect(throws: LogError.self) { try open() }
    #expect(files[Samples.first] == torn)
  }

  @Test("A damaged tail stays, and writing goes on in a new segment beyond its seqs")
  func damagedTail() throws {
    do {
      let writer = try create()
      for content in Samples.contents() { try writer.append(content) }
    }
    var bytes = try #require(files[Samples.first])
    let boundary = try EveryPrefixTests.boundaries(of: bytes)[3]
    bytes[boundary + 45] ^= 1
    files.put(Samples.first, bytes)
    let writer = try open()
    #expect(writer.recovery.damage.map(\.lost) == [.from(8)])
    #expect(writer.nextSeq == 7 + 65_537)
    try writer.append(Samples.content(seq: writer.nextSeq))
    #expect(files[Samples.first] == bytes)
    #expect(files[SegmentName.of(65_544)] != nil)
  }

  @Test("A second writer is refused and told who holds the lock")
  func locked() throws {
    let writer = try create()
    let error = #expect(throws: LogError.self) { try open() }
    #expect(error?.code == .locked)
    #expect(error?.description.contains("process 7 on test") == true)
    #expect(WriterLock.isHeld(files))
    #expect(writer.nextSeq == 1)
  }

  @Test("The lock file says how far the log is durable")
  func note() throws {
    let writer = try create()
    try writer.append(Samples.content(seq: 1))
    let note = try #require(WriterNote.read(files))
    #expect(note.syncedSeq == 3)
    #expect(note.syncedEnd == writer.activeBytes)
    #expect(note.policy == .everyCommit)
  }

  @Test("A directory without a log, a missing one and one with other files each say so")
  func noLog() throws {
    #expect(throws: LogError.self) { try open() }
    let other = MemoryFiles(files: ["notes.txt": [1]])
    let error = #expect(throws: LogError.self) {
      try CommitWriter.create(in: other, id: Samples.id, options: Samples.options())
    }
    #expect(error?.code == .notALog)
    #expect(error?.description.contains("notes.txt") == true)
    #expect(try create().nextSeq == 1)
    #expect(throws: LogError.self) { try create() }
  }

  @Test("Seqs never go back, and a hole is kept")
  func seqs() throws {
    let writer = try create()
    try writer.append(Samples.content(seq: 1))
    #expect(throws: LogError.self) { try writer.append(Samples.content(seq: 3)) }
    try writer.append(Samples.content(seq: 40))
    #expect(writer.nextSeq == 43)
  }

  @Test("A batch beyond a limit is refused and nothing is written")
  func tooLarge() throws {
    let writer = try create()
    var content = Samples.content(seq: 1)
    content.payload = [UInt8](repeating: 65, count: Limits.payloadBytes + 1)
    let error = #expect(throws: LogError.self) { try writer.append(content) }
    #expect(error?.code == .batchTooLarge)
    try writer.append(Samples.content(seq: 1))
    #expect(try scan(Samples.first).parts.count == 1)
  }

  @Test("A newest segment without headers stays, and writing goes on behind what it held")
  func headless() throws {
    do {
      let writer = try create()
      try writer.append(Samples.content(seq: 1))
      try writer.seal(subjects: Samples.subjects)
      try writer.append(Samples.content(seq: 4))
    }
    let second = SegmentName.of(4)
    var bytes = try #require(files[second])
    for index in 0..<250 { bytes[index] = 0xEE }
    files.put(second, bytes)
    let writer = try open()
    #expect(writer.nextSeq == 7)
    #expect(writer.recovery.damage.contains { $0.part == .header })
    try writer.append(Samples.content(seq: 7))
    #expect(files[second] == bytes)
    #expect(try scan(SegmentName.of(7)).parts.count == 1)
  }

  @Test("A segment is full at 262 144 events, 16 384 commits or 32 MiB, and never while empty")
  func full() throws {
    let writer = try create()
    #expect(!writer.isFull(adding: 65_536))
    for commit in 0..<4 as Range<Int64> {
      var content = Samples.content(seq: 1 + commit * 65_536, rows: 1)
      content.facts.count = 65_536
      try writer.append(content)
      #expect(writer.isFull(adding: 1) == (commit == 3))
      #expect(writer.isFull(adding: 65_536) == (commit == 3))
    }
    try writer.seal(subjects: Samples.subjects)
    #expect(!writer.isFull(adding: 1))
    #expect(throws: Never.self) { try writer.append(Samples.content(seq: writer.nextSeq)) }
  }
}

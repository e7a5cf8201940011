import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Packing")
struct PackingTests {
  @Test("A packed log exports the same lines, verifies, is smaller, and goes on")
  func same() throws {
    let script = try PackScript.small()
    let files = script.files
    let before = try PackScript.lines(files)
    let cursors = try CommitWriter.open(in: files, options: Samples.options()).cursors
    let (done, end) = try PackScript.pack(files)
    #expect(end == .done)
    #expect(done.map(\.firstSeq) == [1, 1000])
    #expect(done.map(\.lastSeq) == [240, 1080])
    #expect(done.map(\.commits.before) == [30, 11])
    #expect(done.map(\.commits.after) == [1, 1])
    #expect(done.map(\.events) == [240, 81])
    #expect(done.allSatisfy { $0.bytes.after < $0.bytes.before && $0.healed.isEmpty })
    #expect(try PackScript.lines(files) == before)
    let report = try LogVerifier.verify(files)
    #expect(report.end == .open)
    #expect(report.chain.links.map(\.file) == done.map(\.file))
    #expect(!files.names.contains { $0.hasSuffix(".tmp") })

    let writer = try script.log.open()
    #expect(writer.nextSeq == 1089)
    #expect(writer.cursors == cursors)
    _ = try writer.append(LogScript.batch(LogScript.story(77)))
    #expect(try PackScript.lines(files).count == before.count + 4)
  }

  @Test("A second packing finds nothing, and the next sealed segment is packed behind the first")
  func twice() throws {
    let script = try PackScript.small()
    try PackScript.pack(script.files)
    let names = try CommitWriter.segments(script.files)
    let bytes = names.map { script.files[$0] }
    #expect(try PackScript.pack(script.files).done.isEmpty)
    #expect(names.map { script.files[$0] } == bytes)
    let writer = try script.log.open()
    try writer.seal()
    let (done, end) = try PackScript.pack(script.files)
    #expect(done.map(\.firstSeq) == [1081])
    #expect(end == .done)
    #expect(try LogVerifier.verify(script.files).chain.links.count == 3)
  }

  @Test("A log with an active segment alone has nothing to pack")
  func active() throws {
    let script = LogScript()
    let writer = try script.create()
    _ = try writer.append(LogScript.batch(LogScript.story(1)))
    var packing = try LogPacking(script.files)
    #expect(packing.hasActiveSegment && packing.segmentCount == 0)
    #expect(try packing.next() == nil)
    #expect(packing.end == .done)
  }

  @Test("A log whose last segment was sealed is packed whole, and its writer finds its cursors")
  func wholly() throws {
    let script = LogScript()
    do {
      let writer = try script.create()
      _ = try writer.append(
        LogScript.batch(LogScript.story(1)), cursors: [PackScript.cursor(1, at: 5)])
      try writer.seal()
    }
    #expect(try PackScript.pack(script.files).done.count == 1)
    // The lock's note says that more bytes were synced than the packed file has.
    #expect(try LogVerifier.verify(script.files).end == .sealed)
    let writer = try script.open()
    #expect(writer.cursors == [PackScript.cursor(1, at: 5)])
    #expect(writer.nextSeq == 5)
    _ = try writer.append(LogScript.batch(LogScript.story(2)))
    #expect(try CommitWriter.segments(script.files) == [Samples.first, SegmentName.of(5)])
  }

  @Test("A live writer goes on appending, sealing and beginning segments while others are packed")
  func besideAWriter() throws {
    let script = LogScript()
    let writer = try script.create()
    for number in 0..<12 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      if number % 3 == 2 { try writer.seal() }
      if number % 2 == 1 { try PackScript.pack(script.files) }
    }
    #expect(try PackScript.lines(script.files).count == 48)
    try PackScript.pack(script.files)
    let report = try LogVerifier.verify(script.files)
    #expect(report.end == .sealed)
    #expect(report.chain.links.count == 4)
    #expect(report.isWriterLive)
  }

  @Test("Two packings at once: the second is told to wait")
  func locked() throws {
    let script = try PackScript.small()
    let first = try LogPacking(script.files)
    var asked = 0
    let error = #expect(throws: LogError.self) {
      _ = try LogPacking(script.files) {
        asked += 1
        return asked < 3
      }
    }
    #expect(error?.code == .locked)
    #expect(asked == 3)
    withExtendedLifetime(first) {}
  }

  @Test("A large commit is cut into commits of a mebibyte, and every card is found by its handle")
  func large() throws {
    let script = LogScript()
    let writer = try script.create()
    let filler = String(repeating: "x", count: 200)
    func line(_ number: Int) -> String {
      #"{"event":"update","activity-id":"card-\#(number / 2)","#
        + #""note":"\#(number * 7919) \#(filler)"}"#
    }
    let batch = LogScript.batch((0..<12_000).map(line))
    _ = try writer.append(batch)
    // Rows in another order than their subjects were numbered in cannot be cut everywhere.
    _ = try writer.append(
      LogScript.batch((12_000..<24_000).map(line)).selecting(Array((0..<12_000).reversed())))
    try writer.seal()
    let before = try PackScript.lines(script.files)
    let (done, _) = try PackScript.pack(script.files)
    #expect(done.first.map(\.commits.after) ?? 0 >= 4)
    let after = try PackScript.lines(script.files)
    #expect(after == before)
    var scanner = try SegmentScanner(try script.files.open(Samples.first, .read))
    while let commit = try scanner.next() {
      #expect(commit.header.payloadRaw <= Limits.payloadTarget || commit.facts.count > 11_000)
    }
    for card in [0, 1, 2_123, 5_999, 6_000, 9_000, 11_999] {
      var selection = LogSelection()
      selection.handles = [.activity("card-\(card)")]
      let found = try PackScript.lines(script.files, selection)
      let text = #""activity-id":"card-\#(card)""#
      #expect(found.filter { $0.contains(text) } == before.filter { $0.contains(text) })
      #expect(found.count < before.count)
    }
    #expect(try LogVerifier.verify(script.files).end == .sealed)
  }

  @Test("What the log keeps about itself, and what came before, stays in the header")
  func headers() throws {
    let files = MemoryFiles()
    let clock = ManualClock()
    let writer = try LogWriter(
      CommitWriter.create(
        in: files, id: Samples.id, metadata: [LogMetadata(key: "key-path", value: "/a")],
        options: Samples.options()), clock: clock.now)
    for number in 0..<4 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      if number % 2 == 1 { try writer.seal() }
    }
    let names = try CommitWriter.segments(files)
    let before = try names.map { try PackScript.header($0, files) }
    try PackScript.pack(files)
    for (name, old) in zip(names, before) {
      var new = try PackScript.header(name, files)
      #expect(new.isPacked && !old.isPacked)
      new.digest = old.digest
      #expect(new == old)
    }
  }
}

import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Appends that wait for the same sync")
struct AppendTogetherTests {
  private let script = LogScript()

  private func seqs(_ outcome: Result<AppendReceipt, LogError>) throws -> [Int64] {
    try outcome.get().rows.map { row in
      switch row {
      case .appended(let seq): seq
      case .repeated(let seq): -seq
      case .conflict(let seq): -1000 - seq
      }
    }
  }

  private func code(_ outcome: Result<AppendReceipt, LogError>) -> LogError.Code? {
    if case .failure(let error) = outcome { error.code } else { nil }
  }

  /// Commits of the first segment.
  private func commits() throws -> Int {
    var scanner = try SegmentScanner(try script.files.open(Samples.first, .read))
    var count = 0
    while try scanner.next() != nil { count += 1 }
    return count
  }

  @Test("They are one commit, one write and one sync, and every line is what it was alone")
  func together() throws {
    let writer = try script.create()
    let stories = (0..<40).map { LogScript.story($0) }
    script.files.arm(nil)
    let outcomes = writer.appendTogether(stories.map { (LogScript.batch($0), []) })
    // The write and the sync; the note about them comes when all are answered.
    #expect(script.files.changeCount == 2)
    writer.noteProgress()
    #expect(script.files.changeCount == 3)
    #expect(WriterNote.read(script.files)?.syncedSeq == 160)
    for (number, outcome) in outcomes.enumerated() {
      let first = Int64(number) * 4 + 1
      #expect(try seqs(outcome) == Array(first..<(first + 4)))
    }
    #expect(try commits() == 1)

    let alone = LogScript()
    let other = try alone.create()
    for story in stories { _ = try other.append(LogScript.batch(story)) }
    let together = try script.lines().lines.map { Self.unstamped($0) }
    #expect(try together == alone.lines().lines.map { Self.unstamped($0) })
    #expect(together.count == 160)
  }

  /// A line without the times the log gave it.
  private static func unstamped(_ line: String?) -> String? {
    line?.replacing(#/"(at|recorded-at)":"[^"]*",?/#, with: "")
      .replacing(#/"(at|recorded-at)":[0-9.]+,?/#, with: "")
  }

  @Test("Every kind of member keeps its value among rows that do not have it")
  func members() throws {
    let lines = [
      #"{"event":"start","activity-id":"A","attributes-type":"T","build":"413","os":"26.1"}"#,
      #"{"event":"inventory","device":"d","bundle":"b","environment":"prod","complete":true,"#
        + #""activities":[{"activity-id":"A","state":"active"},{"activity-id":"B"}]}"#,
      #"{"event":"update","token":"sha256:0123456789abcdef0123456789abcdef","channel":"c","#
        + #""apns-id":"x","timestamp":1700000000,"stale-date":1700000900,"apns-priority":10,"#
        + #""content-state":{"a":"ü"}}"#,
      #"{"event":"update","activity-id":"A","build":"413","x-own":[1,2]}"#,
    ]
    let writer = try script.create()
    _ = writer.appendTogether(lines.map { (LogScript.batch([$0]), []) })
    let alone = LogScript()
    let other = try alone.create()
    for line in lines { _ = try other.append(LogScript.batch([line])) }
    let together = try script.lines().lines.map { Self.unstamped($0) }
    #expect(try commits() == 1)
    #expect(together.count == 4)
    #expect(try together == alone.lines().lines.map { Self.unstamped($0) })
  }

  @Test("An id that comes twice is judged, whichever appender brings it second")
  func ids() throws {
    let writer = try script.create()
    func batch(_ id: String, _ key: String) -> EventColumns {
      LogScript.batch([#"{"event":"update","key":"\#(key)","id":"\#(id)"}"#])
    }
    let outcomes = writer.appendTogether(
      [("a", "K"), ("b", "K"), ("a", "K"), ("a", "L"), ("c", "K")].map { (batch($0.0, $0.1), []) })
    #expect(try outcomes.map { try seqs($0) } == [[1], [2], [-1], [-1001], [3]])
    let again = writer.appendTogether([(batch("c", "K"), []), (batch("d", "K"), [])])
    #expect(try again.map { try seqs($0) } == [[-3], [4]])
  }

  @Test("A batch that is refused costs the others nothing")
  func refused() throws {
    let writer = try script.create()
    var broken = LogScript.batch([#"{"event":"update","key":"K"}"#])
    broken.payload = .notRead
    var early = LogScript.batch(
      [#"{"event":"end","key":"K","at":1,"recorded-at":1,"seq":1}"#], restoring: true)
    early.statedSeq = [1]
    let good = LogScript.batch([#"{"event":"end","key":"K"}"#])
    let outcomes = writer.appendTogether([(good, []), (broken, []), (good, []), (early, [])])
    #expect(try seqs(outcomes[0]) == [1])
    #expect(code(outcomes[1]) == .badBatch)
    #expect(try seqs(outcomes[2]) == [2])
    #expect(code(outcomes[3]) == .outOfOrder)
    #expect(try script.lines().lines.count == 2)
  }

  @Test("A failed write or sync fails all that wait and all that come later, and nothing stays")
  func failures() throws {
    for call in 0...1 {
      let script = LogScript()
      let writer = try script.create()
      _ = try writer.append(LogScript.batch(LogScript.story(0)))
      script.files.arm(
        MemoryFiles.Plan(at: call, .fail(LogError(.cannotSync, detail: "no"))))
      let batches = (1..<5).map { (LogScript.batch(LogScript.story($0)), [IngestCursor]()) }
      let outcomes = writer.appendTogether(batches)
      #expect(outcomes.map { code($0) != nil } == [true, true, true, true])
      script.files.arm(nil)
      writer.noteProgress()
      #expect(code(writer.appendTogether([batches[0]])[0]) == .poisoned)
      #expect(WriterNote.read(script.files)?.syncedSeq == 4)
      #expect(try script.lines().lines.count == 4)
    }
  }

  @Test("Through a recorder, failures reach every appender")
  func recorderFails() async throws {
    let recorder = LogRecorder(try script.create())
    script.files.arm(MemoryFiles.Plan(at: 1, .fail(LogError(.cannotSync, detail: "no"))))
    let failed = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<30 {
        group.addTask {
          do {
            _ = try await recorder.append(LogScript.batch(LogScript.story(number)))
            return false
          } catch {
            return true
          }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(failed == 30)
  }

  @Test("Cursors of all go with their rows, and more than fit one commit make several")
  func large() throws {
    let writer = try script.create()
    let text = String(repeating: "x", count: 400_000)
    let line = #"{"event":"update","key":"K","content-state":{"t":"\#(text)"}}"#
    let batches = (0..<7).map { number in
      (
        LogScript.batch([line]),
        [IngestCursor(feed: [UInt8(number)], position: 9, check: [1])]
      )
    }
    let outcomes = writer.appendTogether(batches)
    #expect(try outcomes.flatMap { try seqs($0) } == Array(1...7))
    #expect(try commits() == 4)
    #expect(writer.cursors.map(\.feed) == (0..<7).map { [UInt8($0)] })
  }

  @Test("The note in the lock file spells any number, and is read back")
  func note() throws {
    for number in [0, 1, 9, 10, 1_234_567_890, Int64.max] {
      let files = MemoryFiles()
      let note = WriterNote(
        writer: WriterIdentity(process: 7, host: "a host"), started: number,
        policy: .everyCommit)
      var lock = try WriterLock(files, note: note) { false }
      try lock.state(segment: number, syncedSeq: number, syncedEnd: UInt64(number))
      let bytes = try #require(files["lock"])
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(bytes.count == 512 && bytes.last == 0x0A)
      #expect(
        text.hasPrefix(
          "activity-log writer\npid 7\nhost ahost\nstarted \(number)\npolicy "
            + "\(SyncPolicy.everyCommit.rawValue)\nsegment \(number)\nsynced-seq \(number)\n"
            + "synced-end \(number)\ncrc "))
      #expect(WriterNote.read(files)?.syncedSeq == number)
    }
  }

  @Test("A log of a newer version is refused before a lock file is made beside it")
  func newer() throws {
    var header = SegmentHeader(log: Samples.id, firstSeq: 1)
    header.compatible = 1 << 31
    let copy = header.encode()
    let files = MemoryFiles(files: [Samples.first: copy + copy])
    let error = #expect(throws: LogError.self) {
      _ = try CommitWriter.open(in: files, options: Samples.options())
    }
    #expect(error?.code == .newerFormat)
    #expect(files.names == [Samples.first])
  }
}

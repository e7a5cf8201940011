import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Readers beside a live writer")
struct LogTailTests {
  private let script = LogScript()

  private func drain(_ tail: inout LogTail) throws -> [Int64] {
    var seqs: [Int64] = []
    while let batch = try tail.poll() {
      seqs += (0..<batch.count).map { batch.firstSeq + Int64($0) }
    }
    return seqs
  }

  @Test("A tail sees every event once, across appends, seals and new segments")
  func follows() throws {
    let writer = try script.create()
    var tail = try LogTail(script.files, from: 1)
    #expect(try drain(&tail) == [])
    var expected: Int64 = 1
    for number in 0..<12 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      if number % 4 == 2 { try writer.seal() }
      if number % 2 == 0 { continue }
      let seqs = try drain(&tail)
      #expect(seqs == Array(expected...(Int64(number) * 4 + 4)))
      expected = Int64(number) * 4 + 5
      #expect(tail.nextSeq == expected)
    }
    #expect(tail.damage.isEmpty)
  }

  @Test("A tail begins where it is told, in the middle of a segment")
  func begins() throws {
    let writer = try script.create()
    for number in 0..<3 { _ = try writer.append(LogScript.batch(LogScript.story(number))) }
    var tail = try LogTail(script.files, from: 9)
    #expect(try drain(&tail) == [9, 10, 11, 12])
    var later = try LogTail(script.files, from: 13)
    #expect(try drain(&later) == [])
    _ = try writer.append(LogScript.batch(LogScript.story(3)))
    #expect(try drain(&later) == [13, 14, 15, 16])
  }

  @Test("A half-written commit is waited for, and delivered once it is whole")
  func halfWritten() throws {
    let writer = try script.create()
    _ = try writer.append(LogScript.batch(LogScript.story(0)))
    let before = try #require(script.files[Samples.first]).count
    _ = try writer.append(LogScript.batch(LogScript.story(1)))
    let whole = try #require(script.files[Samples.first])
    for length in stride(from: before + 1, to: whole.count, by: 7) {
      let watched = MemoryFiles(files: [Samples.first: Array(whole.prefix(length)), "lock": []])
      let lock = try watched.open("lock", .readWrite)
      #expect(try lock.tryLock())
      var tail = try LogTail(watched, from: 1)
      #expect(try drain(&tail) == [1, 2, 3, 4])
      var reader = try LogReader(watched)
      while try reader.next() != nil {}
      #expect(reader.end == .open)
      let verified = try LogVerifier.verify(watched)
      #expect(verified.end == .open)
      try watched.open(Samples.first, .readWrite).write(whole, at: 0)
      #expect(try drain(&tail) == [5, 6, 7, 8])
      #expect(tail.damage.isEmpty)
    }
  }

  @Test("Verification beside a writer never cries damage, and counts what is there")
  func verify() throws {
    let writer = try script.create()
    for number in 0..<9 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      if number % 4 == 3 { try writer.seal() }
      let report = try LogVerifier.verify(script.files)
      #expect(report.end.damage.isEmpty)
      #expect(report.events == Int64(4 * number + 4))
      #expect(report.isWriterLive)
      #expect(report.syncedSeq == Int64(4 * number + 4))
    }
  }

  @Test("Verification finds an index that lies, and synced bytes that are gone")
  func verifyFinds() throws {
    do {
      let writer = try script.create()
      _ = try writer.append(LogScript.batch(LogScript.story(0)))
      try writer.commits.seal(subjects: SubjectIndex([1: [0]]))
      _ = try writer.append(LogScript.batch(LogScript.story(1)))
      _ = try writer.append(LogScript.batch(LogScript.story(2)))
    }
    let lying = try LogVerifier.verify(script.files)
    #expect(lying.end.damage.map(\.part) == [.index])
    let second = SegmentName.of(5)
    let bytes = try #require(script.files[second])
    let cut = try EveryPrefixTests.boundaries(of: bytes)[1]
    script.files.put(second, Array(bytes.prefix(cut)))
    let short = try LogVerifier.verify(script.files)
    #expect(short.end.damage.last?.lost == .range(from: 9, through: 12))
  }

  @Test("Concurrent appends through a recorder all arrive, each under its own seq")
  func recorder() async throws {
    let recorder = LogRecorder(try script.create())
    let seqs = try await withThrowingTaskGroup(of: [AppendReceipt.Row].self) { group in
      for number in 0..<40 {
        group.addTask {
          try await recorder.append(LogScript.batch(LogScript.story(number))).rows
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let numbers = seqs.map { row in
      if case .appended(let seq) = row { seq } else { Int64(-1) }
    }
    #expect(numbers.sorted() == Array(1...160))
    try await recorder.seal()
    #expect(try script.lines().lines.count == 160)
    // Every append synced for itself would have been 40 syncs and more.
    #expect(try LogVerifier.verify(script.files).end == .sealed)
  }

  @Test("A tail says what it lost when the writer went on behind a damaged commit")
  func damagedTail() throws {
    do {
      let writer = try script.create()
      _ = try writer.append(LogScript.batch(LogScript.story(0)))
      _ = try writer.append(LogScript.batch(LogScript.story(1)))
    }
    var bytes = try #require(script.files[Samples.first])
    let second = try EveryPrefixTests.boundaries(of: bytes)[1]
    bytes[second + 20] ^= 0x10
    script.files.put(Samples.first, bytes)
    let writer = try script.open()
    #expect(writer.recovery.damage.map(\.lost) == [.from(5)])
    _ = try writer.append(LogScript.batch(LogScript.story(2)))
    var tail = try LogTail(script.files, from: 1)
    let next = 4 + Limits.lostCommitStride
    #expect(try drain(&tail) == [1, 2, 3, 4] + Array(next..<(next + 4)))
    #expect(tail.damage.map(\.lost) == [.from(5)])
  }
}

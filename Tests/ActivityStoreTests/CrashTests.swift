import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Power loss and full disks")
struct CrashTests {
  /// What a run had acknowledged when it stopped.
  private struct Journal {
    var created = false
    var acknowledged: [CommitContent] = []
    var error: LogError?
  }

  /// Creates a log, appends, seals, appends into the next segment.
  private static func run(_ files: MemoryFiles) -> Journal {
    var journal = Journal()
    do throws(LogError) {
      let writer = try CommitWriter.create(
        in: files, id: Samples.id, options: Samples.options())
      journal.created = true
      for content in Samples.contents() {
        try writer.append(content)
        journal.acknowledged.append(content)
      }
      try writer.seal(subjects: Samples.subjects)
      for seq in [10, 13] as [Int64] {
        let content = Samples.content(seq: seq)
        try writer.append(content)
        journal.acknowledged.append(content)
      }
    } catch {
      journal.error = error
    }
    return journal
  }

  private static func calls() -> Int {
    let files = MemoryFiles()
    files.arm(nil)
    _ = run(files)
    return files.changeCount
  }

  private static func read(_ files: MemoryFiles) throws -> (parts: [Scan.Part], ends: [LogEnd]) {
    var parts: [Scan.Part] = []
    var ends: [LogEnd] = []
    for name in try CommitWriter.segments(files) {
      let scan = try Scan(files.open(name, .read))
      parts += scan.parts
      ends.append(scan.end)
    }
    return (parts, ends)
  }

  @Test("Power loss at any call keeps every acknowledged commit, and the log goes on")
  func powerLoss() throws {
    for call in 0..<Self.calls() {
      let files = MemoryFiles()
      files.arm(.init(at: call, .powerLoss))
      let journal = Self.run(files)
      #expect(journal.error != nil || call == Self.calls() - 1, "the note in the lock file")
      for unsynced in MemoryFiles.Unsynced.allCases {
        for directoryKept in [false, true] {
          try Self.check(
            files.afterCrash(unsynced, directoryKept: directoryKept), journal,
            "call \(call), \(unsynced), directory kept: \(directoryKept)")
        }
      }
    }
  }

  private static func check(
    _ files: MemoryFiles, _ journal: Journal, _ place: Comment
  ) throws {
    guard journal.created else { return }
    let expected = Scan(journal.acknowledged, end: .open).parts
    let found = try read(files)
    #expect(Array(found.parts.prefix(expected.count)) == expected, place)
    #expect(found.ends.allSatisfy { $0.damage.isEmpty }, "\(place): \(found.ends)")

    let writer = try CommitWriter.open(in: files, options: Samples.options())
    #expect(writer.recovery.damage.isEmpty, place)
    let seq = writer.nextSeq
    #expect(seq >= journal.acknowledged.last?.facts.nextSeq ?? 1, place)
    try writer.append(Samples.content(seq: seq))
    let after = try read(files)
    #expect(after.parts.last?.facts.firstSeq == seq, place)
    #expect(Array(after.parts.prefix(expected.count)) == expected, place)
    #expect(after.ends.allSatisfy { $0 == .sealed || $0 == .open }, "\(place): \(after.ends)")
  }

  @Test("A full disk at any call loses nothing acknowledged and says so in one sentence")
  func fullDisk() throws {
    let full = LogError(.noSpace, detail: "cannot write: no space left")
    for call in 0..<Self.calls() {
      let files = MemoryFiles()
      files.arm(.init(at: call, .fail(full)))
      let journal = Self.run(files)
      if let error = journal.error { #expect([.noSpace, .poisoned].contains(error.code)) }
      files.arm(nil)
      try Self.check(files, journal, "call \(call)")
    }
  }

  @Test("After a failed write the writer refuses everything until the log is opened again")
  func poisoned() throws {
    let files = MemoryFiles()
    do {
      let writer = try CommitWriter.create(
        in: files, id: Samples.id, options: Samples.options())
      try writer.append(Samples.content(seq: 1))
      files.arm(.init(at: 1, .fail(LogError(.cannotSync, detail: "sync: I/O error"))))
      let failure = #expect(throws: LogError.self) {
        try writer.append(Samples.content(seq: 4))
      }
      #expect(failure?.code == .cannotSync)
      let refusal = #expect(throws: LogError.self) {
        try writer.append(Samples.content(seq: 4))
      }
      #expect(refusal?.code == .poisoned)
      #expect(try Self.read(files).parts.map(\.facts.firstSeq) == [1])
    }
    let writer = try CommitWriter.open(in: files, options: Samples.options())
    #expect(writer.nextSeq == 4)
  }
}

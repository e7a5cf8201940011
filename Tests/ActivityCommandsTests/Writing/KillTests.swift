import ActivityCommands
import ActivityCore
import ActivityStore
import Foundation
import Testing

/// The built program as processes of their own.
@Suite("Processes", .serialized)
struct ProcessTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test("After kill -9 at any moment every answered event is there, 200 times")
  func kill9() throws {
    let program = try #require(Child.program, "activitylog is not built beside the tests")
    let seed: UInt64 = 0xA11CE
    var random = SplitMix(state: seed)
    for log in 0..<10 {
      let path = bench.path("log-\(log)")
      var journal: [Int64: String] = [:]
      for round in 0..<20 {
        let name = "\(log)-\(round)"
        let answered = try killed(program, path, name, &random)
        for (line, seq) in answered.enumerated() { journal[seq] = "\(name)-\(line)" }
        guard FileManager.default.fileExists(atPath: "\(path)/\(SegmentName.of(1))") else {
          continue
        }
        let found = try LogVerifier.verify(path: path)
        #expect(found.end.damage == [], "seed \(seed), log \(log), round \(round)")
      }
      let stored = try names(in: path)
      for (seq, name) in journal where stored[seq] != name {
        Issue.record(
          "seed \(seed), log \(log): seq \(seq) was \(name), is \(stored[seq] ?? "gone")")
      }
      #expect(journal.count > 100, "log \(log)")
    }
  }

  /// Feeds a child, kills it at a random moment, and gives the seqs it answered, in order.
  private func killed(
    _ program: URL, _ log: String, _ name: String, _ random: inout SplitMix
  ) throws -> [Int64] {
    let child = try Child(program, ["append", log, "-"])
    let lines = 40 + Int(random.next() % 160)
    let enough = Int(random.next() % UInt64(lines))
    var fed = 0
    var answers: [UInt8] = []
    while fed < lines {
      let burst = min(lines - fed, 1 + Int(random.next() % 40))
      let text = (fed..<(fed + burst)).map {
        #"{"event":"update","activity-id":"\#(name)","name":"\#(name)-\#($0)"}"# + "\n"
      }
      try child.feed(text.joined())
      fed += burst
      guard fed >= enough else { continue }
      while answers.count(where: { $0 == 0x0A }) < min(enough, fed) {
        let part = child.read()
        guard !part.isEmpty else { break }
        answers += part
      }
      if random.next() % 4 == 0 { break }
    }
    // From none to some hundreds of microseconds later: within a write, a sync or an answer.
    let spins = random.next() % 20_000
    var spun: UInt64 = 0
    while spun < spins { spun = spun &+ 1 + (random.next() & 0) }
    answers += child.kill()
    // An answer cut short is no answer.
    let whole = answers.lastIndex(of: 0x0A).map { answers[..<$0] } ?? []
    return String(decoding: whole, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
  }

  /// What each seq of a log is called.
  private func names(in path: String) throws -> [Int64: String] {
    var reader = try LogReader(path: path)
    var rows = RowReader()
    var names: [Int64: String] = [:]
    while let batch = try reader.next() {
      for row in rows.rows(of: batch) { names[row.seq] = row["name"]?.string }
    }
    return names
  }

  @Test("An ingest that is killed again and again takes every line once")
  func killedIngest() throws {
    let program = try #require(Child.program, "activitylog is not built beside the tests")
    let blob = String(repeating: "abcdefghij", count: 1_000)
    let lines = (1...500).map {
      #"{"event":"update","activity-id":"A","name":"\#($0)","blob":"\#(blob)"}"# + "\n"
    }
    let file = try bench.write("push.ndjson", lines.joined())
    let log = bench.path("log")
    func bytes() -> Int { (try? bench.read("log/\(SegmentName.of(1))").count) ?? 0 }
    var kills = 0
    while true {
      let before = bytes()
      let child = try Child(program, ["ingest", log, file])
      // As soon as one more commit is there, whatever the rest of it is doing.
      while child.isRunning, bytes() <= before {}
      if child.isRunning { kills += 1 }
      _ = child.kill()
      guard child.wait() == SIGKILL else { break }
    }
    #expect(bench.run("ingest", "@log", "@push.ndjson").status == .fine)
    #expect(kills > 1)
    let stored = try names(in: log)
    #expect(stored == Dictionary(uniqueKeysWithValues: (1...500).map { (Int64($0), "\($0)") }))
    #expect(bench.run("verify", "@log").status == .fine)
  }

  @Test("A writer in one process keeps another one out, and verify beside it finds no damage")
  func beside() throws {
    let program = try #require(Child.program, "activitylog is not built beside the tests")
    let child = try Child(program, ["append", bench.path("log"), "-"])
    var answered = 0
    for round in 0..<40 {
      for number in 1...20 {
        try child.feed("{\"event\":\"end\",\"key\":\"\(round)-\(number)\"}\n")
      }
      // Beside a writer at work, at whatever it is doing, when there is a log already.
      let before = answered
      while answered < 20 * (round + 1) {
        if before > 0 {
          let verified = bench.run("verify", "@log")
          #expect(verified.status == .fine)
          #expect(verified.err == [])
          #expect(verified.out.count == 2, "round \(round)")
          #expect(says(verified.out, "goes on writing"))
        }
        answered += child.read().count { $0 == 0x0A }
      }
      #expect(says(bench.run("verify", "@log").out, "log: verified to seq \(answered): "))
    }
    let other = bench.run("append", "@log", "event=end", "key=k", "--wait", "0s")
    #expect(other.status == .couldNotRun)
    #expect(says(other.err, "log: process \(child.identifier) on "))
    child.endInput()
    #expect(child.wait() == 0)
    #expect(bench.export("log").count == 800)
  }

  @Test("A full disk under the output is said, with status 2")
  func fullOutput() throws {
    let program = try #require(Child.program, "activitylog is not built beside the tests")
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    bench.run("append", "@log", "event=end", "key=k")
    let path = program.path(percentEncoded: false)
    let child = try Child(
      URL(filePath: "/bin/sh"),
      ["-c", "exec '\(path)' export '\(bench.path("log"))' 2>&1 >/dev/full"])
    let said = String(decoding: child.readToEnd(), as: UTF8.self)
    #expect(said.contains("cannot write standard output: No space left on device"))
    #expect(child.wait() == 2)
  }
}

/// Seeded random numbers.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

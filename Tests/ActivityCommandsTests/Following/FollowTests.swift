import ActivityCommands
import ActivityStore
import Foundation
import Testing

@Suite("Following a log that another process writes", .serialized)
struct FollowTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func events(_ numbers: Range<Int>) -> [String] {
    numbers.map { #"{"event":"update","activity-id":"A\#($0 % 3)","content-state":{"n":\#($0)}}"# }
  }

  @Test("tail -f prints what append wrote elsewhere, across segments, in order and once")
  func acrossSegments() throws {
    try bench.appendElsewhere("log", events(0..<3))
    let tail = try bench.spawn("tail", "@log", "-f", "-n", "all", "-o", "jsonl")
    var printed = try tail.lines(3)
    for round in 1...6 {
      try bench.appendElsewhere("log", events((3 * round)..<(3 * round + 2)))
      if round % 2 == 0 { try bench.sealElsewhere("log") }
      try bench.appendElsewhere("log", events((3 * round + 2)..<(3 * round + 3)))
      printed += try tail.lines(3)
    }
    printed += tail.terminate()
    #expect(try bench.segments("log").count == 4)
    #expect(printed.count == 21)
    #expect(printed == bench.export("log"))
  }

  @Test("tail -f goes on behind a roll that a full segment makes by itself")
  func acrossRoll() throws {
    // Its 262 144th event is the last of the first segment.
    let total = 262_144 + 500
    try bench.appendElsewhere("log", [#"{"event":"end","key":"first"}"#])
    let tail = try bench.spawn(
      "tail", "@log", "-f", "-n", "all", "-o", "jsonl", "--where", "event=end")
    var printed = try tail.lines(1)
    var text = ""
    var expected: [Int] = []
    for seq in 2...total {
      let isEnd = seq % 20_000 == 0 || (262_100...262_200).contains(seq) || seq == total
      if isEnd { expected.append(seq) }
      text += isEnd ? #"{"event":"end","key":"K"}"# + "\n" : #"{"event":"stale","key":"K"}"# + "\n"
    }
    let file = try bench.write("many.ndjson", text)
    let ingest = try bench.spawn("ingest", "@log", file)
    printed += try tail.lines(expected.count)
    #expect(ingest.wait() == 0)
    #expect(tail.terminate() == [])
    #expect(try bench.segments("log").count == 2)
    let seqs = printed.compactMap { line in
      line.split(separator: ",").first?.split(separator: ":").last.flatMap { Int($0) }
    }
    #expect(seqs == [1] + expected)
  }

  @Test("A cursor file is kept current, and each restart goes on without loss or repeat")
  func cursor() throws {
    let arguments = ["tail", "@log", "-o", "jsonl", "-n", "all", "--cursor-file", "@cursor"]
    var printed: [String] = []
    var written = 0
    for round in 0..<4 {
      try bench.appendElsewhere("log", events(written..<(written + 2)))
      if round == 1 { try bench.sealElsewhere("log") }
      let tail = try Spawned(bench.program, words(arguments + ["-f"]))
      printed += try tail.lines(2)
      try bench.appendElsewhere("log", events((written + 2)..<(written + 5)))
      printed += try tail.lines(3)
      written += 5
      #expect(try waits(for: written))
      // Killed in one round, asked to end in the next.
      printed += round % 2 == 0 ? tail.killed() : tail.terminate()
      // What comes while nobody follows is there at the next start.
      try bench.appendElsewhere("log", events(written..<(written + 1)))
      let once = bench.run(arguments, input: [])
      #expect(once.status == .fine)
      printed += once.out
      written += 1
    }
    #expect(printed == bench.export("log"))
    #expect(bench.run(arguments, input: []).out == [])
    #expect(try bench.segments("log").count == 2)
  }

  @Test("A cursor of another log, of an event not there, or of nonsense is refused in a line")
  func refused() throws {
    try bench.appendElsewhere("log", events(0..<3))
    try bench.appendElsewhere("other", events(0..<3))
    #expect(bench.run("tail", "@other", "--cursor-file", "@cursor").status == .fine)
    let own = try #require(Optional(String(decoding: bench.read("cursor"), as: UTF8.self)))
    let words = own.split { $0 == " " || $0 == "\n" }
    #expect(words.count == 3 && words[1] == "3")
    let cases = [
      ("log", own, "this cursor is of another log"),
      ("other", "\(words[0]) 4 \(words[2])\n", "this log no longer has event 4"),
      ("other", "\(words[0]) 2 5\n", "this log no longer has event 2"),
      ("other", "nonsense\n", "this is no cursor"),
      ("other", "", "this is no cursor"),
    ]
    for (log, cursor, sentence) in cases {
      try bench.write("cursor", cursor)
      let run = bench.run("tail", "@\(log)", "--cursor-file", "@cursor")
      #expect(run.status == .couldNotRun, "\(sentence)")
      #expect(run.out == [], "\(sentence)")
      #expect(run.err.first?.hasPrefix("activitylog: cursor: \(sentence)") == true, "\(run.err)")
      #expect(run.err.count == 2 && run.err.last?.hasPrefix("try: ") == true, "\(run.err)")
      #expect(try bench.read("cursor") == Array(cursor.utf8), "a refused cursor stays")
    }
  }

  private func words(_ words: [String]) -> [String] {
    words.map { $0.hasPrefix("@") ? bench.path(String($0.dropFirst())) : $0 }
  }

  /// Reads the cursor file until it names a seq.
  private func waits(for seq: Int) throws -> Bool {
    for _ in 0..<2_000_000 {
      let text = (try? bench.read("cursor")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      if text.contains(" \(seq) ") { return true }
    }
    return false
  }
}

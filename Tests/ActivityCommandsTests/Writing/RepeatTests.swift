import ActivityCommands
import Testing

@Suite("Lines that come twice in one file")
struct RepeatTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func line(_ number: Int, id: Int? = nil, at: Int = 0) -> String {
    #"{"event":"update","activity-id":"A-\#(number % 40)","id":"e\#(id ?? number)","#
      + #""at":\#(1_795_190_000 + number + at),"content-state":{"n":\#(number)}}"# + "\n"
  }

  @Test("Every line twice is every event once, in one commit")
  func everyLineTwice() throws {
    let numbers = 1...500
    try bench.write("twice.ndjson", numbers.map { line($0) + line($0) }.joined())
    let run = bench.run("ingest", "@log", "@twice.ndjson")
    #expect(run.status == .fine)
    #expect(says(run.err, "recorded 500 events (seq 1 to 500), refused 0, skipped 0, repeated 500"))
    #expect(says(bench.run("verify", "@log").out, "1 commit, 500 events"))
    try bench.write("once.ndjson", numbers.map { line($0) }.joined())
    bench.run("ingest", "@other", "@once.ndjson")
    #expect(bench.export("log") == bench.export("other"))
  }

  @Test("A repeat may be far from its first, and seen at another time")
  func apart() throws {
    try bench.write(
      "push.ndjson",
      (1...300).map { line($0) }.joined() + (1...300).map { line($0, at: 9) }.joined())
    let run = bench.run("ingest", "@log", "@push.ndjson")
    #expect(says(run.err, "recorded 300 events (seq 1 to 300), refused 0, skipped 0, repeated 300"))
    #expect(says(bench.run("verify", "@log").out, "1 commit, 300 events"))
  }

  @Test("Of an id with several contents the first is recorded, and each line gets its own fate")
  func contents() throws {
    let same = line(1)
    let others = (2...60).map { line($0, id: 1) }
    let rest = (100...140).map { line($0) }
    try bench.write(
      "push.ndjson", same + others.joined(separator: same) + rest.joined() + same + same)
    let run = bench.run("ingest", "@log", "@push.ndjson", "--rejects", "@bad.ndjson")
    #expect(run.status == .damage)
    #expect(
      says(run.err, "recorded 42 events (seq 1 to 42), refused 59, skipped 0, repeated 60"),
      "\(run.err)")
    #expect(says(run.err, #"push.ndjson:2: "id" is in the log already, as seq 1"#))
    #expect(try bench.read("bad.ndjson") == Array(others.joined().utf8))
    #expect(says(bench.run("verify", "@log").out, "1 commit, 42 events"))
  }

  @Test("Where the log has another content of an id, a batch's own repeats are judged by the log")
  func againstTheLog() throws {
    try bench.write("first.ndjson", line(1))
    bench.run("ingest", "@log", "@first.ndjson")
    try bench.write(
      "second.ndjson", line(2, id: 1) + line(2, id: 1) + line(1) + line(3) + line(3))
    let run = bench.run("ingest", "@log", "@second.ndjson")
    #expect(says(run.err, "recorded 1 event"), "\(run.err)")
    #expect(says(run.err, "refused 2, skipped 0, repeated 2"))
    #expect(bench.export("log").count == 2)
  }

  @Test("append answers a repeat in the same read with the seq of its first")
  func append() {
    let run = bench.run(
      "append", "@log", "-", input: line(1) + line(2) + line(1) + line(2) + line(3) + line(3))
    #expect(run.out == ["1", "2", "1", "2", "3", "3"])
    #expect(run.status == .fine)
  }
}

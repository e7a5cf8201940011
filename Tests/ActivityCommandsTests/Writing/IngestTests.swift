import ActivityCommands
import ActivityStore
import Testing

@Suite("ingest")
struct IngestTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func lines(_ range: ClosedRange<Int>) -> String {
    range.map {
      #"{"event":"update","activity-id":"A-\#($0)","at":"2026-11-20T17:00:00Z","n":\#($0)}"# + "\n"
    }.joined()
  }

  @Test("A file is taken, the log is sealed, and the last line says what was done")
  func once() throws {
    try bench.write("push.ndjson", lines(1...1_000))
    let run = bench.run("ingest", "@log", "@push.ndjson")
    #expect(run.status == .fine)
    #expect(run.out == [])
    #expect(run.err.count == 1)
    #expect(
      run.err[0].hasPrefix(
        "log: recorded 1000 events (seq 1 to 1000), refused 0, skipped 0, repeated 0; "))
    #expect(says(bench.run("info", "@log").out, "sealed"))
    #expect(bench.export("log").count == 1_000)
  }

  @Test("The same file again gives nothing and says so, under any name")
  func twice() throws {
    try bench.write("push.ndjson", lines(1...10))
    try bench.write("copy.ndjson", lines(1...10))
    bench.run("ingest", "@log", "@push.ndjson")
    for name in ["push.ndjson", "copy.ndjson"] {
      let again = bench.run("ingest", "@log", "@\(name)")
      #expect(again.status == .fine)
      #expect(says(again.err, "\(name): nothing new: its "))
      #expect(says(again.err, "recorded 0 events"))
    }
    #expect(bench.export("log").count == 10)
  }

  @Test("Of a file that grew only what is new is taken, with its own line numbers")
  func grown() throws {
    try bench.write("push.ndjson", lines(1...10))
    bench.run("ingest", "@log", "@push.ndjson")
    try bench.extend("push.ndjson", lines(11...12) + "{\"event\":1}\n" + lines(13...13))
    let run = bench.run("ingest", "@log", "@push.ndjson")
    #expect(says(run.err, "push.ndjson:13:10: \"event\" has the wrong type"))
    #expect(says(run.err, "recorded 3 events (seq 11 to 13), refused 1"))
    #expect(run.status == .damage)
    #expect(bench.export("log").count == 13)
  }

  @Test("A last line that is still being written is not lost when it is finished")
  func growingLine() throws {
    try bench.write("push.ndjson", lines(1...3) + #"{"event":"end","act"#)
    let first = bench.run("ingest", "@log", "@push.ndjson")
    #expect(says(first.err, "recorded 3 events (seq 1 to 3), refused 1"))
    try bench.extend("push.ndjson", #"ivity-id":"A"}"# + "\n")
    let then = bench.run("ingest", "@log", "@push.ndjson")
    #expect(then.status == .fine)
    #expect(says(then.err, "recorded 1 event (seq 4), refused 0"))
  }

  @Test("A file that begins alike and goes on otherwise is another file")
  func anotherFile() throws {
    try bench.write("push.ndjson", lines(1...3))
    bench.run("ingest", "@log", "@push.ndjson")
    try bench.write("push.ndjson", lines(1...1) + lines(7...9))
    #expect(says(bench.run("ingest", "@log", "@push.ndjson").err, "recorded 4 events"))
  }

  @Test("Standard input is taken again unless a feed remembers it")
  func feeds() throws {
    for count in [3, 6] {
      let run = bench.run("ingest", "@log", "-", input: lines(1...3))
      #expect(run.status == .fine)
      #expect(bench.export("log").count == count)
    }
    bench.run("ingest", "@fed", "-", "--feed", "push", input: lines(1...3))
    let grown = bench.run("ingest", "@fed", "-", "--feed", "push", input: lines(1...5))
    #expect(says(grown.err, "recorded 2 events (seq 4 to 5)"))
    let other = bench.run("ingest", "@fed", "-", "--feed", "push", input: lines(4...9))
    #expect(other.status == .couldNotRun)
    #expect(says(other.err, "standard input: not the input this feed had before"))
    #expect(bench.export("fed").count == 5)
  }

  @Test("Refused lines are kept as they were, the good ones are recorded, and N are allowed")
  func rejects() throws {
    let bad = (1...7).map { "{\"event\":\"end\",\"n\":\($0)}\n" }.joined()
    try bench.write("push.ndjson", lines(1...2) + bad + "{\n" + lines(3...3))
    let run = bench.run("ingest", "@log", "@push.ndjson", "--rejects", "@bad.ndjson")
    #expect(run.status == .damage)
    #expect(try bench.read("bad.ndjson") == Array((bad + "{\n").utf8))
    #expect(run.err.filter { $0.contains("end names no activity") }.count == 5)
    #expect(says(run.err, "7 lines refused: no-handle"))
    #expect(says(run.err, "push.ndjson:10:2: The JSON ends too early"))
    #expect(bench.export("log").count == 3)
    let allowed = bench.run("ingest", "@two", "@push.ndjson", "--max-errors", "8")
    #expect(allowed.status == .fine)
    #expect(bench.run("ingest", "@three", "@push.ndjson", "--max-errors", "7").status == .damage)
  }

  @Test(
    "A repeated id with other content is refused with file and line, with equal content counted")
  func conflicts() throws {
    let one = #"{"event":"update","activity-id":"A","id":"x","n":1}"# + "\n"
    let two = #"{"event":"update","activity-id":"A","id":"x","n":2}"# + "\n"
    try bench.write(
      "push.ndjson", lines(1...2) + "\n" + one + one + lines(3...3) + two + lines(4...4))
    let run = bench.run("ingest", "@log", "@push.ndjson", "--rejects", "@bad.ndjson")
    #expect(run.status == .damage)
    #expect(says(run.err, #"push.ndjson:7: "id" is in the log already, as seq 3"#))
    #expect(says(run.err, "recorded 5 events (seq 1 to 5), refused 1, skipped 0, repeated 1"))
    #expect(try bench.read("bad.ndjson") == Array(two.utf8))
  }
}

@Suite("export and ingest --restore")
struct RestoreTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test("Export, restore, export gives the same bytes, also with holes in seq")
  func identity() throws {
    let lines = [
      #"{"event":"start","activity-id":"A","token":"00ff00ff00ff00ff","attributes":{"a":20.0}}"#,
      #"{"event":"update","activity-id":"A","timestamp":20.0,"stale-date":2e1,"x":"\u00e9"}"#,
      #"{"event":"odd","anything":[1,{"b":null}],"at":"2026-11-20T18:00:00.5Z"}"#,
      #"{"event":"inventory","device":"d","activities":[{"activity-id":"A","state":"active"}]}"#,
      #"{"event":"end","key":"k","dismissal-date":1795199400.25,"at":1795199400}"#,
    ]
    bench.run("append", "@log", "-", input: lines.joined(separator: "\n"))
    let whole = bench.export("log")
    #expect(whole.count == 5)
    try bench.write("all.ndjson", whole.joined(separator: "\n") + "\n")
    #expect(bench.run("ingest", "@again", "@all.ndjson", "--restore").status == .fine)
    #expect(bench.export("again") == whole)

    let part = whole[0...1] + whole[4...4]
    try bench.write("part.ndjson", part.joined(separator: "\n") + "\n")
    #expect(bench.run("ingest", "@holes", "@part.ndjson", "--restore").status == .fine)
    #expect(bench.export("holes") == Array(part))
    #expect(bench.run("append", "@holes", "event=end", "key=k").out == ["6"])
  }

  @Test("Only an empty log is restored into, and lines out of order are refused one by one")
  func refusals() throws {
    bench.run(
      "append", "@log", "-",
      input: (1...4).map { #"{"event":"end","key":"k-\#($0)"}"# }.joined(separator: "\n"))
    let lines = bench.export("log")
    let shuffled = [lines[0], lines[2], lines[1], lines[3], #"{"event":"end","key":"k"}"#]
    try bench.write("odd.ndjson", shuffled.joined(separator: "\n") + "\n")
    let run = bench.run("ingest", "@again", "@odd.ndjson", "--restore")
    #expect(run.status == .damage)
    #expect(says(run.err, "odd.ndjson:3: seq 2 comes after seq 3"))
    #expect(says(run.err, "odd.ndjson:5:1: \"seq\" is missing"))
    #expect(bench.export("again") == [lines[0], lines[2], lines[3]])
    let full = bench.run("ingest", "@log", "@odd.ndjson", "--restore")
    #expect(full.status == .couldNotRun)
    #expect(
      full.err.first == "activitylog: log: --restore needs an empty log, this one ends at seq 4")
  }

  @Test("A range and a filter choose what is exported")
  func selection() {
    let input = (0...5).map {
      #"{"event":"update","activity-id":"A","build":"\#($0 % 2)","at":"2026-11-20T17:0\#($0):00Z"}"#
    }.joined(separator: "\n")
    bench.run("append", "@log", "-", input: input)
    #expect(bench.run("export", "@log", "--since", "17:02", "--until", "17:05").out.count == 3)
    #expect(bench.run("export", "@log", "--since=-1m").out.count == 2)
    #expect(bench.run("export", "@log", "--clock", "recorded", "--until", "17:30").out.count == 0)
    #expect(bench.run("export", "@log", "--where", "build=1").out.count == 3)
    #expect(bench.run("export", "@log", "--where", "event=end").status == .fine)
    #expect(bench.run("export", "@log", "--where", "color=red").status == .couldNotRun)
  }
}

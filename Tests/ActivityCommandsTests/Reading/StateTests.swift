import ActivityCommands
import Testing

@Suite("state and tail")
struct StateTests {
  private func event(_ kind: String, _ time: String, _ id: String, _ rest: String) -> String {
    #"{"event":"\#(kind)","at":"2026-11-20T\#(time)Z","activity-id":"\#(id)",\#(rest)}"#
  }

  /// A card that starts, is updated, turns stale and is ended; times are seconds after 18:00.
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    let lines = [
      event(
        "start", "18:00:00", "AAAA-1",
        #""key":"K-1","source":"app","build":"412","attributes-type":"Order","#
          + #""attributes":{"n":1},"content-state":{"s":"new"},"stale-date":1795198200"#),
      event(
        "update", "18:05:00", "AAAA-1",
        #""source":"push","status":200,"timestamp":1795197900,"stale-date":1795198500,"#
          + #""content-state":{"s":20.0}"#),
      event(
        "start", "18:06:00", "AAAB-2",
        #""key":"K-2","source":"app","build":"413","content-state":{"s":"x"}"#),
      event(
        "end", "18:20:00", "AAAA-1",
        #""source":"push","status":503,"reason":"ServiceUnavailable""#),
    ]
    try bench.write("in.jsonl", lines.joined(separator: "\n") + "\n")
    #expect(bench.run("ingest", "@log", "@in.jsonl").status == .fine)
    return bench
  }

  @Test("A state has the promised members, content in its exact bytes")
  func members() throws {
    let outcome = try bench().run("state", "@log", "K-1", "--at", "18:10", "-o", "jsonl")
    #expect(
      outcome.out
        == [
          #"{"schema":"activitylog.state/1","activity-id":"AAAA-1","name":"AAAA-1","#
            + #""phase":"active","#
            + #""since":"2026-11-20T18:00:00.000000Z","started-at":"2026-11-20T18:00:00.000000Z","#
            + #""started-before":null,"ended-at":null,"end-reason":null,"#
            + #""visible-until":"2026-11-21T06:00:00.000000Z","inferred":false,"#
            + #""stale-date":"2026-11-20T18:15:00.000000Z","attributes-type":"Order","#
            + #""attributes":{"n":1},"content-state":{"s":20.0},"key":"K-1","device":null,"#
            + #""bundle-id":null,"environment":null,"build":"412","updates":1,"alerts":0,"#
            + #""last-seq":2}"#
        ])
  }

  @Test(
    "The two views differ where a push was refused",
    arguments: [("device", "stale"), ("sent", "ended")])
  func views(view: String, phase: String) throws {
    let outcome = try bench().run("state", "@log", "AAAA-1", "--view", view, "-o", "jsonl")
    #expect(says(outcome.out, #""phase":"\#(phase)""#))
  }

  @Test("A state after an event is derived at the latest time among the events up to it")
  func atSeq() throws {
    let bench = try bench()
    #expect(bench.run("state", "@log", "--at-seq", "1", "-o", "ids").out == ["AAAA-1"])
    #expect(bench.run("state", "@log", "--at-seq", "3", "-o", "ids").out == ["AAAA-1", "AAAB-2"])
    let beyond = bench.run("state", "@log", "--at-seq", "9")
    #expect(beyond.status == .couldNotRun)
    #expect(says(beyond.err, "the log has no event 9"))
  }

  @Test("Filters, prefixes and words that fit nothing")
  func selection() throws {
    let bench = try bench()
    #expect(bench.run("state", "@log", "--where", "build=413", "-o", "ids").out == ["AAAB-2"])
    #expect(bench.run("state", "@log", "aaab", "-o", "ids").out == ["AAAB-2"])
    let none = bench.run("state", "@log", "--where", "colour=red")
    #expect(none.status == .couldNotRun)
    #expect(says(none.err, "activities have no 'colour'"))
    let unknown = bench.run("state", "@log", "nobody")
    #expect(unknown.status == .couldNotRun)
    #expect(says(unknown.err, "no activity in this log is called 'nobody'"))
  }

  @Test("A beginning that two names share asks for more of it")
  func ambiguous() throws {
    let bench = try bench()
    try bench.write("more.jsonl", event("start", "18:07:00", "AAAB-3", #""source":"app""#) + "\n")
    bench.run("ingest", "@log", "@more.jsonl")
    let outcome = bench.run("state", "@log", "aaab")
    #expect(outcome.status == .couldNotRun)
    #expect(says(outcome.err, "'aaab' begins 2 names: AAAB-2, AAAB-3"))
  }

  @Test("A time before the first event is an error that names the first")
  func before() throws {
    let outcome = try bench().run("state", "@log", "--at", "2026-11-20T17:00:00Z")
    #expect(outcome.status == .couldNotRun)
    #expect(says(outcome.err, "is before the first event, 2026-11-20T18:00:00Z"))
  }

  @Test("Beyond the last event the clock goes on: system end, then dismissal")
  func beyond() throws {
    let bench = try bench()
    let late = bench.run("state", "@log", "K-2", "--at", "+9h", "-o", "jsonl")
    #expect(says(late.out, #""phase":"ended""#))
    #expect(says(late.out, #""end-reason":"system-limit""#))
    let gone = bench.run("state", "@log", "K-2", "--at", "+13h", "-o", "jsonl")
    #expect(says(gone.out, #""phase":"dismissed""#))
  }

  @Test("An activity without a row in the window is none, and its last row is named")
  func window() throws {
    let outcome = try bench().run("state", "@log", "K-2", "--at", "2026-11-23T00:00:00Z")
    #expect(outcome.out.last == "none")
    #expect(says(outcome.err, "its last is event 3 at 2026-11-20T18:06:00Z"))
  }

  @Test("tail prints the last lines that match, as text or as the log's own lines")
  func tail() throws {
    let bench = try bench()
    #expect(bench.run("tail", "@log", "-n", "2").out.count == 2)
    #expect(bench.run("tail", "@log", "-n", "all").out.count == 4)
    let ends = bench.run("tail", "@log", "--where", "event=end", "-o", "jsonl").out
    #expect(ends.count == 1)
    #expect(says(ends, #""event":"end""#))
    #expect(bench.run("tail", "@log", "-n", "all", "-o", "jsonl").out == bench.export("log"))
  }

  @Test("A leak in a closed recording of a moment fails the run; a clean one does not")
  func complete() throws {
    let bench = try Workbench()
    let start = event("start", "18:00:00.0", "A-1", #""source":"app""#)
    let end = event("end", "18:00:00.3", "A-1", #""source":"app""#)
    let other = start.replacing("A-1", with: "A-2").replacing("00.0Z", with: "00.3Z")
    try bench.write("leak.jsonl", start + "\n" + other + "\n")
    try bench.write("clean.jsonl", start + "\n" + end + "\n")
    bench.run("ingest", "@leak", "@leak.jsonl")
    bench.run("ingest", "@clean", "@clean.jsonl")
    let gate = ["--complete", "--fail-on", "error"]
    #expect(bench.run(["audit", "@leak"] + gate, input: []).status == .gate)
    #expect(bench.run(["audit", "@clean"] + gate, input: []).status == .fine)
    #expect(bench.run("audit", "@leak", "--fail-on", "error").status == .fine)
  }

  @Test("Content that says the work is over confirms a leak")
  func finished() throws {
    let bench = try bench()
    let line = event(
      "update", "18:25:00", "AAAB-2", #""source":"app","content-state":{"s":"done"}"#)
    let later = event("start", "18:30:00", "CCCC-9", #""source":"app""#)
    try bench.write("more.jsonl", line + "\n" + later + "\n")
    bench.run("ingest", "@log", "@more.jsonl")
    let without = bench.run("audit", "@log", "--rule", "never-ended", "-o", "ids").out
    #expect(without.isEmpty)
    let found = bench.run(
      "audit", "@log", "--rule", "never-ended", "--finished", "/content-state/s=done", "-o", "ids")
    #expect(found.out == ["AAAB-2"])
  }
}

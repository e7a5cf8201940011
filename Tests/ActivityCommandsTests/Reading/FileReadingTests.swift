import ActivityCommands
import ActivityCore
import Foundation
import Testing

@Suite("A file read without a log")
struct FileReadingTests {
  @Test("A file tells what the log made of its lines tells")
  func sameAnswers() throws {
    let files = try FileBench()
    try files.write("evening.ndjson", files.lines)
    let commands = [
      ["audit", "LOG"], ["audit", "LOG", "-o", "jsonl"], ["audit", "LOG", "--since", "18:00"],
      ["state", "LOG", "--at", "18:39"], ["state", "LOG", "A-1042", "--at-seq", "900"],
      ["state", "LOG", "--at-seq", "2000", "--all", "-o", "jsonl"], ["show", "LOG", "A-1042"],
      ["diff", "LOG", "--from", "18:00", "--to", "18:40"], ["diff", "LOG", "--views"],
      ["replay", "LOG", "--since", "18:09", "--until", "18:11"], ["tail", "LOG", "-n", "7"],
      ["tail", "LOG", "-n", "5", "--where", "event=end"],
    ]
    for words in commands {
      let log = files.bench.run(words.map { $0 == "LOG" ? "@evening" : $0 }, input: [])
      let file = files.bench.run(words.map { $0 == "LOG" ? "@evening.ndjson" : $0 }, input: [])
      #expect(!log.out.isEmpty)
      #expect(file.out.map { $0.replacing("evening.ndjson", with: "evening") } == log.out)
      #expect(file.status == log.status)
      #expect(file.err.isEmpty)
    }
    let exported = files.bench.export("evening.ndjson")
    #expect(exported.count == files.lines.count)
    #expect(
      exported.map(\.withoutRecordedAt)
        == files.bench.export("evening").map(\.withoutRecordedAt))
  }

  @Test("Info says of a file what it can judge, and nothing of segments")
  func info() throws {
    let files = try FileBench()
    try files.write("evening.ndjson", files.lines)
    func members(_ log: String) throws -> [String: Any] {
      let line = try #require(files.bench.run("info", log, "-o", "json").out.first)
      return try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let (log, file) = (try members("@evening"), try members("@evening.ndjson"))
    for name in ["events", "first-seq", "last-seq"] {
      #expect(file[name] as? Int == log[name] as? Int)
    }
    #expect(file["kinds"] as? [String: Int] == log["kinds"] as? [String: Int])
    #expect(file["needs"] as? [String: Int] == log["needs"] as? [String: Int])
    #expect((file["segments"] as? [Any])?.isEmpty == true)
    #expect(file["durable-seq"] is NSNull)
    let text = files.bench.run("info", "@evening.ndjson").out
    #expect(text[0].hasPrefix("evening.ndjson: 2785 events in 2785 lines of ndjson"))
    #expect(says(text, "What this file can judge"))
    #expect(!says(text, "SEGMENT") && !says(text, "durable"))
  }

  @Test("Blank lines, and standard input or a pipe in place of a file, change no finding")
  func otherInputs() throws {
    let files = try FileBench()
    let expected = try files.findings(["@evening"])
    #expect(expected.count > 200)
    try files.write("gaps.ndjson", files.lines.flatMap { ["", $0] })
    #expect(try files.findings(["@gaps.ndjson"]) == expected)
    let input = Array(files.lines.joined(separator: "\n").utf8)
    let piped = files.bench.run(["audit", "-", "-o", "jsonl"], input: input)
    #expect(piped.out == files.bench.run("audit", "@evening", "-o", "jsonl").out)
  }

  @Test("A row's seq is its line's number, and a line that is no row leaves a hole")
  func seqs() throws {
    let bench = try Workbench()
    try bench.write(
      "few.ndjson",
      """
      {"event":"start","at":"2026-11-20T18:00:00Z","activity-id":"A-1","attributes-type":"T"}

      {"event":"update","at":"2026-11-20T18:01:00Z","activity-id":"A-1","content-state":{"n":1}}
      {"event":"update","at":"2026-11-20T18:02:00Z","activity-id":"A-1","content-state":{"n":2}}


      {"event":"update","at":"2026-11-20T18:03:00Z","activity-id":"A-1","content-state":{"n":3}}
      """)
    let seqs = bench.export("few.ndjson").map { $0.prefix(8) }
    #expect(seqs == [#"{"seq":1"#, #"{"seq":3"#, #"{"seq":4"#, #"{"seq":7"#])
    #expect(bench.run("tail", "@few.ndjson", "-n", "2", "-o", "jsonl").out.count == 2)
    let early = bench.run("state", "@few.ndjson", "A-1", "--at-seq", "3", "-o", "jsonl")
    #expect(says(early.out, #""content-state":{"n":1}"#))
    #expect(bench.run("state", "@few.ndjson", "A-1", "--at-seq", "8").status == .couldNotRun)
  }

  @Test("A line's recorded-at is the recorded clock; without one its at is")
  func clocks() throws {
    let bench = try Workbench()
    try bench.write(
      "two.ndjson",
      """
      {"event":"start","at":"2026-11-20T18:00:00Z","activity-id":"A-1","attributes-type":"T"}
      {"event":"end","at":1795197660,"recorded-at":"2026-11-20T18:30:00Z","activity-id":"A-1"}
      """)
    func phase(_ clock: String) -> [String] {
      bench.run(
        "state", "@two.ndjson", "A-1", "--at", "2026-11-20T18:10:00Z", "--clock", clock, "-o",
        "jsonl"
      ).out
    }
    #expect(says(phase("occurred"), #""phase":"ended""#))
    #expect(says(phase("recorded"), #""phase":"active""#))
  }

  @Test("Lines that are no events are said, counted, and end the run with 3")
  func refusals() throws {
    let bench = try Workbench()
    let good =
      #"{"event":"start","at":"2026-11-20T18:00:00Z","activity-id":"A-1","attributes-type":"T"}"#
    let timeless = #"{"event":"update","activity-id":"A-1","content-state":{"n":1}}"#
    try bench.write(
      "mixed.ndjson",
      ([good] + Array(repeating: "no json", count: 7) + [timeless]).joined(separator: "\n"))
    for command in ["audit", "state", "tail", "replay", "info", "export"] {
      let run = bench.run(command, "@mixed.ndjson")
      #expect(run.status == .damage)
      #expect(run.err.count { $0.contains("This byte cannot stand") } == 5)
      #expect(says(run.err, "mixed.ndjson:2:2: "))
      #expect(says(run.err, "7 lines refused: unexpected-byte"))
      #expect(says(run.err, "mixed.ndjson:9: There is neither \"at\" nor \"recorded-at\""))
      #expect(says(run.err, "mixed.ndjson: read 1 event, refused 8, skipped 0, repeated 0"))
    }
    #expect(bench.export("mixed.ndjson").count == 1)
  }

  @Test("An id counts once; with other content it is refused")
  func ids() throws {
    let bench = try Workbench()
    func line(_ minute: Int, _ id: String, _ n: Int) -> String {
      #"{"event":"update","at":"2026-11-20T18:0\#(minute):00Z","activity-id":"A-1","#
        + #""id":"\#(id)","content-state":{"n":\#(n)}}"#
    }
    try bench.write(
      "ids.ndjson",
      [line(0, "a", 1), line(1, "a", 1), line(2, "b", 2), line(3, "a", 3)]
        .joined(separator: "\n"))
    let run = bench.run("export", "@ids.ndjson")
    #expect(run.out.map { $0.prefix(8) } == [#"{"seq":1"#, #"{"seq":3"#])
    #expect(run.status == .damage)
    #expect(
      says(run.err, "ids.ndjson:4: \"id\" came before with other content, at ids.ndjson:1;"))
    #expect(says(run.err, "ids.ndjson: read 2 events, refused 1, skipped 0, repeated 1"))
  }

  @Test("Keys lie where --key-path says; a stored log keeps its own")
  func keyPath() throws {
    let bench = try Workbench()
    let start =
      #"{"event":"start","at":"2026-11-20T18:00:00Z","activity-id":"A-1","attributes-type":"T","#
      + #""attributes":{"order":"77-B"}}"#
    try bench.write("one.ndjson", start)
    let keyed = bench.run("state", "@one.ndjson", "--key-path", "/attributes/order", "-o", "jsonl")
    #expect(says(keyed.out, #""key":"77-B""#))
    #expect(!says(bench.run("state", "@one.ndjson", "-o", "jsonl").out, "\"key\":\"77-B\""))
    bench.run("ingest", "@log", "@one.ndjson")
    let refused = bench.run("state", "@log", "--key-path", "/attributes/order")
    #expect(refused.status == .couldNotRun)
    #expect(says(refused.err, "a log keeps its own"))
    #expect(bench.run("state", "@one.ndjson", "--key-path", "order").status == .couldNotRun)
  }
}

import ActivityCommands
import ActivityCore
import Foundation
import Testing

@Suite("Several LOGs read as one")
struct MergeTests {
  @Test("Files in any order give the findings of the whole", arguments: [2, 7], [false, true])
  func anyOrder(parts: Int, dealt: Bool) throws {
    let files = try FileBench()
    let expected = try files.findings(["@evening"])
    #expect(expected.count > 200)
    let names = try files.split(parts, dealt: dealt)
    #expect(try files.findings(names.reversed()) == expected)
    let turned = Array(names[1...] + names[..<1])
    #expect(try files.findings(turned) == expected)
    let rows = files.bench.run(["export"] + turned, input: []).out
    #expect(rows.count == files.lines.count)
    #expect(rows.last?.hasPrefix(#"{"seq":\#(files.lines.count),"#) == true)
  }

  @Test("A log and a file beside it give the findings of the whole")
  func logAndFile() throws {
    let files = try FileBench()
    let expected = try files.findings(["@evening"])
    let half = files.lines.count / 2
    try files.write("front.ndjson", files.lines[..<half])
    try files.write("back.ndjson", files.lines[half...])
    files.bench.run("ingest", "@log", "@back.ndjson")
    #expect(try files.findings(["@log", "@front.ndjson"]) == expected)
    #expect(try files.findings(["@front.ndjson", "@log"]) == expected)
    files.bench.run("ingest", "@first", "@front.ndjson")
    #expect(try files.findings(["@log", "@first"]) == expected)
    let info = files.bench.run("info", "@log", "@front.ndjson").out
    #expect(says(info, "log: 1393 events, a stored log"))
    #expect(says(info, "merged    2785 events"))
  }

  @Test("Rows with an id count once, wherever they come from")
  func repeats() throws {
    let files = try FileBench()
    let lines = files.lines.enumerated().map { #"{"id":"row-\#($0)","# + $1.dropFirst() }
    try files.write("all.ndjson", lines)
    files.bench.run("ingest", "@log", "@all.ndjson")
    let expected = try files.findings(["@all.ndjson"])
    #expect(expected.count > 200)
    for logs in [["@all.ndjson", "@all.ndjson"], ["@all.ndjson", "@log"]] {
      #expect(try files.findings(logs) == expected)
    }
    let run = files.bench.run("tail", "@all.ndjson", "@all.ndjson")
    #expect(
      run.err == ["all.ndjson: read 0 events, refused 0, skipped 0, repeated 2785"])
  }

  @Test("A log's key path holds for a file read beside it, so that the same line is the same")
  func sameKeyPath() throws {
    let bench = try Workbench()
    let start =
      #"{"event":"start","at":"2026-11-20T18:00:00Z","activity-id":"A-1","attributes-type":"T","#
      + #""id":"s","attributes":{"order":"77-B"}}"#
    try bench.write("one.ndjson", start)
    bench.run("ingest", "@log", "@one.ndjson", "--key-path", "/attributes/order")
    let run = bench.run("state", "@log", "@one.ndjson", "-o", "jsonl")
    #expect(run.status == .fine)
    #expect(run.out.count == 1 && says(run.out, #""key":"77-B""#))
  }

  @Test("Damage in one of them is said with its path, and ends the run with 3")
  func damage() throws {
    let files = try FileBench()
    try files.write("front.ndjson", files.lines[..<50])
    let name = "evening/00000000000000000001.alog"
    var bytes = try files.bench.read(name)
    bytes[bytes.count / 2] ^= 1
    try files.bench.write(name, bytes)
    let run = files.bench.run("state", "@front.ndjson", "@evening")
    #expect(run.status == .damage)
    #expect(says(run.err, "\(name): bytes"))
    #expect(!run.out.isEmpty)
  }

  @Test("The last word is an ID unless a file has that name")
  func lastWord() throws {
    let files = try FileBench()
    try files.write("front.ndjson", files.lines[..<1000])
    try files.write("back.ndjson", files.lines[1000...])
    let one = files.bench.run(
      "state", "@front.ndjson", "@back.ndjson", "A-1042", "--at", "18:39", "-o", "jsonl")
    #expect(one.out.count == 1 && says(one.out, #""key":"A-1042""#))
    let shown = files.bench.run("show", "@front.ndjson", "@back.ndjson", "A-1042")
    #expect(shown.out == files.bench.run("show", "@evening", "A-1042").out)
    let none = files.bench.run("show", "@front.ndjson", "@back.ndjson", "nobody")
    #expect(none.err.last == "try: activitylog state front.ndjson back.ndjson --all -o ids")
    let report = files.bench.run("audit", "@front.ndjson", "@back.ndjson")
    #expect(says(report.out, "activitylog audit front.ndjson back.ndjson --all"))
  }

  @Test("What only one stored log has is refused with what to do instead")
  func onlyStored() throws {
    let files = try FileBench()
    try files.write("few.ndjson", files.lines[..<5])
    let refused: [([String], String)] = [
      (["verify", "@few.ndjson"], "verify checks the bytes of a log"),
      (["tail", "-f", "@few.ndjson"], "tail -f follows one log"),
      (["tail", "-f", "@evening", "@evening"], "tail -f follows one log"),
      (["tail", "--cursor-file", "@c", "@few.ndjson"], "a cursor is a place in one log"),
      (["audit", "-", "-"], "standard input can be read once"),
      (["fingerprint", "-"], "standard input is the tokens"),
      (["audit", "@"], "this directory holds no activity log"),
      (["audit", "@few.ndjson", "@nothing"], "there is no such file or directory"),
    ]
    for (words, sentence) in refused {
      let run = files.bench.run(words, input: [])
      #expect(run.status == .couldNotRun)
      #expect(says(run.err, sentence))
    }
    #expect(files.bench.run("verify", "@evening", "@evening").out.count == 4)
    let prints = files.bench.run(["fingerprint", "@few.ndjson", "@evening"], input: [])
    #expect(prints.status == .fine)
  }
}

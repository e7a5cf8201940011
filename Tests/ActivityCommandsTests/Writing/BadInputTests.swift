import ActivityCommands
import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

/// A line nobody can record, and what is said of it.
struct BadLine: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var line: [UInt8]
  /// Where in the line, from 1 on.
  var column: Int
  var sentence: String

  init(_ what: String, _ line: String, _ column: Int, _ sentence: String) {
    testDescription = what
    self.line = Array(line.utf8)
    self.column = column
    self.sentence = sentence
  }

  static let all: [BadLine] = [
    BadLine("malformed", #"{"event":"end","activity-id":"A""#, 33, "The JSON ends too early"),
    BadLine("two objects", #"{"event":"end","key":"k"} {}"#, 27, "Something follows the object"),
    BadLine("no object", "[1]", 1, "The line is JSON but no object"),
    BadLine("no event", #"{"activity-id":"A"}"#, 1, #"There is no "event""#),
    BadLine("wrong type", #"{"event":"end","activity-id":7}"#, 30, #""activity-id" has the wrong"#),
    BadLine("no handle", #"{"event":"end"}"#, 1, "end names no activity"),
    BadLine("twice", #"{"event":"end","key":"k","key":"l"}"#, 26, #""key" stands twice"#),
    BadLine("NUL", "{\"event\":\"end\",\"key\":\"\u{0}\"}", 23, "There is a NUL byte"),
    BadLine(
      "a year too far", #"{"event":"end","key":"k","at":999999999999}"#, 31,
      #""at" and "recorded-at" lie in the years"#),
    BadLine(
      "a stamp beyond all", #"{"event":"end","key":"k","timestamp":1e300}"#, 38,
      #""timestamp" is"#),
    BadLine("no time", #"{"event":"end","key":"k","at":"noon"}"#, 31, #""at" is no time"#),
    notText, huge,
  ]

  private static var notText: BadLine {
    var bad = BadLine("not UTF-8", #"{"event":"end","key":"?"}"#, 23, "These bytes are not UTF-8")
    bad.line[22] = 0xFF
    return bad
  }

  private static var huge: BadLine {
    let text = String(repeating: "x", count: 10_000_000)
    return BadLine(
      "10 MB", #"{"event":"end","key":"k","blob":"\#(text)"}"#, 4_259_841,
      "The line holds more than 4 MiB")
  }
}

@Suite("Bad input")
struct BadInputTests {
  private let bench: Workbench
  private let before: [String]

  /// A log with one event that must survive everything.
  init() throws {
    bench = try Workbench()
    bench.run("append", "@log", "event=update", "activity-id=kept", "n=1")
    before = bench.export("log")
    #expect(before.count == 1)
  }

  @Test(
    "A bad line is one clear sentence with file, line and column; the others are recorded",
    arguments: BadLine.all)
  func badLine(_ bad: BadLine) throws {
    let good = Array("{\"event\":\"end\",\"key\":\"k\"}\n".utf8)
    try bench.write("push.ndjson", good + bad.line + [0x0A] + good)
    let ingested = bench.run("ingest", "@log", "@push.ndjson")
    #expect(ingested.status == .damage)
    #expect(ingested.err.count == 2)
    #expect(ingested.err[0].hasPrefix("push.ndjson:2:\(bad.column): \(bad.sentence)"))
    #expect(says(ingested.err, "recorded 2 events (seq 2 to 3), refused 1"))

    let appended = bench.run(["append", "@log", "-"], input: good + bad.line + [0x0A] + good)
    #expect(appended.status == .damage)
    #expect(appended.out.count == 3)
    #expect(appended.out[0] == "4" && appended.out[2] == "5")
    #expect(appended.out[1].hasPrefix("error ") && appended.out[1].contains(bad.sentence))
    #expect(bench.export("log").prefix(1) == before[...])
    #expect(bench.export("log").count == 5)
  }

  @Test("An empty file is said to be empty and is no failure")
  func emptyFile() throws {
    try bench.write("empty.ndjson", "")
    let run = bench.run("ingest", "@log", "@empty.ndjson")
    #expect(run.err.first == "empty.ndjson: it is empty")
    #expect(run.status == .fine)
  }

  @Test("A missing file or a directory in place of one is said before the log is made")
  func missingFile() throws {
    let missing = bench.run("ingest", "@new", "@nothing.ndjson")
    #expect(missing.status == .couldNotRun)
    #expect(
      missing.err.first == "activitylog: nothing.ndjson: cannot open: No such file or directory")
    let directory = bench.run("ingest", "@new", "@log")
    #expect(directory.status == .couldNotRun)
    #expect(directory.err == ["activitylog: log: this is a directory: name the files in it"])
    #expect(!FileManager.default.fileExists(atPath: bench.path("new")))
  }

  @Test(
    "A missing log is named by every command that reads or seals one",
    arguments: ["export", "seal", "pack", "verify", "info"])
  func missingLog(_ command: String) {
    let run = bench.run(command, "@nothing")
    #expect(run.status == .couldNotRun)
    #expect(run.out == [])
    #expect(
      run.err.first
        == "activitylog: nothing: there is no such file or directory: check the path")
    #expect(!FileManager.default.fileExists(atPath: bench.path("nothing")))
  }

  @Test(
    "A file, a device or a read-only directory in place of a log is refused",
    arguments: ["append", "ingest", "seal", "pack", "verify"])
  func noDirectory(_ command: String) throws {
    try bench.write("file", "{\"event\":\"end\",\"key\":\"k\"}\n")
    let rest =
      switch command {
      case "append": ["event=end", "key=k"]
      case "ingest": ["@file"]
      default: [String]()
      }
    let run = bench.run([command, "@file"] + rest, input: [])
    #expect(run.status == .couldNotRun)
    #expect(says(run.err, command == "verify" ? "this is a file of lines" : "file: this is no"))
    #expect(try bench.read("file").count == 26)
    guard geteuid() != 0, command == "append" else { return }
    try FileManager.default.createDirectory(
      atPath: bench.path("closed"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o500])
    let closed = bench.run([command, "@closed"] + rest, input: [])
    #expect(closed.status == .couldNotRun)
    #expect(says(closed.err, "give this user access"))
  }

  @Test(
    "A directory with other files is no log and stays as it is",
    arguments: ["append", "export", "seal", "pack", "verify", "info"])
  func noLog(_ command: String) throws {
    let folder = bench.path("other")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try bench.write("other/notes.txt", "mine")
    let run = bench.run(
      [command, "@other"] + (command == "append" ? ["event=end", "key=k"] : []), input: [])
    #expect(run.status == .couldNotRun)
    #expect(says(run.err, command == "append" ? "(notes.txt)" : "holds no activity log"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
  }

  @Test(
    "A log from a newer version is left alone", arguments: ["append", "export", "pack", "verify"])
  func newerVersion(_ command: String) throws {
    var header = SegmentHeader(log: LogID(high: 1, low: 2), firstSeq: 1)
    header.incompatible = 1 << 20
    let bytes = header.encode() + header.encode()
    let name = SegmentName.of(1)
    try FileManager.default.createDirectory(
      atPath: bench.path("new"), withIntermediateDirectories: false)
    try bench.write("new/\(name)", bytes)
    let run = bench.run(
      [command, "@new"] + (command == "append" ? ["event=end", "key=k"] : []), input: [])
    #expect(run.status == .couldNotRun)
    #expect(
      run.err.first == "activitylog: new/\(name): this log was written by a newer version: "
        + "upgrade activitylog to read it")
    #expect(try bench.read("new/\(name)") == bytes)
  }

  @Test(
    "A log that another writer holds names the holder", arguments: ["append", "ingest", "seal"])
  func locked(_ command: String) throws {
    let held = try WritableLog(
      PosixFiles(path: bench.path("log")), wait: 0, creates: false, Environment(now: .still))
    try bench.write("push.ndjson", "{\"event\":\"end\",\"key\":\"k\"}\n")
    let rest =
      switch command {
      case "append": ["event=end", "key=k"]
      case "ingest": ["@push.ndjson"]
      default: [String]()
      }
    let run = bench.run([command, "@log", "--wait", "0s"] + rest, input: [])
    #expect(run.status == .couldNotRun)
    #expect(
      says(run.err, "log: process \(getpid()) on ")
        && says(run.err, "is writing this log: wait for it, or give a longer --wait"))
    #expect(bench.export("log") == before)
    #expect(held.writer.nextSeq == 2)
  }

  @Test("A full disk ends the run; what was answered is there, what was not is not")
  func fullDisk() throws {
    let files = MemoryFiles()
    let environment = Environment(now: .still)
    let full = LogError(.noSpace, file: "memory", detail: "cannot write: free space")
    var answers: [AppendStream.Answer] = []
    var failure: LogError?
    do {
      let log = try WritableLog(files, wait: 0, creates: true, environment)
      var stream = AppendStream(log.writer) { .still }
      for number in 1...9 {
        if number == 5 { files.arm(MemoryFiles.Plan(at: 0, .fail(full))) }
        let line = "{\"event\":\"end\",\"key\":\"k-\(number)\"}\n"
        do {
          try stream.take(Array(line.utf8)) { answers += $0 }
        } catch let error as LogError {
          failure = failure ?? error
        }
      }
    }
    #expect(failure == full)
    #expect(answers == (1...4).map { .seq($0) })
    files.arm(nil)
    var reader = try LogReader(files)
    var rows = 0
    while let batch = try reader.next() { rows += batch.count }
    #expect(rows == 4)
    #expect(reader.end == .open)
    let again = try WritableLog(files, wait: 0, creates: false, environment)
    #expect(again.writer.nextSeq == 5)
  }
}

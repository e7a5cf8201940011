import ActivityCommands
import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

@Suite("append")
struct AppendTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test("Members become one event, its seq is printed, and the log is made for its owner only")
  func members() throws {
    let first = bench.run(
      "append", "@log", "event=update", "activity-id=A-1", "timestamp=1795199400", "status=200",
      "at=2026-11-20T18:00:00Z", "content-state:={\"step\":\n2}", "note=12")
    #expect(first.out == ["1"])
    #expect(first.err == [])
    #expect(first.status == .fine)
    #expect(
      bench.export("log") == [
        #"{"seq":1,"recorded-at":"2026-11-20T18:30:00.000000Z","#
          + #""at":"2026-11-20T18:00:00.000000Z","event":"update","activity-id":"A-1","#
          + #""timestamp":1795199400,"status":200,"content-state":{"step": 2},"note":"12"}"#
      ])
    let files = FileManager.default
    #expect(
      try files.attributesOfItem(atPath: bench.path("log"))[.posixPermissions] as? Int == 0o700)
    for name in try files.contentsOfDirectory(atPath: bench.path("log")) {
      let mode = try files.attributesOfItem(atPath: bench.path("log/\(name)"))[.posixPermissions]
      #expect(mode as? Int == 0o600, "\(name)")
    }
    #expect(bench.run("append", "@log", "event=end", "activity-id=A-1").out == ["2"])
  }

  @Test("Lines are answered in order: a seq or what is wrong; blank lines give nothing")
  func lines() {
    let run = bench.run(
      "append", "@log", "-",
      input: """
        {"event":"start","activity-id":"A"}

        {"event":"end"}
        {"event":"update","activity-id":"A"}\r
        {"event":"end","activity-id":"A"}
        """)
    #expect(run.out.count == 4)
    #expect(run.out.first == "1")
    #expect(run.out[1].hasPrefix("error line 3 column 1: end names no activity"))
    #expect(run.out.suffix(2) == ["2", "3"])
    #expect(run.err == ["log: 1 of 4 lines refused"])
    #expect(run.status == .damage)
    #expect(bench.export("log").count == 3)
  }

  @Test("A repeated id with equal content answers its seq, with other content an error")
  func repeatedIDs() {
    let line = #"{"event":"update","activity-id":"A","id":"x"}"#
    let other = #"{"event":"update","activity-id":"B","id":"x"}"#
    let run = bench.run(
      "append", "@log", "-", input: [line, line, other, line].joined(separator: "\n"))
    #expect(run.out[0...1] == ["1", "1"])
    #expect(run.out[2].hasPrefix(#"error line 3: "id" is in the log already, as seq 1"#))
    #expect(run.out[3] == "1")
    #expect(run.status == .damage)
    let later = bench.run("append", "@log", "event=update", "activity-id=A", "id=x", "at=@0")
    #expect(later.status == .damage)
    #expect(bench.run("append", "@log", "event=update", "activity-id=A", "id=x").out == ["1"])
    #expect(bench.export("log").count == 1)
  }

  @Test("All whole lines of one read are one commit")
  func groupCommit() throws {
    let lines = (1...500).map { #"{"event":"update","activity-id":"A-\#($0)"}"# }
    let run = bench.run("append", "@log", "-", input: lines.joined(separator: "\n") + "\n")
    #expect(run.out == (1...500).map(String.init))
    #expect(says(bench.run("verify", "@log").out, "1 commit, 500 events"))
  }

  @Test("A line cut by a read is one line, and one too long is refused and passed over")
  func cutLines() throws {
    let files = MemoryFiles()
    let log = try WritableLog(files, wait: 0, creates: true, Environment(now: .still))
    var stream = AppendStream(log.writer) { .still }
    var answers: [AppendStream.Answer] = []
    let text = Array(#"{"event":"end","activity-id":"A"}"#.utf8)
    try stream.take(Array(text[..<9])) { answers += $0 }
    #expect(answers == [])
    try stream.take(Array(text[9...]) + [0x0A] + text) { answers += $0 }
    #expect(answers == [.seq(1)])
    let filler = [UInt8](repeating: 0x20, count: 1 << 20)
    for _ in 0..<10 { try stream.take(filler) { answers += $0 } }
    try stream.take([0x0A] + text) { answers += $0 }
    try stream.finish { answers += $0 }
    #expect(answers.count == 3)
    #expect(answers[1].text.hasPrefix("error line 2: The line holds more than 4 MiB"))
    #expect(answers[2] == .seq(2))
    #expect((stream.lines, stream.refused) == (3, 1))
  }

  @Test("What is said wrongly on the command line is said before anything is touched")
  func usage() {
    let raw = bench.run("append", "@log", "event=end", "x:={a}")
    #expect(raw.status == .couldNotRun)
    #expect(raw.err.first?.hasPrefix("activitylog: x:= at byte 2:") == true)
    #expect(bench.run("append", "@log", "event").status == .couldNotRun)
    #expect(bench.run("append", "@log", "event=end").status == .damage)
    #expect(bench.run("append", "@log", "--wait", "long", "event=end").status == .couldNotRun)
  }
}

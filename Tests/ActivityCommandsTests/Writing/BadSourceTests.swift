import ActivityCommands
import Foundation
import Testing

/// A map or a table of patterns with a mistake, and what is said of it.
struct BadGuide: CustomTestStringConvertible, Sendable {
  var testDescription: String { "\(option) \(text)" }
  var option = "--map"
  var text: String
  var says: String

  static let all: [BadGuide] = [
    BadGuide(text: "", says: "the map is no JSON at line 1, column 1"),
    BadGuide(text: "[]", says: "the map must be an object"),
    BadGuide(text: #"{"format":"nope"}"#, says: "the map at /format names no format"),
    BadGuide(text: #"{"format":"json","row":[]}"#, says: "the map at /row means nothing here"),
    BadGuide(text: #"{"format":"csv","rows":[]}"#, says: "the map at /rows must be a list"),
    BadGuide(text: #"{"format":"json","rows":[{"when":5}]}"#, says: "/rows/0/when must be"),
    BadGuide(
      text: #"{"format":"json","rows":[{"set":{"event":"end"},"take":{"a":"key"}}]}"#,
      says: "/rows/0/take/a must be a pointer"),
    BadGuide(
      text: #"{"format":"json","rows":[{"set":{"event":"end","seq":"5"}}]}"#,
      says: "names seq, which only the log itself writes"),
    BadGuide(
      text: "{\"format\":\"json\",\"rows\":[{\"\u{1B}]0;x\u{7}\":1}]}", says: "the map is no JSON"),
    BadGuide(option: "--patterns", text: "{", says: "it is no JSON object"),
    BadGuide(option: "--patterns", text: #"{"version":"1"}"#, says: "it needs \"patterns\""),
    BadGuide(
      option: "--patterns", text: #"{"version":"1","patterns":[{"id":"\u001b[31m"}]}"#,
      says: "\\u{1B}[31m"),
  ]
}

@Suite("Sources in bad shape")
struct BadSourceTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test(
    "It is taken where it can be, and refused with a place and a reason", arguments: BadSource.all)
  func shape(_ bad: BadSource) throws {
    try bench.write("in", bad.bytes)
    let run = bench.run(["ingest", "@log", "@in"] + bad.words, input: [])
    #expect(run.status == bad.status, "\(run.err)")
    for text in bad.says { #expect(says(run.err, text), "\(text) in \(run.err)") }
    #expect(run.out.isEmpty)
    let isThere = FileManager.default.fileExists(atPath: bench.path("log"))
    #expect(isThere == (bad.status != .couldNotRun))
    if isThere { #expect(bench.export("log").count == bad.events) }
    let dry = bench.run(["ingest", "@dry", "@in", "--dry-run"] + bad.words, input: [])
    #expect(dry.status == bad.status)
    #expect(dry.out.count == bad.events)
    let audit = bench.run(["audit", "@in"] + bad.words, input: [])
    #expect(audit.status == (bad.events == 0 ? .couldNotRun : bad.status), "\(audit.err)")
  }

  @Test("A map or a table of patterns with a mistake is told where it is", arguments: BadGuide.all)
  func guide(_ bad: BadGuide) throws {
    try bench.write("in", BadSource.line(1) + "\n")
    try bench.write("guide", bad.text)
    for words in [["ingest", "@log", "@in"], ["audit", "@in"]] {
      let run = bench.run(words + [bad.option, "@guide"], input: [])
      #expect(run.status == .couldNotRun)
      #expect(says(run.err, "guide: ") && says(run.err, bad.says), "\(run.err)")
    }
    #expect(!FileManager.default.fileExists(atPath: bench.path("log")))
  }

  @Test("A log archive is told the command by reading commands too", arguments: ["audit", "tail"])
  func archive(_ command: String) throws {
    try FileManager.default.createDirectory(
      atPath: bench.path("x.logarchive"), withIntermediateDirectories: false)
    let run = bench.run(command, "@x.logarchive")
    #expect(run.status == .couldNotRun)
    #expect(says(run.err, "x.logarchive: the input is a log archive"))
    #expect(says(run.err, "log show --archive"))
  }

  @Test("A refused record of several kilobytes is kept whole")
  func rejects() throws {
    let text = String(repeating: "y", count: 9_000)
    let bad = #"{"event":"update","at":"2026-11-20T17:00:00Z","x":"\#(text)"}"#
    try bench.write("in", "[\(BadSource.line(1)),\n\(bad)]\n")
    let run = bench.run("ingest", "@log", "@in", "--rejects", "@bad")
    #expect(run.status == .damage)
    #expect(try bench.read("bad") == Array((bad + "\n").utf8))
  }

  @Test(
    "A long line cut by chunks gives the events it gives with its objects on lines of their own")
  func longLine() throws {
    let blob = String(repeating: "[{\\\"", count: 60_000)
    let records = (1...9).map {
      BadSource.line($0).dropLast() + #","blob":"\#(blob)","list":[{"a":[1]},{}]}"#
    }
    try bench.write("lines", records.joined(separator: "\n") + "\n")
    try bench.write("in", "[ " + records.joined(separator: " ,") + " ]")
    #expect(bench.run("ingest", "@lines.log", "@lines").status == .fine)
    let run = bench.run("ingest", "@log", "@in")
    #expect(run.status == .fine, "\(run.err)")
    #expect(events("log") == events("lines.log"))
    #expect(events("log").count == 9)
  }

  private func events(_ log: String) -> [Substring] {
    bench.export(log).map { $0[($0.range(of: #""event""#)?.lowerBound ?? $0.startIndex)...] }
  }
}

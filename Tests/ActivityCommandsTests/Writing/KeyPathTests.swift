import ActivityCommands
import Foundation
import Testing

@Suite("ingest --key-path")
struct KeyPathTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let start =
    #"{"event":"start","activity-id":"A-1","at":"2026-11-20T17:00:00Z","#
    + #""attributes":{"order":{"no/1":"K-7"}},"content-state":{"n":1}}"# + "\n"

  private func keys(_ log: String) -> [String] {
    bench.run("state", "@\(log)", "--all", "-o", "jsonl").out.compactMap { line in
      line.range(of: #""key":""#).map { range in
        String(line[range.upperBound...].prefix { $0 != "\"" })
      }
    }
  }

  @Test("The key is taken from where the pointer leads, and the log remembers where that is")
  func kept() throws {
    try bench.write("one.ndjson", Self.start)
    let run = bench.run("ingest", "@log", "@one.ndjson", "--key-path", "/attributes/order/no~11")
    #expect(run.status == .fine)
    #expect(keys("log") == ["K-7"])
    #expect(says(bench.run("info", "@log").out, "/attributes/order/no~11"))
    // A later import, and a line appended, are read the same way without being told.
    try bench.write("two.ndjson", Self.start.replacingOccurrences(of: "A-1", with: "A-2"))
    bench.run("ingest", "@log", "@two.ndjson")
    let third = Self.start.replacingOccurrences(of: "A-1", with: "A-3")
      .replacingOccurrences(of: #""K-7""#, with: "8.0")
    #expect(bench.run("append", "@log", "-", input: third).out == ["3"])
    #expect(keys("log").sorted() == ["8.0", "K-7", "K-7"])
  }

  @Test("A key the line itself names goes first; a pointer to nothing, or to a list, gives none")
  func precedence() throws {
    let own = Self.start.replacingOccurrences(
      of: #""event":"start""#, with: #""event":"start","key":"own""#)
    let none = Self.start.replacingOccurrences(of: "A-1", with: "A-2")
      .replacingOccurrences(of: #""K-7""#, with: "[1]")
    try bench.write("one.ndjson", own + none)
    bench.run("ingest", "@log", "@one.ndjson", "--key-path", "/attributes/order/no~11")
    #expect(keys("log") == ["own"])
  }

  @Test("Another path for a log that has one holds from there on, and both are said")
  func changed() throws {
    try bench.write("one.ndjson", Self.start)
    bench.run("ingest", "@log", "@one.ndjson", "--key-path", "/attributes/order/no~11")
    try bench.write("two.ndjson", Self.start.replacingOccurrences(of: "A-1", with: "A-2"))
    let run = bench.run("ingest", "@log", "@two.ndjson", "--key-path", "/content-state/n")
    #expect(says(run.err, "keys lay at /attributes/order/no~11; from here on they lie at"))
    #expect(keys("log").sorted() == ["1", "K-7"])
    #expect(bench.run("verify", "@log").status == .fine)
    let info = bench.run("info", "@log").out
    #expect(says(info, "/content-state/n"))
  }

  @Test("What an export says restores to the same log, keys included")
  func exported() throws {
    try bench.write("one.ndjson", Self.start)
    bench.run("ingest", "@log", "@one.ndjson", "--key-path", "/attributes/order/no~11")
    let lines = bench.export("log")
    #expect(says(lines, #""key":"K-7""#))
    try bench.write("export.ndjson", lines.map { $0 + "\n" }.joined())
    bench.run("ingest", "@copy", "@export.ndjson", "--restore")
    #expect(bench.export("copy") == lines)
  }

  @Test("What is no pointer is refused before the log is touched")
  func bad() throws {
    try bench.write("one.ndjson", Self.start)
    for text in ["order", "", "/"] {
      let run = bench.run("ingest", "@log", "@one.ndjson", "--key-path", text)
      #expect(run.status == .couldNotRun)
      #expect(says(run.err, "--key-path"))
    }
    #expect(bench.run("info", "@log").status == .couldNotRun)
  }
}

import ActivityCommands
import ActivityCore
import ActivityIngest
import Foundation
import Testing

/// A sample of `Logs/foreign` in which a line is a record.
struct LinedSample: CustomTestStringConvertible, Sendable {
  let folder: URL
  let format: String
  var testDescription: String { folder.pathComponents.suffix(2).joined(separator: "/") }

  static let all: [LinedSample] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Logs/foreign")
    let names = ["aioapns", "kalyke", "mopyapns", "simple-apns"].map { ("apns", $0) }
    return (names + [("fcm", "firebase-admin")]).filter { Dialects.named($0.0) != nil }
      .map { LinedSample(folder: root.appending(path: "\($0.0)/\($0.1)"), format: $0.0) }
  }()

  func lines() throws -> [Substring] {
    let text = try String(contentsOf: folder.appending(path: "source.ndjson"), encoding: .utf8)
    return text.split(separator: "\n")
  }
}

@Suite("Foreign sources")
struct ForeignSourceTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    // What happened after it was recorded would count as of then, in the order of the imports.
    bench.now = bench.now + .hours(24)
  }

  /// The state of all, whatever the order in which the log took it.
  private func state(_ log: String) -> [String] {
    bench.run("state", "@\(log)", "--all", "-o", "jsonl").out.map { line in
      line.replacing(/"last-seq":\d+/, with: "").replacing(/start:\d+/, with: "start")
    }.sorted()
  }

  private func write(_ name: String, _ lines: ArraySlice<Substring>) throws {
    try bench.write(name, lines.map { $0 + "\n" }.joined())
  }

  @Test("A guess is said, with the map that says the same", arguments: LinedSample.all)
  func guessed(_ sample: LinedSample) throws {
    try write("push.log", sample.lines()[...])
    let run = bench.run("ingest", "@log", "@push.log")
    #expect(says(run.err, "push.log: read as \(sample.format), "))
    #expect(says(run.err, #"; --map: {"format":"#))
    let told = bench.run("ingest", "@told", "@push.log", "--format", sample.format)
    #expect(!says(told.err, "read as"))
    #expect(state("told") == state("log"))
    #expect(!state("log").isEmpty)
    let own = bench.run("ingest", "@own", "@push.log", "--format", "ndjson")
    #expect(own.status == .damage)
  }

  @Test("Twice gives nothing new, packed or not", arguments: LinedSample.all)
  func twice(_ sample: LinedSample) throws {
    try write("push.log", sample.lines()[...])
    try bench.write("push.log.gz", gzip(try bench.read("push.log")))
    bench.run("ingest", "@log", "@push.log")
    let export = bench.export("log")
    for name in ["push.log", "push.log.gz"] {
      let again = bench.run("ingest", "@log", "@\(name)")
      #expect(again.status == .fine)
      #expect(says(again.err, "recorded 0 events"))
    }
    #expect(bench.export("log") == export)
  }

  @Test("Overlapping pieces in any order give the same state", arguments: LinedSample.all)
  func pieces(_ sample: LinedSample) throws {
    let lines = try sample.lines()
    try write("all", lines[...])
    bench.run("ingest", "@whole", "@all")
    let third = lines.count / 3
    try write("a", lines[..<(2 * third)])
    try write("b", lines[third...])
    try write("c", lines[third..<(2 * third + 1)])
    let expected = state("whole")
    #expect(!expected.isEmpty)
    for (log, names) in [("abc", ["a", "b", "c"]), ("bca", ["b", "c", "a"]), ("ca", ["c", "a"])] {
      for name in names {
        let run = bench.run("ingest", "@\(log)", "@\(name)", "--format", sample.format)
        #expect(run.status == .fine, "\(run.err)")
      }
      bench.run("ingest", "@\(log)", "@all", "--format", sample.format)
      #expect(state(log) == expected, "\(log)")
      #expect(bench.export(log).count == bench.export("whole").count)
    }
    bench.run("ingest", "@one", "@c", "@b", "@a", "--format", sample.format)
    #expect(state("one") == expected)
  }

  @Test("Skipped records are counted by what they are", arguments: LinedSample.all)
  func skipped(_ sample: LinedSample) throws {
    try write("push.log", sample.lines()[...])
    let run = bench.run("ingest", "@log", "@push.log")
    let given = try String(contentsOf: sample.folder.appending(path: "given.json"), encoding: .utf8)
    let count = try #require(given.firstMatch(of: /"skipped":(\d+)/)?.output.1)
    #expect(says(run.err, "refused 0, skipped \(count) ("))
  }
}

import ActivityCommands
import ActivityCore
import Foundation
import Testing

@Suite("An audit of a log in pieces")
struct PiecesTests {
  private static let lines: [String] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Logs/incident/incident.jsonl")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0 + "\n" }
  }()

  /// What the findings say, without the seqs that an import gives.
  private func findings(_ bench: Workbench, _ log: String) throws -> [String] {
    try bench.run("audit", "@\(log)", "-o", "jsonl").out.map { line in
      var finding = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      for name in ["first", "last", "evidence"] { finding[name] = nil }
      // The name of a start that nothing answers holds its seq.
      if let name = finding["name"] as? String, name.hasPrefix("start:") {
        finding["name"] = "start"
      }
      let data = try JSONSerialization.data(withJSONObject: finding, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self)
    }.sorted()
  }

  /// Nothing is recorded before it happened: all lines are taken the day after.
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    bench.now = Timestamp(seconds: Timestamp.still.wholeSeconds + 86_400)
    return bench
  }

  private func whole(_ bench: Workbench) throws -> [String] {
    try bench.write("all.ndjson", PiecesTests.lines.joined())
    bench.run("ingest", "@whole", "@all.ndjson")
    let found = try findings(bench, "whole")
    #expect(found.count > 200)
    return found
  }

  @Test("Any split into segments gives the same findings", arguments: [2, 7, 40])
  func split(parts: Int) throws {
    let bench = try bench()
    let expected = try whole(bench)
    let size = PiecesTests.lines.count / parts + 1
    for (number, start) in stride(from: 0, to: PiecesTests.lines.count, by: size).enumerated() {
      let part = PiecesTests.lines[start..<min(start + size, PiecesTests.lines.count)].joined()
      try bench.write("part\(number).ndjson", part)
      bench.run("ingest", "@parts", "@part\(number).ndjson")
      bench.run("seal", "@parts")
    }
    #expect(try findings(bench, "parts") == expected)
  }

  @Test("Any order of import of the same lines gives the same findings", arguments: [1, 2, 3])
  func order(seed: UInt64) throws {
    let bench = try bench()
    let expected = try whole(bench)
    var state = seed
    var lines = PiecesTests.lines
    for place in lines.indices.dropFirst().reversed() {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      lines.swapAt(place, Int(state >> 33) % (place + 1))
    }
    try bench.write("mixed.ndjson", lines.joined())
    bench.run("ingest", "@mixed", "@mixed.ndjson")
    #expect(try findings(bench, "mixed") == expected)
  }
}

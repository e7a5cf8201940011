import ActivityCommands
import ActivityCore
import Foundation
import Testing

/// The incident's lines, and what of an answer may not depend on where they lie.
struct FileBench {
  let bench: Workbench
  let lines: [String]

  init() throws {
    bench = try Workbench()
    lines = try Checkout.lines("incident/incident.jsonl")
    // Nothing is recorded before it happened: the log takes all lines days after.
    bench.ingestIncident()
  }

  /// Writes some of the lines as a file.
  func write(_ name: String, _ lines: some Sequence<String>) throws {
    try bench.write(name, lines.map { $0 + "\n" }.joined())
  }

  /// The lines in so many files, cut at equal steps, or dealt like cards.
  func split(_ parts: Int, dealt: Bool) throws -> [String] {
    try (0..<parts).map { part in
      let own = lines.enumerated().filter { number, _ in
        dealt ? number % parts == part : number * parts / lines.count == part
      }
      try write("part\(part).ndjson", own.map(\.element))
      return "@part\(part).ndjson"
    }
  }

  /// The findings of LOGs, without seqs.
  func findings(_ logs: [String]) throws -> [String] { try bench.findings(logs) }
}

extension Workbench {
  /// The findings of LOGs, without seqs.
  func findings(_ words: [String]) throws -> [String] {
    let run = run(["audit"] + words + ["-o", "jsonl"], input: [])
    #expect(run.status == .fine)
    return try run.out.map { line in
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

  /// The state of all, without seqs.
  func states(_ words: [String]) -> [String] {
    let run = run(["state"] + words + ["--all", "-o", "jsonl"], input: [])
    #expect(run.status == .fine)
    return run.out.map { line in
      line.replacing(/"last-seq":\d+/, with: "").replacing(/start:\d+/, with: "start")
    }.sorted()
  }
}

extension String {
  /// A line of export without when the log recorded it.
  var withoutRecordedAt: String {
    replacing(/"recorded-at":"[^"]*",/, with: "")
  }
}

import ActivityCommands
import Foundation
import Testing

@Suite("What narrows an audit, and what it tells people to run")
struct NarrowingTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    bench.ingestIncident()
  }

  private func payloads(_ words: String...) -> Int {
    bench.run(["audit", "@evening", "--at", "18:45", "-o", "end-payloads"] + words, input: []).out
      .count
  }

  @Test("An option that narrows never widens the remedy")
  func remedy() throws {
    let all = payloads()
    let early = payloads("--until", "18:10")
    #expect(all == 82)
    #expect(early > 0)
    #expect(early < all)
    #expect(payloads("--until", "18:10", "--skip", "clock-skew") == early)
    try bench.write("none.jsonl", "")
    #expect(payloads("--until", "18:10", "--suppress", bench.path("none.jsonl")) == early)
  }

  @Test("A card whose lost end is suppressed gets no payload")
  func suppressed() throws {
    let out = bench.run(
      "audit", "@evening", "--at", "18:45", "--rule", "end-not-delivered", "--where", "key=A-1042",
      "-o", "json"
    ).out.joined()
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(out.utf8)) as? [String: Any])
    let finding = try #require((json["findings"] as? [[String: Any]])?.first)
    let print = try #require(finding["fingerprint"] as? String)
    try bench.write(
      "known.jsonl",
      #"{"fingerprint":"\#(print)","reason":"called the shop","until":"2027-01-01"}"# + "\n")
    #expect(payloads("--suppress", bench.path("known.jsonl")) == 81)
  }

  @Test("The command a report goes on with chooses the same cards, as a shell reads it")
  func goesOn() {
    let out = bench.run(
      "audit", "@evening", "--at", "18:45", "--complete", "--clock", "occurred", "--skip",
      "clock-skew"
    ).out.joined(separator: " ")
    #expect(out.contains("--at 18:45 --clock occurred --skip clock-skew --complete"))
  }

  @Test("Options that an output has no place for are refused, not ignored")
  func noPlace() {
    for words in [["--live", "-o", "csv"], ["--all", "-o", "junit"], ["--live", "-o", "sarif"]] {
      #expect(bench.run(["audit", "@evening"] + words, input: []).status == .couldNotRun)
    }
  }

  @Test("A gate that trips says so")
  func gate() {
    let run = bench.run("audit", "@evening", "--fail-on", "error", "-o", "ids")
    #expect(run.status == .gate)
    #expect(says(run.err, "--fail-on error: 212 findings"))
  }

  @Test("show says of every card what audit says of it", arguments: ScenarioFolders.all)
  func show(_ folder: String) throws {
    let story = ScenarioFolders.root.appending(path: folder).appending(path: "story.jsonl")
    guard FileManager.default.fileExists(atPath: story.path) else { return }
    bench.run("ingest", "@story", story.path)
    for line in bench.run("audit", "@story", "-o", "jsonl").out {
      let finding = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard let name = finding["name"] as? String, name != "-", !name.hasPrefix("key:"),
        let rule = finding["rule"] as? String
      else { continue }
      let shown = bench.run("show", "@story", name)
      #expect(shown.status == .fine)
      #expect(says(shown.out, rule), "\(folder): \(rule) of \(name)")
    }
  }
}

/// The stories beside the sources.
enum ScenarioFolders {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Logs/scenarios")
  static let all: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted()
}

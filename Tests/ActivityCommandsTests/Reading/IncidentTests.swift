import ActivityCommands
import ActivityCore
import Foundation
import Testing

@Suite("What people read of the incident")
struct IncidentTests {
  /// Each golden was read by a person before it was committed; `UPDATE_SNAPSHOTS=1` writes new ones
  /// to be read again.
  @Test(
    "Reports, stories and states are the texts that were signed off",
    arguments: [
      ("report", ["audit", "@evening"]),
      ("report-window", ["audit", "@evening", "--since", "18:00", "--until", "18:10"]),
      ("report-one-rule", ["audit", "@evening", "--rule", "late-end"]),
      ("report-at-1845", ["audit", "@evening", "--at", "18:45"]),
      ("story", ["show", "@evening", "A-1042"]),
      ("story-swiped", ["show", "@evening", "A-1044"]),
      ("state-1839", ["state", "@evening", "--at", "18:39", "--where", "build=412"]),
      ("state-sent", ["state", "@evening", "A-1042", "--at", "18:39", "--view", "sent"]),
      ("replay", ["replay", "@evening", "--since", "18:09", "--until", "18:11"]),
      ("tail", ["tail", "@evening", "-n", "5"]),
      ("rules", ["rules"]),
      ("rule", ["rules", "end-not-delivered"]),
    ])
  func golden(name: String, words: [String]) throws {
    let bench = try Workbench()
    bench.ingestIncident()
    let outcome = bench.run(words, input: [])
    #expect(outcome.status == .fine)
    #expect(outcome.err.isEmpty)
    try Snapshot(name).expect(outcome.out)
  }

  @Test("The ids of one rule's findings compose with other tools")
  func ids() throws {
    let bench = try Workbench()
    bench.ingestIncident()
    let ids = bench.run("audit", "@evening", "--rule", "end-not-delivered", "-o", "ids").out
    #expect(ids.count == 53)
    #expect(Set(ids).count == ids.count)
    #expect(ids.contains("5E1C7A42-3F0B-4D6E-9A21-0B8E6F14A042"))
  }

  @Test("A gate trips on confirmed and inferred findings of its severity, and only then")
  func gate() throws {
    let bench = try Workbench()
    bench.ingestIncident()
    #expect(bench.run("audit", "@evening", "--fail-on", "error").status == .gate)
    let early = bench.run("audit", "@evening", "--at", "17:00", "--fail-on", "warning")
    #expect(early.status == .fine)
    let other = bench.run(
      "audit", "@evening", "--rule", "orphan-event", "--fail-on", "error")
    #expect(other.status == .fine)
  }
}

/// A text that a person signed off, beside the tests.
struct Snapshot {
  private let file: URL

  init(_ name: String) {
    file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Snapshots/\(name).txt")
  }

  func expect(_ lines: [String]) throws {
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == golden, "\(file.lastPathComponent) differs from what was signed off")
  }
}

extension Workbench {
  /// The incident of `Logs/` as a log called `evening`.
  func ingestIncident() {
    let incident = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Logs/incident/incident.jsonl").path(percentEncoded: false)
    // Some days later: what is recorded before it happened would count as happening then.
    now = Timestamp(seconds: 1_796_000_000)
    let outcome = run("ingest", "@evening", incident)
    #expect(outcome.status == .fine)
  }
}

@Suite("The log made from the incident")
struct IncidentLogTests {
  @Test("It says what the lines say, and its audit is the same")
  func same() throws {
    let bench = try Workbench()
    bench.ingestIncident()
    let made = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Logs/incident/log").path(percentEncoded: false)
    let own = bench.export("evening").map(Self.withoutStamp)
    let kept = bench.run("export", made).out.map(Self.withoutStamp)
    #expect(own.count == 2785)
    #expect(kept == own)
    let findings = bench.run("audit", "@evening", "-o", "jsonl").out
    #expect(bench.run("audit", made, "-o", "jsonl").out == findings)
    #expect(bench.run("verify", made).status == .fine)
  }

  /// When a line was recorded is the one thing two imports do not share.
  private static func withoutStamp(_ line: String) -> String {
    guard let start = line.range(of: #""recorded-at":""#) else { return line }
    return String(line[..<start.lowerBound] + line[start.upperBound...].drop { $0 != "," })
  }
}

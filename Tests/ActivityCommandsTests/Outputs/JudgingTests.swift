import ActivityCommands
import Foundation
import Testing

@Suite("Suppressions and required coverage")
struct JudgingTests {
  private static let leaked = "d4bd6a72b0d230ba"

  @Test("A suppressed finding is in no list, headline or gate, and is counted")
  func suppressed() throws {
    let bench = try Workbench()
    try bench.ingestHostile()
    let report = try bench.json("audit", "@hostile", "-o", "json")
    let prints = try #require(report["findings"] as? [[String: Any]])
      .compactMap { $0["fingerprint"] as? String }
    #expect(prints.count == 2)
    try bench.write(
      "known.jsonl",
      prints.map { #"{"fingerprint":"\#($0)","reason":"a demo","until":"2026-12-31"}"# }
        .joined(separator: "\n\n"))
    let outcome = bench.run(
      "audit", "@hostile", "--suppress", "@known.jsonl", "--fail-on", "info")
    #expect(outcome.status == .fine)
    #expect(outcome.err.isEmpty)
    #expect(says(outcome.out, "2 suppressed"))
    #expect(says(outcome.out, "Nothing found"))
    let json = try bench.json(
      "audit", "@hostile", "--suppress", "@known.jsonl", "-o", "json")
    #expect((json["findings"] as? [Any])?.isEmpty == true)
    let hidden = try #require(json["suppressed"] as? [[String: Any]])
    #expect(hidden.compactMap { $0["fingerprint"] as? String } == prints)
    #expect(hidden.allSatisfy { $0["reason"] as? String == "a demo" })
    let sarif = try bench.json(
      "audit", "@hostile", "--suppress", "@known.jsonl", "-o", "sarif")
    let run = try #require((sarif["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    let reasons = results.compactMap { ($0["suppressions"] as? [[String: Any]])?.first }
    #expect(reasons.compactMap { $0["justification"] as? String } == ["a demo", "a demo"])
  }

  @Test("One that is past its date hides nothing and says so; the day itself still counts")
  func expired() throws {
    let bench = try Workbench()
    // Now is 2026-11-21T09:09:04Z.
    for (until, hides) in [
      ("2026-11-20", false), ("2026-11-21", true), ("2026-11-21T09:09:00Z", false),
      ("2026-11-21T12:00:00+02:00", true),
    ] {
      let line = #"{"fingerprint":"\#(JudgingTests.leaked)","reason":"r","until":"\#(until)"}"#
      try bench.write("known.jsonl", "\n" + line + "\n")
      let outcome = bench.run(
        "audit", Workbench.incident, "--suppress", "@known.jsonl", "--rule", "end-not-delivered",
        "-o",
        "jsonl")
      #expect(outcome.out.count == (hides ? 52 : 53), "\(until)")
      let note =
        "known.jsonl:2: the suppression of \(JudgingTests.leaked) ended with \(until) "
        + "and hides nothing"
      #expect(outcome.err == (hides ? [] : [note]))
    }
  }

  @Test("Suppressions that match nothing are counted once")
  func unmatched() throws {
    let bench = try Workbench()
    try bench.write(
      "known.jsonl",
      ["00000000000000ff", "00000000000000aa", "00000000000000aa"].map {
        #"{"fingerprint":"\#($0)","reason":"r","until":"2027-01-01"}"#
      }.joined(separator: "\n"))
    let outcome = bench.run("audit", Workbench.incident, "--suppress", "@known.jsonl", "-o", "ids")
    #expect(outcome.err == ["2 suppressions matched no finding: 00000000000000aa …"])
  }

  @Test(
    "A line that is no suppression is named, with what to do, and the run ends with 2",
    arguments: [
      ("nonsense", "this is no JSON object"),
      (#"["0123456789abcdef"]"#, "this is no JSON object"),
      (#"{"reason":"r","until":"2026-12-31"}"#, "'fingerprint' is not"),
      (
        #"{"fingerprint":"0123456789ABCDEF","reason":"r","until":"2026-12-31"}"#,
        "'fingerprint' is not"
      ),
      (#"{"fingerprint":"0123456789abcdef","until":"2026-12-31"}"#, "'reason' is missing"),
      (
        #"{"fingerprint":"0123456789abcdef","reason":" ","until":"2026-12-31"}"#,
        "'reason' is missing"
      ),
      (#"{"fingerprint":"0123456789abcdef","reason":"r"}"#, "'until' is missing"),
      (
        #"{"fingerprint":"0123456789abcdef","reason":"r","until":"2026-02-30"}"#,
        "'until' is neither a date nor"
      ),
      (
        #"{"fingerprint":"0123456789abcdef","reason":"r","until":"soon"}"#,
        "'until' is neither a date nor"
      ),
    ])
  func badLine(line: String, what: String) throws {
    let bench = try Workbench()
    let good = #"{"fingerprint":"0123456789abcdef","reason":"r","until":"2027-01-01"}"#
    try bench.write("known.jsonl", good + "\n" + line + "\n")
    let outcome = bench.run("audit", Workbench.incident, "--suppress", "@known.jsonl")
    #expect(outcome.status == .couldNotRun)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.first?.hasPrefix("activitylog: known.jsonl:2: ") == true)
    #expect(says(outcome.err, what))
    #expect(says(outcome.err, "try: one object a line"))
  }

  @Test("Recorders that are required must reach both ends of the window, without a gap")
  func coverage() throws {
    let bench = try Workbench()
    try bench.ingest(
      "hosts",
      [
        Self.row("10:00:00", "push-7"), Self.row("10:05:00", "push-8"),
        Self.row("10:05:01", "late"), Self.row("11:55:00", "push-8"),
        Self.row("11:54:59", "late"), Self.row("12:00:00", "push-7"),
        Self.row("10:00:00", "gap"), Self.row("12:00:00", "gap"),
        #"{"event":"coverage","at":"2026-11-20T11:00:00Z","recorder":"gap","#
          + #""from":"2026-11-20T10:30:00Z","until":"2026-11-20T10:40:00Z","lost":3,"#
          + #""why":"dropped"}"#,
      ])
    let fine = bench.run("audit", "@hosts", "--require-coverage", "push-7,push-8")
    #expect(fine.status == .fine)
    #expect(fine.err.isEmpty)
    let missing = bench.run(
      "audit", "@hosts", "--require-coverage", "push-7,late", "--require-coverage", "gap,nobody",
      "--utc", "--fail-on", "info")
    #expect(missing.status == .uncovered)
    #expect(
      missing.err == [
        "late: does not cover the window: its first row is of 2026-11-20T10:05:01Z, the window "
          + "begins 2026-11-20T10:00:00Z; its last row is of 2026-11-20T11:54:59Z, the window "
          + "ends 2026-11-20T12:00:00Z",
        "gap: does not cover the window: it lost 2026-11-20T10:30:00Z to 2026-11-20T10:40:00Z",
        "nobody: does not cover the window: no row of it is in the log",
      ])
    let window = ["--since", "2026-11-20T10:40:00Z", "--until", "2026-11-20T11:50:00Z"]
    let inside = bench.run(
      ["audit", "@hosts", "--require-coverage", "late,gap"] + window, input: [])
    #expect(inside.status == .fine)
    let beyond = bench.run(
      "audit", "@hosts", "--require-coverage", "push-7", "--until", "2026-11-20T12:10:00Z")
    #expect(beyond.status == .uncovered)
    let json = try bench.json("audit", "@hosts", "--require-coverage", "nobody", "-o", "json")
    let uncovered = try #require(json["uncovered"] as? [[String: String]])
    #expect(uncovered.map { $0["recorder"] } == ["nobody"])
  }

  @Test("Missing coverage hides a tripped gate, and an empty name is a usage error")
  func precedence() throws {
    let bench = try Workbench()
    let both = bench.run(
      "audit", Workbench.incident, "--require-coverage", "nobody", "--fail-on", "error")
    #expect(both.status == .uncovered)
    let empty = bench.run("audit", Workbench.incident, "--require-coverage", "push-7,,alice")
    #expect(empty.status == .couldNotRun)
    #expect(says(empty.err, "a name is empty in 'push-7,,alice'"))
  }

  private static func row(_ time: String, _ recorder: String) -> String {
    #"{"event":"state","at":"2026-11-20T\#(time)Z","recorder":"\#(recorder)","#
      + #""activity-id":"A","state":"active"}"#
  }
}

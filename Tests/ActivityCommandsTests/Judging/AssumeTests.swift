import ActivityCommands
import Foundation
import Testing

@Suite("audit: what if, limits, and a unit test's log")
struct AssumeTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private func take(_ lines: String) throws {
    try bench.write("lines.ndjson", lines)
    bench.run("ingest", "@log", "@lines.ndjson")
  }

  /// A card whose end is refused with 503 an hour after its start, and evidence of 12 hours more.
  private static let refusedEnd = """
    {"event":"start","at":"2026-11-20T06:00:00Z","activity-id":"A-1","source":"app",\
    "stale-date":"2026-11-20T20:00:00Z","content-state":{"n":1}}
    {"event":"end","at":"2026-11-20T07:00:00Z","activity-id":"A-1","source":"push",\
    "status":503,"content-state":{"n":2}}
    {"event":"work","at":"2026-11-20T19:00:00Z","key":"K","outcome":"open"}
    """ + "\n"

  private func assumed(_ words: String...) throws -> (before: [String: Int], after: [String: Int]) {
    let out = bench.run(["audit", "@log", "-o", "json"] + words, input: []).out.joined()
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(out.utf8)) as? [String: Any])
    let assumed = try #require(json["assumed"] as? [String: Any])
    return (
      try #require(assumed["before"] as? [String: Int]),
      try #require(assumed["after"] as? [String: Int])
    )
  }

  @Test("Ends repeated until they are taken would have ended the card when they were first sent")
  func retried() throws {
    try take(Self.refusedEnd)
    let (before, after) = try assumed("--assume", "retry-ends")
    // From the refused end to X + 4 h, when it is gone from the screen: 11 hours.
    #expect(before["confirmed-wrong-card-seconds"] == 11 * 3600)
    #expect(before["cards"] == 1)
    #expect(after["confirmed-wrong-card-seconds"] == 0)
    #expect(after["cards"] == 0)
    #expect(after["errors"] == 0)
    let text = bench.run("audit", "@log", "--assume", "retry-ends").out
    #expect(says(text, "What if refused ends had been repeated until they were taken?"))
    #expect(
      says(text, "as it is  660 wrong-card minutes confirmed, 0 inferred, on 1 card; 1 error"))
    #expect(
      says(text, "as if     0 wrong-card minutes confirmed, 0 inferred, on 0 cards; 0 errors"))
  }

  @Test("An end that 410 answers, or that no retry can mend, stays as it was")
  func notRetried() throws {
    try take(Self.refusedEnd.replacingOccurrences(of: "503", with: "400"))
    let (before, after) = try assumed("--assume", "retry-ends")
    #expect(before == after)
  }

  @Test("A stale date on content that has none shows for how long it was out of date")
  func stale() throws {
    try take(
      """
      {"event":"start","at":"2026-11-20T06:00:00Z","activity-id":"A-1","source":"app",\
      "content-state":{"n":1}}
      {"event":"update","at":"2026-11-20T06:05:00Z","activity-id":"A-1","source":"app",\
      "content-state":{"n":2}}
      {"event":"end","at":"2026-11-20T07:00:00Z","activity-id":"A-1","source":"app",\
      "content-state":{"n":3}}
      """ + "\n")
    let (before, after) = try assumed("--assume", "stale-date=+15m")
    #expect(before["inferred-wrong-card-seconds"] == 0)
    // Stale from 06:20 on until the end.
    #expect(after["inferred-wrong-card-seconds"] == 40 * 60)
  }

  @Test("What cannot be assumed is named, with what can")
  func unknown() throws {
    try take(Self.refusedEnd)
    for text in ["later-ends", "stale-date", "stale-date=+soon", "retry-ends=2", "stale-date=+0s"] {
      let run = bench.run("audit", "@log", "--assume", text)
      #expect(run.status == .couldNotRun)
      #expect(says(run.err, "--assume"))
    }
    #expect(
      bench.run("audit", "@log", "--assume", "retry-ends", "-o", "csv").status == .couldNotRun)
  }

  @Test("A limit of a rule is set by RULE.NAME, and an unknown one names what there is")
  func thresholds() throws {
    try take(Self.refusedEnd)
    #expect(says(bench.run("rules", "alert-storm").out, "limit"))
    let unknown = bench.run("audit", "@log", "--threshold", "alert-storm.alarms=3")
    #expect(unknown.status == .couldNotRun)
    #expect(says(unknown.err, "alert-storm has no limit 'alarms'"))
    let bad = bench.run("audit", "@log", "--threshold", "short-lived.cards=many")
    #expect(bad.status == .couldNotRun)
    #expect(bench.run("audit", "@log", "--rule", "never-endet").status == .couldNotRun)
  }

  @Test("A unit test's log of 0.3 s with a leak fails its gate")
  func unitTest() throws {
    try take(
      """
      {"event":"start","at":"2026-11-20T06:00:00.000Z","activity-id":"A-1","source":"app",\
      "content-state":{"n":1}}
      {"event":"update","at":"2026-11-20T06:00:00.200Z","activity-id":"A-1","source":"app",\
      "content-state":{"n":2}}
      {"event":"start","at":"2026-11-20T06:00:00.210Z","activity-id":"A-2","source":"app",\
      "content-state":{"n":1}}
      {"event":"end","at":"2026-11-20T06:00:00.300Z","activity-id":"A-2","source":"app",\
      "content-state":{"n":2}}
      """ + "\n")
    let run = bench.run("audit", "@log", "--complete", "--fail-on", "error", "-o", "ids")
    #expect(run.status == .gate)
    #expect(run.out == ["A-1"])
    #expect(bench.run("audit", "@log", "--fail-on", "error").status == .fine)
  }
}

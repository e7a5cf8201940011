import ActivityCommands
import ActivityStore
import Foundation
import Testing

@Suite("The order of LOGs read as one, and what damage leaves of them")
struct MergeOrderTests {
  private let bench: Workbench
  private let segment = "log/\(SegmentName.of(1))"

  /// A log and a file whose events take turns; the log was made after all of them.
  init() throws {
    bench = try Workbench()
    try bench.write(
      "sent.ndjson",
      """
      {"event":"start","at":"2026-11-20T18:00:00Z","activity-id":"A-1","key":"K","id":"s",\
      "attributes-type":"T","attributes":{"n":0}}
      {"event":"update","at":"2026-11-20T18:10:00Z","activity-id":"A-1",\
      "content-state":{"word":"jumbling vexd fowls","n":20}}
      {"event":"inventory","at":"2026-11-20T18:15:00Z","device":"d",\
      "activities":[{"activity-id":"A-1"},{"activity-id":"A-2"}]}

      """)
    try bench.write(
      "seen.ndjson",
      """
      {"event":"update","at":"2026-11-20T18:05:00Z","activity-id":"A-1","content-state":{"n":10}}
      {"event":"end","at":"2026-11-20T18:20:00Z","activity-id":"A-1"}

      """)
    bench.run("ingest", "@log", "@sent.ndjson")
  }

  /// Flips a bit in the content of the log's only commit.
  private func damage() throws {
    var bytes = try bench.read(segment)
    let place = try #require(bytes.firstRange(of: Array("vexd".utf8)))
    bytes[place.lowerBound] ^= 1
    try bench.write(segment, bytes)
  }

  @Test("What a log recorded last stands where it happened", arguments: [false, true])
  func byTime(turned: Bool) {
    let logs = turned ? ["@seen.ndjson", "@log"] : ["@log", "@seen.ndjson"]
    let lines = bench.run(["export"] + logs, input: []).out
    let minutes = lines.compactMap { $0.firstMatch(of: /"at":"2026-11-20T18:(..)/)?.output.1 }
    #expect(minutes == ["00", "05", "10", "15", "20"])
  }

  @Test("Export of a merge, or of a file whose recorded-at falls, restores to what it says")
  func restored() throws {
    try bench.write(
      "falls.ndjson",
      """
      {"event":"start","at":"2026-11-20T18:00:00Z","recorded-at":"2026-11-20T18:29:00Z","key":"K"}
      {"event":"end","at":"2026-11-20T18:05:00Z","recorded-at":"2026-11-20T18:06:00Z","key":"K"}

      """)
    for (number, logs) in [["@falls.ndjson"], ["@log", "@seen.ndjson"]].enumerated() {
      let lines = bench.run(["export"] + logs, input: []).out
      #expect(lines.count == (number == 0 ? 2 : 5))
      try bench.write("all.ndjson", lines.joined(separator: "\n") + "\n")
      let run = bench.run("ingest", "@again\(number)", "@all.ndjson", "--restore")
      #expect(run.status == .fine, "\(run.err)")
      #expect(bench.export("again\(number)") == lines)
    }
  }

  @Test("Rows whose content is damaged stay in the fold without it, and are counted")
  func damaged() throws {
    let whole = bench.run("state", "@log", "@seen.ndjson", "--at", "18:16", "-o", "ids").out
    #expect(whole.count == 2)
    try damage()
    let run = bench.run("state", "@log", "@seen.ndjson", "--at", "18:16", "-o", "jsonl")
    #expect(run.status == .damage)
    #expect(run.out.count == 2)
    let card = try #require(run.out.first { $0.contains(#""activity-id":"A-1""#) })
    #expect(card.contains(#""key":"K""#) && card.contains(#""updates":2"#))
    #expect(card.contains(#""content-state":null"#) && card.contains(#""content-damaged":true"#))
    let said = "log: read 3 events, refused 0, skipped 0, repeated 0, 3 without content"
    #expect(says(run.err, said))
    let export = bench.run("export", "@log", "@seen.ndjson")
    #expect(export.status == .damage && export.out.count == 2)
    #expect(says(export.err, "left out 3 damaged events: seq 1, seq 3 to 4"))
  }

  @Test("A row whose content is damaged gives way to the same event elsewhere")
  func repeated() throws {
    try damage()
    for logs in [["@log", "@sent.ndjson"], ["@sent.ndjson", "@log"]] {
      let run = bench.run(["state"] + logs + ["K", "--at", "18:05", "-o", "jsonl"], input: [])
      #expect(run.out.count == 1 && says(run.out, #""attributes":{"n":0}"#))
      #expect(says(run.err, "log: read 2 events, refused 0, skipped 0, repeated 1, 2 without"))
    }
  }

  @Test("Event lines in an array, or over several lines, are read under --format ndjson too")
  func laidOut() throws {
    let start = #"{"event":"start","at":"2026-11-20T18:00:00Z","key":"K","device":null}"#
    let end = #"{"event":"end","at":"2026-11-20T18:20:00Z","key":"K"}"#
    let whole = "[\(start),\(end)]\n"
    for (number, text) in [whole, whole.replacing(",", with: ",\n ")].enumerated() {
      try bench.write("events.json", text)
      let run = bench.run(
        "ingest", "@own\(number)", "@events.json", "--format", "ndjson", "--set", "device=d1")
      #expect(run.status == .fine, "\(run.err)")
      let lines = bench.export("own\(number)")
      #expect(lines.count == 2)
      #expect(lines.allSatisfy { $0.contains(#""device":"d1""#) })
    }
  }
}

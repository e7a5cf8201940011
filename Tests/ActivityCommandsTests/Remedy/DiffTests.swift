import ActivityCommands
import ActivityCore
import Testing

@Suite("diff")
struct DiffTests {
  /// A card that changes at 18:05 and is ended at 18:20; another that appears at 18:10.
  private func bench() throws -> Workbench {
    var story = Story.card()
    story.push(
      "update", "18:05:00",
      #""content-state":{"s":"a/b","deep":{"n":20},"list":[1,2]},"stale-date":1795201200"#)
    story.add("start", "18:10:00", #""source":"app","key":"K-2","build":"413""#, id: "BBBB-2")
    story.push(
      "end", "18:20:00",
      #""content-state":{"s":"a/b","deep":{"n":20.0},"list":[1,3]},"dismissal-date":1795198800"#)
    return try story.bench()
  }

  @Test("Two instants: what appeared, what changed member by member, what is gone")
  func times() throws {
    let bench = try bench()
    let outcome = bench.run("diff", "@log", "--from", "18:01", "--to", "18:15")
    #expect(outcome.status == .fine)
    #expect(
      outcome.out == [
        "From 2026-11-20T18:01:00Z to 2026-11-20T18:15:00Z (occurred clock, device view): "
          + "1 appeared, 1 changed",
        "+ K-2  BBBB-2",
        "    phase           none → active",
        "    visible-until   (none) → 2026-11-21T06:10:00Z",
        "~ K-1  AAAA-1",
        "    stale-date      (none) → 19:00:00",
        #"    /s              "new" → "a/b""#,
        "    /n              1 → (none)",
        #"    /deep           (none) → {"n":20}"#,
        "    /list           (none) → [1,2]",
      ])
    let gone = bench.run("diff", "@log", "--from", "18:15", "--to", "18:20", "-o", "jsonl")
    #expect(
      gone.out == [
        #"{"schema":"activitylog.difference/1","change":"gone","activity-id":"AAAA-1","#
          + #""name":"AAAA-1","key":"K-1","device":"phone-1","build":null,"#
          + #""attributes-type":null,"members":[{"member":"phase","before":"active","#
          + #""after":"dismissed"},{"member":"visible-until","#
          + #""before":"2026-11-21T06:00:00.000000Z","after":"2026-11-20T18:20:00.000000Z"},"#
          + #"{"member":"ended-at","before":null,"after":"2026-11-20T18:20:00.000000Z"},"#
          + #"{"member":"end-reason","before":null,"after":"push"}],"#
          + #""content":[{"pointer":"/deep/n","change":"changed","before":20,"after":20.0},"#
          + #"{"pointer":"/list/1","change":"changed","before":2,"after":3}]}"#
      ])
  }

  @Test("Without --to the second is the log's end; the two may be given backwards")
  func defaults() throws {
    let bench = try bench()
    let forward = bench.run("diff", "@log", "--from", "18:01", "-o", "ids").out
    #expect(forward == ["BBBB-2", "AAAA-1"])
    #expect(bench.run("diff", "@log", "--to", "18:01").status == .couldNotRun)
    let backward = bench.run(
      "diff", "@log", "--from", "18:20", "--to", "18:01", "-o", "jsonl"
    ).out
    #expect(backward.count == 2)
    #expect(says(backward, #""change":"gone","activity-id":"BBBB-2""#))
    #expect(says(backward, #""change":"appeared","activity-id":"AAAA-1""#))
  }

  @Test("The gate trips only if something differs; filters and --all choose what counts")
  func gate() throws {
    let bench = try bench()
    let span = ["diff", "@log", "--from", "18:05", "--to", "18:09", "--exit-code"]
    let same = bench.run(span, input: [])
    #expect(same.status == .fine)
    #expect(says(same.out, ": nothing differs"))
    let wide = ["diff", "@log", "--from", "18:01", "--to", "18:15", "--exit-code"]
    #expect(bench.run(wide, input: []).status == .gate)
    #expect(bench.run(wide + ["--where", "build=413", "-o", "ids"], input: []).out == ["BBBB-2"])
    #expect(bench.run(wide + ["--where", "build=9"], input: []).status == .fine)
    let late = ["diff", "@log", "--from", "18:30", "--to", "2026-11-22T00:00:00Z", "-o", "ids"]
    #expect(bench.run(late, input: []).out == ["BBBB-2"])
    let unseen = ["diff", "@log", "--from", "2026-11-21T06:30:00Z", "--to", "2026-11-22T08:00:00Z"]
    #expect(bench.run(unseen + ["-o", "ids"], input: []).out == [])
    #expect(bench.run(unseen + ["-o", "ids", "--all"], input: []).out == ["AAAA-1", "BBBB-2"])
  }

  @Test("The two views differ where a push was refused, and there alone")
  func views() throws {
    var story = Story.card()
    story.push("update", "18:05:00", status: 503, #""content-state":{"s":"lost","n":1}"#)
    story.add("start", "18:10:00", #""source":"app","key":"K-2""#, id: "BBBB-2")
    let bench = try story.bench()
    #expect(
      bench.run("diff", "@log", "--views", "--at", "18:30").out == [
        "Sender's belief → device at 2026-11-20T18:30:00Z (occurred clock): "
          + "1 otherwise than believed",
        "~ K-1  AAAA-1",
        #"    /s              "lost" → "new""#,
      ])
    let document = bench.run("diff", "@log", "--views", "--at", "18:30", "-o", "json").out
    #expect(
      says(
        document,
        #"{"schema":"activitylog.differences/1","clock":"occurred","#
          + #""at":"2026-11-20T18:30:00.000000Z","views":["sent","device"],"activities":[{"#))
  }

  @Test("A card whose id becomes known is one card with another name")
  func renamed() throws {
    var story = Story()
    story.push("update", "18:00:00", #""content-state":{"s":"a"}"#)
    story.push("update", "18:05:00", #""content-state":{"s":"a"}"#)
    story.add("state", "18:10:00", #""state":"active","# + Story.tokenMember)
    let bench = try story.bench()
    let outcome = bench.run("diff", "@log", "--from", "18:06", "--to", "18:10")
    #expect(says(outcome.out, "1 changed"))
    #expect(says(outcome.out, "    name            token:9a2db2e23f15 → AAAA-1"))
  }

  @Test("A content lost to damage is said, never taken for equal, and ends with 3")
  func damaged() throws {
    let log = Checkout.path("damaged/flipped-content")
    let bench = try Workbench()
    let span = ["--from", "2026-11-20T18:00:00Z", "--to", "2026-11-20T18:06:00Z", "--all"]
    let outcome = bench.run(["diff", log] + span, input: [])
    #expect(outcome.status == .damage)
    #expect(says(outcome.out, "    content-state   (none) → (damaged)"))
    let lines = bench.run(["diff", log, "-o", "jsonl"] + span, input: [])
    #expect(says(lines.out, #""content":[],"content-damaged":true}"#))
  }

  @Test("Text of a log that could move a cursor is spelled out")
  func hazards() throws {
    var story = Story.card()
    story.push("update", "18:05:00", #""content-state":{"s\u001b[2J":"\u009b1m"}"#)
    let outcome = try story.bench().run("diff", "@log", "--from", "18:01")
    let raw = outcome.out.joined().unicodeScalars.filter { $0.value < 0x20 || $0.value == 0x9B }
    #expect(raw.isEmpty)
    #expect(says(outcome.out, #"/s\u{1B}[2J"#))
  }

  @Test(
    "What cannot be compared is a usage error",
    arguments: [
      ["--views", "--from", "18:00"], ["--at", "18:00"], [], ["--from", "18:00", "--at", "18:00"],
      ["--from", "18:00", "-o", "payloads"], ["--views", "--view", "sent"],
      ["--views", "-o", "payloads", "--all"], ["--from", "noon"],
    ])
  func usage(words: [String]) throws {
    let outcome = try bench().run(["diff", "@log"] + words, input: [])
    #expect(outcome.status == .couldNotRun)
    #expect(outcome.out == [])
  }
}

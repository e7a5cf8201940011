import ActivityCommands
import ActivityCore
import Foundation
import Testing

@Suite("Pushes that make cards what their senders believe")
struct BeliefTests {
  private func payloads(_ story: Story, _ words: String...) throws -> Outcome {
    try story.bench().run(["diff", "@log", "--views", "-o", "payloads"] + words, input: [])
  }

  @Test("A refused update becomes one update with its content, dates and relevance")
  func update() throws {
    var story = Story.card()
    story.push("update", "18:05:00", status: 503, #""content-state":{"s":"lost"}"#)
    story.push(
      "update", "18:10:00", status: 503,
      #""content-state":{"s":"ready","p":1.50},"stale-date":1795201200,"relevance-score":7.0"#)
    let outcome = try payloads(story, "--at", "18:30")
    #expect(outcome.out.count == 1)
    #expect(
      outcome.out.first?.contains(
        #""payload":{"aps":{"event":"update","timestamp":1795199400,"#
          + #""content-state":{"s":"ready","p":1.50},"stale-date":1795201200,"#
          + #""relevance-score":7.0}}}"#) == true)
    #expect(outcome.err.last == "after sending: 0 of 1 wrong, 0 past 8 h")
  }

  @Test("A refused end becomes an end with the dismissal its sender believes in")
  func end() throws {
    var story = Story.card()
    story.push(
      "end", "18:10:00", status: 403, #""content-state":{"s":"x"},"dismissal-date":1795201200"#)
    let early = try #require(try objects(payloads(story, "--at", "18:30").out).first)
    #expect(try aps(early)["dismissal-date"] as? Int == 1_795_201_200)
    let late = try #require(try objects(payloads(story, "--at", "19:30").out).first)
    #expect(try aps(late)["dismissal-date"] as? Int == Int(Story.six) + 5_400)
    #expect(try aps(late)["event"] as? String == "end")
  }

  @Test("Cards that are right get nothing; a stale date alone makes a card wrong")
  func staleDate() throws {
    var story = Story.card()
    story.push("update", "18:05:00", #""content-state":{"s":"a"},"stale-date":1795201200"#)
    #expect(try payloads(story, "--at", "18:30").out == [])
    story.push(
      "update", "18:10:00", status: 503, #""content-state":{"s":"a"},"stale-date":1795204800"#)
    let outcome = try payloads(story, "--at", "18:30")
    let line = try #require(try objects(outcome.out).first)
    #expect(try aps(line)["stale-date"] as? Int == 1_795_204_800)
    #expect(outcome.err.last == "after sending: 0 of 1 wrong, 0 past 8 h")
  }

  @Test("The same content in another order and spelling of its text is no difference")
  func sameContent() throws {
    var story = Story.card()
    story.push(
      "update", "18:05:00", status: 503, #""content-state":{"n":1,"s":"\u006eew"}"#)
    let outcome = try payloads(story, "--at", "18:30")
    #expect(outcome.out == [])
    #expect(outcome.err.last == "after sending: 0 of 0 wrong, 0 past 8 h")
  }

  @Test("What no push reaches is counted by its reason and stays wrong")
  func obstacles() throws {
    let big = String(repeating: "x", count: 4_100)
    var story = Story.card()
    story.push("update", "18:05:00", status: 413, #""content-state":{"s":"\#(big)"}"#)
    let tooBig = try payloads(story, "--at", "18:30")
    #expect(tooBig.out == [])
    #expect(says(tooBig.err, "1 without a push: it would be over 4096 bytes"))
    #expect(tooBig.err.last == "after sending: 1 of 1 wrong, 0 past 8 h")

    var tokenless = Story()
    tokenless.add("start", "18:00:00", #""source":"app","content-state":{"s":"new"}"#)
    tokenless.add(
      "update", "18:05:00", #""source":"push","status":503,"content-state":{"s":"b"}"#)
    let without = try payloads(tokenless, "--at", "18:30")
    #expect(says(without.err, "1 without a push: no update token is known"))
    #expect(without.err.last == "after sending: 1 of 1 wrong, 0 past 8 h")
  }

  @Test("A card that the system ended gets nothing and counts as past 8 h")
  func pastLimit() throws {
    var story = Story.card()
    story.push("end", "18:10:00", status: 403)
    let outcome = try payloads(story, "--at", "2026-11-21T03:00:00Z")
    #expect(outcome.out == [])
    #expect(outcome.err.last == "after sending: 0 of 0 wrong, 1 past 8 h")
  }

  @Test("A card swiped away, and one that nobody asked anything of, are not wrong")
  func nothingToDo() throws {
    var swiped = Story.card()
    swiped.push("update", "18:05:00", status: 410, #""content-state":{"s":"b"}"#)
    var unknown = Story()
    unknown.add("token", "18:00:00", Story.tokenMember)
    unknown.add("state", "18:01:00", #""state":"active","content-state":{"s":"own"}"#)
    for story in [swiped, unknown] {
      let outcome = try payloads(story, "--at", "18:30")
      #expect(outcome.out == [])
      #expect(outcome.err.last == "after sending: 0 of 0 wrong, 0 past 8 h")
    }
  }

  @Test("One id on two devices is two cards, each with a push of its own")
  func scopes() throws {
    var story = Story()
    for (device, byte) in [("phone-1", "ab"), ("phone-2", "cd")] {
      let token = String(repeating: byte, count: 32)
      let scope = #""device":"\#(device)","token":"\#(token)","source":"push""#
      story.add("update", "18:00:00", scope + #","status":200,"content-state":{"s":"a"}"#)
      story.add(
        "update", "18:05:00", scope + #","status":503,"content-state":{"s":"\#(device)"}"#)
    }
    let outcome = try payloads(story, "--at", "18:30")
    let lines = try objects(outcome.out)
    #expect(lines.count == 2)
    for line in lines {
      let content = try #require(try aps(line)["content-state"] as? [String: Any])
      #expect(content["s"] as? String == line["device"] as? String)
    }
    #expect(Set(lines.compactMap { $0["token"] as? String }).count == 2)
    #expect(outcome.err.last == "after sending: 0 of 2 wrong, 0 past 8 h")
  }

  @Test("The gate trips while cards are wrong")
  func gate() throws {
    var story = Story.card()
    story.push("end", "18:10:00", status: 403)
    #expect(try payloads(story, "--exit-code", "--at", "18:30").status == .gate)
    #expect(try payloads(story, "--exit-code", "--at", "18:05").status == .fine)
  }

  @Test("Once the pushes are recorded as sent, no card of the incident is wrong any more")
  func sent() throws {
    let bench = try Workbench()
    bench.ingestIncident()
    let words = ["diff", "@evening", "--views", "--at", "18:39", "-o", "payloads"]
    let first = bench.run(words, input: [])
    #expect(first.out.count == 124)
    #expect(
      first.err == [
        "124 pushes (82 ends, 42 updates); nothing was sent",
        "after sending: 0 of 124 wrong, 0 past 8 h",
      ])
    let rows = try objects(first.out).map { line -> String in
      var row = try aps(line)
      row["at"] = "2026-11-20T18:39:00Z"
      row["source"] = "push"
      row["status"] = 200
      row["token"] = line["token"]
      return String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
    }
    try bench.write("sent.jsonl", rows.joined(separator: "\n") + "\n")
    #expect(bench.run("ingest", "@evening", "@sent.jsonl").status == .fine)
    let second = bench.run(words, input: [])
    #expect(second.out == [])
    #expect(second.err.last == "after sending: 0 of 0 wrong, 0 past 8 h")
  }
}

import ActivityCommands
import Foundation
import Testing

@Suite("Payloads that end what was left behind")
struct EndPayloadTests {
  private func payloads(_ story: Story, _ words: String...) throws -> Outcome {
    try story.bench().run(["audit", "@log", "-o", "end-payloads"] + words, input: [])
  }

  /// A card whose end at 18:20 was refused.
  private func refused() -> Story {
    var story = Story.card()
    story.push("update", "18:10:00", #""timestamp":1795198200,"content-state":{"s":"old"}"#)
    story.push("end", "18:20:00", status: 403, #""content-state":{"s":"done","p":20.0}"#)
    return story
  }

  @Test("A refused end becomes a push with that end's content, for the newest token, until X")
  func refusedEnd() throws {
    let outcome = try payloads(refused(), "--at", "18:45")
    #expect(outcome.status == .fine)
    #expect(
      outcome.out == [
        #"{"schema":"activitylog.end-payload/1","activity-id":"AAAA-1","name":"AAAA-1","#
          + #""key":"K-1","device":"phone-1","environment":null,"#
          + #""token":"\#(Story.fingerprint)","headers":{"apns-priority":10,"#
          + #""apns-push-type":"liveactivity","apns-expiration":1795226400,"#
          + #""apns-topic":"com.example.app.push-type.liveactivity"},"payload":{"aps":{"#
          + #""event":"end","timestamp":1795200300,"content-state":{"s":"done","p":20.0},"#
          + #""dismissal-date":1795200300}}}"#
      ])
    #expect(outcome.err == ["1 end payload for 1 card left behind; nothing was sent"])
  }

  @Test("Its timestamp is never older than what the card has taken, also from the future")
  func future() throws {
    var story = Story.card()
    story.push("update", "18:10:00", #""timestamp":1795204800,"content-state":{"s":"old"}"#)
    story.push("end", "18:20:00", status: 503)
    let line = try #require(try objects(payloads(story, "--at", "18:45").out).first)
    #expect(try aps(line)["timestamp"] as? Int == 1_795_204_800)
    let content = try #require(try aps(line)["content-state"] as? [String: Any])
    #expect(content["s"] as? String == "old", "the end had none: the last applied is taken")
  }

  @Test(
    "How long the card lingers is asked for",
    arguments: [("immediate", 1_795_200_300), ("15m", 1_795_201_200), ("default", nil)])
  func dismissal(word: String, date: Int?) throws {
    let outcome = try payloads(refused(), "--at", "18:45", "--dismissal", word)
    let line = try #require(try objects(outcome.out).first)
    #expect(try aps(line)["dismissal-date"] as? Int == date)
  }

  @Test("A dismissal that is none, too long, or for another format is refused")
  func badDismissal() throws {
    for word in ["soon", "5h", "-1m", ""] {
      let outcome = try payloads(refused(), "--dismissal", word)
      #expect(outcome.status == .couldNotRun)
      #expect(says(outcome.err, "--dismissal: '\(word)' is not"))
    }
    let other = try refused().bench().run("audit", "@log", "--dismissal", "15m")
    #expect(other.status == .couldNotRun)
  }

  @Test("A token that was answered 410 gets nothing and is counted")
  func gone() throws {
    var story = refused()
    story.push("update", "18:30:00", status: 410)
    let outcome = try payloads(story, "--at", "18:45")
    #expect(outcome.out == [])
    #expect(outcome.err.last == "1 whose token was answered 410")
  }

  @Test("A 410 to an old token leaves the new one")
  func renewed() throws {
    var story = refused()
    story.push("update", "18:30:00", status: 410)
    let other = String(repeating: "cd", count: 32)
    story.add("token", "18:31:00", #""token-kind":"update","token":"\#(other)""#)
    let outcome = try payloads(story, "--at", "18:45")
    let line = try #require(try objects(outcome.out).first)
    #expect(line["token"] as? String != Story.fingerprint)
    #expect(outcome.err.count == 1)
  }

  @Test("Past the system's limit nothing is written; how long it stays is said")
  func pastLimit() throws {
    let outcome = try payloads(refused(), "--at", "2026-11-21T03:00:00Z")
    #expect(outcome.out == [])
    #expect(outcome.err.last == "1 past 8 h: on screen until 2026-11-21T06:00:00Z at the latest")
    let later = try payloads(refused(), "--at", "2026-11-21T06:00:00Z")
    #expect(later.err.last == "1 gone from the screen by now")
  }

  @Test("A card without an update token is counted")
  func withoutToken() throws {
    var story = Story()
    story.add("start", "18:00:00", #""source":"app""#)
    story.add("end", "18:20:00", #""source":"push","status":503"#)
    let outcome = try payloads(story, "--at", "18:45")
    #expect(outcome.out == [])
    #expect(outcome.err.last == "1 without a known update token")
  }

  @Test("A leak that is confirmed by finished work is ended with the last content shown")
  func finishedWork() throws {
    var story = Story.card()
    story.add(
      line: #"{"event":"work","at":"2026-11-20T18:10:00Z","key":"K-1","outcome":"finished"}"#)
    story.later("18:40:00")
    let line = try #require(try objects(payloads(story).out).first)
    let content = try #require(try aps(line)["content-state"] as? [String: Any])
    #expect(content["s"] as? String == "new")
  }

  @Test("Cards that live, were ended, or were ended by a 410 alone need nothing")
  func nothing() throws {
    var live = Story.card()
    live.later("18:40:00")
    #expect(try payloads(live).out == [])
    var retried = refused()
    retried.push("end", "18:21:00")
    #expect(try payloads(retried, "--at", "18:45").out == [])
    var swiped = Story.card()
    swiped.push("end", "18:20:00", status: 410)
    let outcome = try payloads(swiped, "--at", "18:45")
    #expect(outcome.out == [])
    #expect(outcome.err == ["0 end payloads for 0 cards left behind; nothing was sent"])
  }

  @Test("Of a card that was ended and started again only the second life is left behind")
  func reopened() throws {
    var story = Story.card()
    story.push("end", "18:05:00", #""content-state":{"s":"first"}"#)
    story.add("start", "18:30:00", #""source":"app","recorder":"phone","content-state":{"s":"b"}"#)
    story.push("end", "18:40:00", status: 500, #""content-state":{"s":"second"}"#)
    let outcome = try payloads(story, "--at", "18:45")
    #expect(outcome.out.count == 1)
    let line = try #require(try objects(outcome.out).first)
    let content = try #require(try aps(line)["content-state"] as? [String: Any])
    #expect(content["s"] as? String == "second")
    let headers = try #require(line["headers"] as? [String: Any])
    #expect(headers["apns-expiration"] as? Int == Int(Story.six) + 1_800 + 8 * 3_600)
  }

  @Test("A content that was too big is not sent again; the last one shown is")
  func tooBig() throws {
    var story = Story.card()
    let big = String(repeating: "x", count: 4_200)
    story.push("end", "18:20:00", #""content-state":{"s":"\#(big)"}"#)
    let line = try #require(try objects(payloads(story, "--at", "18:45").out).first)
    let content = try #require(try aps(line)["content-state"] as? [String: Any])
    #expect(content["s"] as? String == "new")
  }

  @Test("A narrowed audit writes payloads of the cards and findings it was narrowed to")
  func narrowed() throws {
    var story = refused()
    // Nothing was recorded after the end: no finding yet, and a payload all the same.
    #expect(try payloads(story, "--at", "18:45", "--where", "key=K-1").out.count == 1)
    #expect(try payloads(story, "--at", "18:45", "--where", "rule=end-not-delivered").out == [])
    story.later("18:40:00")
    #expect(
      try payloads(story, "--at", "18:45", "--where", "rule=end-not-delivered").out.count == 1)
    #expect(try payloads(story, "--at", "18:45", "--rule", "end-not-delivered").out.count == 1)
    #expect(try payloads(story, "--at", "18:45", "--where", "key=K-2").out == [])
    #expect(try payloads(story, "--at", "18:45", "--until", "18:15").out == [])
    #expect(try payloads(story, "--at", "18:45", "--since", "18:30").out.count == 1)
    #expect(try payloads(story, "--at", "18:45", "--rule", "orphan-event").out == [])
  }

  @Test("The incident at 18:45: every end that was refused, and the next morning none")
  func incident() throws {
    let bench = try Workbench()
    bench.ingestIncident()
    let evening = bench.run("audit", "@evening", "--at", "18:45", "-o", "end-payloads")
    #expect(evening.out.count == 82)
    #expect(evening.out.allSatisfy { !$0.contains("content-damaged") && $0.utf8.count < 4_096 })
    let morning = bench.run("audit", "@evening", "-o", "end-payloads")
    #expect(morning.out == [])
    #expect(
      morning.err == [
        "0 end payloads for 56 cards left behind; nothing was sent",
        "1 past 8 h: on screen until 2026-11-21T09:11:28Z at the latest",
        "55 gone from the screen by now",
      ])
  }
}

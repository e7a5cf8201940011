import ActivityCore
import ActivityIngest
import Foundation
import Testing

@Suite("Remarks on lines that are taken")
struct EventRemarksTests {
  private func remarks(_ lines: [String]) -> EventRemarks {
    var remarks = EventRemarks()
    for (index, line) in lines.enumerated() {
      Array(line.utf8).withUnsafeBytes { remarks.look(at: $0, number: index + 1) }
    }
    return remarks
  }

  private func codes(_ line: String) -> [String] {
    remarks([line]).remarks.map { "\($0.code) \($0.member)" }
  }

  @Test("The samples of every kind give none")
  func samples() throws {
    let folder = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Logs/kinds")
    for kind in EventKind.allCases where kind != .unknown {
      let bytes = try Data(contentsOf: folder.appending(path: "\(kind.word).json"))
      #expect(codes(String(decoding: bytes, as: UTF8.self)) == [], "\(kind)")
    }
  }

  @Test(
    "A name that is nearly ours",
    arguments: [
      ("contentState", "content-state"), ("content_state", "content-state"),
      ("activity_id", "activity-id"), ("activityID", "activity-id"), ("apnsId", "apns-id"),
      ("time-stamp", "timestamp"), ("timestmap", "timestamp"), ("staledate", "stale-date"),
      ("reciever-recorder", nil), ("Status", "status"), ("statu", "status"), ("keys", nil),
      ("colour", nil), ("trace", nil), ("dismissalDate", "dismissal-date"),
      ("recoder", "recorder"), ("rescorderr", "recorder"), ("x-y", nil), ("", nil), ("é", nil),
    ] as [(String, String?)])
  func misspelled(name: String, meant: String?) {
    let found = remarks([#"{"event":"update","key":"K","\#(name)":1}"#]).remarks
    #expect(found.map(\.code) == (meant == nil ? [] : ["misspelled-member"]))
    if let meant { #expect(found.first?.sentence.contains("is it \"\(meant)\"?") == true) }
  }

  @Test("A member of another kind, named with the kinds that have it")
  func otherKind() {
    let found = remarks([
      #"{"event":"stale","key":"K"}"#,
      #"{"event":"update","key":"K","dismissal-date":5}"#,
      #"{"event":"update","key":"K","dismissal\u002ddate":6}"#,
      #"{"event":"alert","key":"K","content-state":{},"dismissal-date":null}"#,
    ]).remarks
    #expect(found.map(\.member) == ["dismissal-date", "content-state"])
    #expect(found.map(\.code) == ["member-of-other-kind", "member-of-other-kind"])
    #expect(found.map(\.count) == [2, 1] && found.map(\.firstLine) == [2, 4])
    #expect(
      found.map(\.sentence) == [
        #""dismissal-date" is kept but says nothing on update; it is a member of end."#,
        #""content-state" is kept but says nothing on alert; it is a member of start, update, "#
          + "end and state.",
      ])
  }

  @Test("A word that means nothing, each by itself; states in any case and in Swift's own coding")
  func words() {
    let found = remarks([
      #"{"event":"update","key":"K","source":"Push"}"#,
      #"{"event":"update","key":"K","source":"cron"}"#,
      #"{"event":"end","key":"K","source":"Push","dismissal-policy":"immediate"}"#,
      #"{"event":"state","key":"K","state":"Active"}"#,
      #"{"event":"state","key":"K","state":{"dismissed":{}}}"#,
      #"{"event":"state","key":"K","state":{"expired":{}}}"#,
      #"{"event":"update","key":"K","state":"expired","source":7}"#,
    ]).remarks
    #expect(
      found.map { "\($0.code) \($0.member) \($0.count) \($0.firstLine)" } == [
        "unknown-word source 2 1", "unknown-word source 1 2", "unknown-word state 1 6",
        "member-of-other-kind state 1 7",
      ])
    #expect(
      found.first?.sentence
        == #""Push" is kept but means nothing as source; the words are app, intent, schedule, "#
        + "push, broadcast, system and person.")
    #expect(codes(#"{"event":"channel","channel":"C","operation":"create"}"#) == [])
    #expect(
      codes(#"{"event":"failure","key":"K","operation":"create"}"#) == ["unknown-word operation"])
    #expect(codes(#"{"event":"coverage","recorder":"r","why":"lazy"}"#) == ["unknown-word why"])
  }

  @Test("A kind that is none of ours: what it has under our names is its own business")
  func unknownKind() {
    let found = remarks([
      #"{"event":"updated","key":"K","dismissal-date":3,"state":"odd","activityId":"A"}"#,
      #"{"event":"teleport"}"#, #"{"event":"teleport"}"#,
    ]).remarks
    #expect(
      found.map { "\($0.code) \($0.member) \($0.count)" } == [
        "unknown-event event 1", "misspelled-member activityId 1", "unknown-event event 2",
      ])
    #expect(found[0].sentence.hasSuffix("is it \"update\"?"))
    #expect(found[2].sentence.contains("the kinds are start, update,"))
  }

  @Test("What the reader refuses is not remarked on, and null is as good as absent")
  func nothing() {
    let lines = [
      "", "[1]", "{", #"{"key":"K","contentState":1}"#, #"{"event":7,"contentState":1}"#,
      #"{"event":"update","key":"K","dismissal-date":null,"contentState":null}"#,
    ]
    #expect(remarks(lines).remarks == [])
  }

  @Test("However many names and words come, what is kept is bounded, and what is not is counted")
  func bounded() {
    let many = EventRemarks.limit + 700
    let lines = (0..<many).map { #"{"event":"update","key":"K","source":"w\#($0)"}"# }
    let found = remarks(lines + lines)
    #expect(found.remarks.count == EventRemarks.limit)
    #expect(found.remarks.allSatisfy { $0.count == 2 })
    #expect(found.omitted == 2 * 700)
    let long = String(repeating: "é", count: 3_000)
    let one = remarks([#"{"event":"\#(long)","\#(long)":1,"source":"\#(long)"}"#]).remarks
    #expect(one.count == 2 && one.allSatisfy { $0.sentence.utf8.count < 400 })
  }
}

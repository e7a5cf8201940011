import ActivityCore
import ActivityIngest
import Testing

@Suite("What calls to vendors must not be taken for")
struct VendorCallTrapTests {
  private static let hex = String(repeating: "5d39ce9710f2d0f7", count: 4)

  private func record(_ line: String) -> SourceRecord {
    SourceRecord(line: 1, bytes: Array(line.utf8), json: JSONSlice(Array(line.utf8)))
  }

  private func read(_ line: String, as name: String) throws -> ReadSource {
    ReadSource(Array(line.utf8), SourceFormat(try #require(Dialects.named(name))))
  }

  private func format(of lines: [String]) -> String? {
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    return Recognition(bytes, settings: SourceSettings())?.format.dialect.name
  }

  private static let push =
    #"{"time":"2026-11-20T18:02:00Z","token":"\#(hex)","payload":{"aps":{"timestamp":1795197720,"#
    + #""event":"update","content-state":{"n":1}}},"apns-topic":"a.b.push-type.liveactivity"}"#

  @Test("A few cards are not drowned by many ordinary calls of another product")
  func louder() {
    let ordinary =
      #"{"time":"2026-11-20T18:02:00Z","url":"https://track.customer.io/api/v1/customers/7","#
      + #""method":"PUT","body":{"plan":"b"},"status":200}"#
    let lines = Array(repeating: ordinary, count: 40) + [Self.push, Self.push]
    #expect(format(of: lines) == "apns")
    #expect(format(of: [ordinary, ordinary]) == "customerio")
  }

  @Test("A logger that writes its message as event is not our own log")
  func loggers() {
    let lines = [
      #"{"event":"apns push sent","timestamp":"2026-11-20T18:02:00Z","token":"\#(Self.hex)","#
        + #""payload":{"aps":{"alert":"hi"}}}"#,
      #"{"event":"order paid","timestamp":"2026-11-20T18:02:01Z","key":"o-1","level":"info"}"#,
    ]
    for line in lines { #expect(NativeLines.likeness(of: record(line)) == 0, "\(line)") }
    #expect(format(of: lines) != "ndjson")
    let start = #"{"event":"start","at":1795197720,"activity-id":"a"}"#
    #expect(format(of: [start]) == "ndjson")
    let unknown = #"{"event":"custom","seq":7,"device":"d"}"#
    #expect(NativeLines.likeness(of: record(unknown)) == 5)
  }

  @Test("A call that a logger wrote with its own event is read")
  func loggedCall() throws {
    let line =
      #"{"event":"vendor called","key":"worker-1","time":"2026-11-20T18:00:00Z","url":"#
      + #""https://rest.braze.com/messages/live_activity/update","body":{"app_id":"a","#
      + #""activity_id":"k","content_state":{"n":1}}}"#
    #expect(format(of: [line]) == "braze")
    #expect(try read(line, as: "braze").lines.count == 1)
  }

  @Test("Only content acts come by a call; another word of ours is no evidence")
  func words() throws {
    for word in ["dismiss", "stale", "state", "inventory", "alert", "work", "coverage", ""] {
      let line =
        #"{"time":"2026-11-20T18:00:00Z","url":"/apps/a/live_activities/k/notifications","#
        + #""body":{"event":"\#(word)","event_updates":{}}}"#
      let read = try read(line, as: "onesignal")
      #expect(read.lines.first?.hasPrefix(#"{"event":"aps-\#(word)""#) == true, "\(word)")
    }
  }

  @Test(
    "A text that stands for any token names no card",
    arguments: [
      "[REDACTED]", "$TOKEN", "${token}", "<token>", "{token}", "****", "xxxxxxxx", "null",
      "a;b;c;d",
    ])
  func placeholders(text: String) throws {
    let body = #""payload":{"aps":{"timestamp":1795197720,"event":"end","content-state":{}}}"#
    let line =
      #"{"time":"2026-11-20T18:00:00Z","message":{"token":"reg:APA91bExample0123456789","#
      + #""apns":{"live_activity_token":"\#(text)",\#(body)}}}"#
    #expect(try read(line, as: "fcm").refused == ["1 no-handle"])
    let relay =
      #"{"time":"2026-11-20T18:00:00Z","message":"m","live_activity_token":"\#(text)","#
      + #""registration_info":{"app_id":"a"},"data":{"tag":"t","event":"update"}}"#
    let kept = try read(relay, as: "homeassistant")
    #expect(kept.lines.count == 1)
    #expect(kept.lines.first?.contains(#""token":"#) == false)
  }

  @Test("Of the tokens around a call only digests are left, at any depth and inside texts")
  func tokens() throws {
    let base64 = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="
    let line =
      #"{"time":"2026-11-20T18:00:00Z","url":"/apps/a/live_activities/k/notifications","#
      + #""body":{"event":"end","event_updates":{"shareToken":"\#(base64)"}},"#
      + #""push_token":"\#(Self.hex)","ctx":{"list":[{"pushTokens":["\#(Self.hex)"]}]},"#
      + #""msg":"sent to \#(Self.hex)","app":"{\"fcm\":\"r-1:APA91bExample0123456789\"}"}"#
    let made = try #require(try read(line, as: "onesignal").lines.first)
    #expect(!made.contains(Self.hex) && !made.contains("APA91b"))
    // Content is what the device reads.
    #expect(made.contains(#""content-state":{"shareToken":"\#(base64)"}"#))
    #expect(made.contains("sent to \(TokenDigest.digest(of: Self.hex))"))
  }

  @Test("A number in quotes is what the device reads, whatever its unit")
  func quoted() throws {
    for number in ["1795199000000", "1795199000", "0", "-5", "1795199000.5"] {
      let line =
        #"{"time":"2026-11-20T18:00:00Z","url":"/apps/a/live_activities/k/notifications","#
        + #""body":{"event":"update","event_updates":{},"stale_date":"\#(number)"}}"#
      let made = try read(line, as: "onesignal").lines.first
      #expect(made?.contains(#""stale-date":\#(number),"#) == true, "\(number)")
    }
  }

  @Test("A vendor's sentence that holds a word of APNs is no answer of APNs")
  func sentences() throws {
    let start =
      #"{"time":"2026-11-20T18:00:00Z","url":"/apps/a/live_activities/k/notifications","#
      + #""body":{"event":"update","event_updates":{}},"status":400,"response":{"errors":["#
    let sentence = try read(start + #""Unregistered user"]}}"#, as: "onesignal")
    #expect(sentence.lines.count == 2)
    #expect(sentence.lines[0].contains(#""reason""#) == false)
    for text in ["Unregistered", "APNs said: BadDeviceToken."] {
      let answer = try read(start + #""\#(text)"]}}"#, as: "onesignal")
      #expect(answer.lines.count == 1)
      #expect(answer.lines.first?.contains(#""reason":"#) == true)
    }
  }

  @Test("Two tries of a call with an idempotency key are one act, with what both say")
  func tries() throws {
    func line(_ host: String, _ ms: Int) -> String {
      #"{"time":"2026-11-20T18:00:0\#(ms % 10)Z","hostname":"\#(host)","traceId":"t-\#(ms)","#
        + #""durationMs":\#(ms),"orderId":"o-17","request":{"url":"/apps/a/live_activities/k/"#
        + #"notifications","retries":3,"region":"eu","body":{"event":"update","#
        + #""event_updates":{},"idempotency_key":"i-1"}},"response":{"status":201,"id":"\#(ms)"}}"#
    }
    let first = try #require(try read(line("web-1", 11), as: "onesignal").lines.first)
    let second = try #require(try read(line("web-2", 22), as: "onesignal").lines.first)
    #expect(first.replacing("18:00:01", with: "18:00:02") == second)
    #expect(first.contains(#""orderId":"o-17""#) && first.contains(#""region":"eu""#))
  }

  @Test("Times at the ends of what can be counted are refused and never subtracted")
  func extremes() throws {
    let lines = ["-9200000000000", "9200000000000", "-9223372036854775808"].map { seconds in
      #"{"time":{"seconds":\#(seconds)},"message":"m","data":{"tag":"t","live_update":true}}"#
    }
    let read = try read(lines.joined(separator: "\n"), as: "homeassistant")
    #expect(read.lines.isEmpty && read.refused.count == lines.count)
  }

  @Test("A live notification says the same whatever was read before it")
  func pieces() throws {
    let lines = ["08:00", "08:10"].map { time in
      #"{"time":"2026-11-20T\#(time):00Z","message":"m","data":{"tag":"t","live_update":true}}"#
    }
    let whole = try read(lines.joined(separator: "\n"), as: "homeassistant")
    let second = try read(lines[1], as: "homeassistant")
    #expect(whole.lines.count == 2 && whole.lines.last == second.lines.first)
  }

  @Test("A message with a tag is Home Assistant's only where something else says so")
  func tags() {
    let plain = #"{"time":"2026-11-20T18:00:00Z","message":"deployed","data":{"tag":"v1.2"}}"#
    let mailer = #"{"service":"mailer","message":"sent","data":{"tag":"weekly"}}"#
    let notify = #"{"service":"notify.mobile_app_ana","message":"sent","data":{"tag":"door"}}"#
    let likeness = { (line: String) in
      Dialects.named("homeassistant")?.likeness(of: record(line))
    }
    #expect(likeness(plain) == 0)
    #expect(likeness(mailer) == 0)
    #expect(likeness(notify) == 2)
  }
}

import ActivityCore
import ActivityIngest
import Testing

@Suite("Logs of calls to vendors")
struct VendorDialectTests {
  private static let names: Set<String> = [
    "ably", "adobe", "airship", "braze", "customerio", "fcm", "homeassistant", "onesignal",
  ]

  private static let samples = ForeignSample.all.filter { sample in
    sample.given["format"]?.string.map { names.contains($0) } ?? false
  }

  private func record(_ line: String) -> SourceRecord {
    SourceRecord(line: 1, bytes: Array(line.utf8), json: JSONSlice(Array(line.utf8)))
  }

  private func read(_ line: String, as name: String) throws -> ReadSource {
    ReadSource(Array(line.utf8), SourceFormat(try #require(Dialects.named(name))))
  }

  @Test("Events that came from a vendor's calls are lines of ours, and no vendor's")
  func native() throws {
    #expect(Self.samples.count >= 10)
    for sample in Self.samples {
      let lines = String(decoding: try sample.bytes("events.ndjson"), as: UTF8.self)
      for line in lines.split(separator: "\n") {
        let record = record(String(line))
        for name in Self.names {
          #expect(Dialects.named(name)?.likeness(of: record) == 0, "\(name): \(line)")
        }
        #expect(NativeLines.likeness(of: record) > 0)
      }
    }
  }

  @Test("A registration token of Firebase is kept only as a digest")
  func registration() throws {
    for sample in Self.samples {
      let source = try sample.bytes(try #require(sample.given["source"]?.string))
      let made = ReadSource(source, try sample.format(source)).lines.joined(separator: "\n")
      #expect(!made.contains("APA91b"))
      #expect(!made.contains("not-a-real-key") && !made.contains("not_a_real_key"))
      #expect(!made.contains("webhook"))
    }
  }

  @Test("The vendor's status is not that of APNs, unless it hands the reason through")
  func statuses() throws {
    let start =
      #"{"time":"2026-11-20T18:00:00Z","url":"https://rest.braze.com/messages/live_activity/"#
    let body = #"update","body":{"app_id":"a","activity_id":"k","content_state":{}},"status":410,"#
    let gone = try read(start + body + #""response":{"message":"gone"}}"#, as: "braze")
    #expect(gone.lines.count == 2)
    #expect(!gone.lines[0].contains(#""status""#))
    #expect(gone.lines[1].contains(#""event":"failure""#))
    let handed = try read(start + body + #""response":{"message":"Unregistered"}}"#, as: "braze")
    #expect(handed.lines.count == 1)
    #expect(handed.lines[0].contains(#""status":410,"reason":"Unregistered""#))
  }

  @Test("A countdown of absurd length is kept and never added up")
  func countdown() throws {
    for delay in ["9223372036854775807", "-9223372036854775808", "1e300", "\"soon\""] {
      let line =
        #"{"time":"2026-11-20T18:00:00Z","message":"m","data":{"tag":"t","live_update":true,"#
      let read = try read(
        line + #""when":\#(delay),"when_relative":true}}"#, as: "homeassistant")
      #expect(read.lines.count == 1)
      #expect(read.lines.first?.contains(#""when":\#(delay)"#) == true)
      #expect(read.lines.first?.contains("countdown_end") == false)
    }
  }

  @Test("A time without its zone is refused until somebody names one")
  func zone() throws {
    let line = #"{"time":"2026-11-20 18:00:00","activity_id":"k","end_activity":true}"#
    #expect(try read(line, as: "braze").refused == ["1 no-time-zone"])
    var settings = SourceSettings()
    settings.zone = { $0 - 3_600_000_000 }
    let format = SourceFormat(try #require(Dialects.named("braze")), settings: settings)
    let read = ReadSource(Array(line.utf8), format)
    #expect(read.lines.first?.contains("2026-11-20T17:00:00.000000Z") == true)
  }

  @Test("Whatever stands where a body or an answer should, reading goes on")
  func nonsense() throws {
    let values = ["null", "7", "\"{\"", "[]", "[[]]", "{}", "\"text\"", "true"]
    for value in values {
      let record =
        #"{"time":"2026-11-20T18:00:00Z","url":"/apps/a/live_activities/k/notifications","#
        + #""body":\#(value),"response":\#(value),"status":\#(value),"error":\#(value)}"#
      for name in Self.names.sorted() {
        let read = try read(record, as: name)
        #expect(read.lines.count + read.skipped + read.refused.count >= 1, "\(name) \(value)")
      }
    }
  }
}

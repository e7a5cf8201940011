import ActivityCore
import Testing

@Suite("A refused line says where, why and what to do, and leaves no trace")
struct LineRefusalTests: LineSuite {
  @Test(
    "Each reason",
    arguments: [
      (#"{"event":"start""#, 17, "unexpected-end", "The JSON ends too early"),
      (#"hello"#, 1, "unexpected-byte", "one JSON object a line"),
      (#"[1]"#, 1, "not-an-object", "no object"), (#""text""#, 1, "not-an-object", "no object"),
      (#"{"event":"stale","key":"K"} {}"#, 29, "trailing-bytes", "follows the object"),
      ("{\"event\":\"sta\u{0}le\"}", 14, "nul-byte", "NUL byte"),
      ("\u{0}\u{0}\u{0}", 1, "nul-byte", "NUL byte"),
      (#"{"key":"K"}"#, 1, "missing-event", "There is no \"event\""),
      (#"{"event":null,"key":"K"}"#, 1, "missing-event", "There is no \"event\""),
      (#"{"event":7}"#, 10, "wrong-type", "\"event\" has the wrong type; it must be a string."),
      (#"{"event":"","key":"K"}"#, 10, "empty-text", "\"event\" is empty"),
      (#"{"event":"update"}"#, 1, "no-handle", "give activity-id, token, channel or key."),
      (#"{"event":"response","status":200}"#, 1, "no-handle", "or apns-id."),
      (#"{"event":"failure"}"#, 1, "no-handle", "or apns-id."),
      (#"{"event":"state","key":null}"#, 1, "no-handle", "state names no activity"),
      (#"{"event":"token","activity-id":"A"}"#, 1, "missing-member", "token needs \"token\""),
      (#"{"event":"channel"}"#, 1, "missing-member", "channel needs \"channel\""),
      (#"{"event":"work","outcome":"open"}"#, 1, "missing-member", "work needs \"key\""),
      (#"{"event":"coverage"}"#, 1, "missing-member", "coverage needs \"recorder\""),
      (#"{"event":"stale","key":5}"#, 24, "wrong-type", "\"key\" has the wrong type"),
      (#"{"event":"stale","key":"K","device":{}}"#, 37, "wrong-type", "\"device\" has the wrong"),
      (#"{"event":"stale","activity-id":""}"#, 32, "empty-text", "\"activity-id\" is empty"),
      (#"{"event":"update","key":"K","status":"200"}"#, 38, "wrong-type", "a whole number"),
      (#"{"event":"update","key":"K","status":200.5}"#, 38, "not-whole", "\"status\" must be"),
      (#"{"event":"update","key":"K","bytes":1e30}"#, 37, "not-whole", "\"bytes\" must be"),
      (#"{"event":"inventory","complete":1}"#, 33, "wrong-type", "true or false"),
      (#"{"event":"update","key":"K","timestamp":true}"#, 41, "wrong-type", "Unix seconds or"),
      (#"{"event":"update","key":"K","timestamp":"soon"}"#, 41, "bad-time", "is no time"),
      (#"{"event":"update","key":"K","timestamp":"1795197845"}"#, 41, "bad-time", "is no time"),
      (#"{"event":"update","key":"K","timestamp":1e13}"#, 41, "time-out-of-range", "beyond 9.2e12"),
      (#"{"event":"stale","key":"K","at":1795197845000}"#, 33, "time-out-of-range", "milliseconds"),
      (#"{"event":"stale","key":"K","at":"0000-01-01T00:00:00Z"}"#, 33, "bad-time", "no time"),
      (#"{"event":"stale","key":"K","at":-62135596801}"#, 33, "time-out-of-range", "0001–9999"),
      (#"{"event":"stale","key":"K","at":[]}"#, 33, "wrong-type", "\"at\" has the wrong type"),
      (#"{"event":"stale","key":"K","recorded-at":"x"}"#, 42, "bad-time", "\"recorded-at\""),
      (#"{"event":"stale","key":"K","seq":0}"#, 34, "not-whole", "\"seq\" must be"),
      (#"{"event":"stale","key":"K","key":"L"}"#, 28, "repeated-member", "\"key\" stands twice"),
      (#"{"event":"stale","key":"K","k\u0065y":"L"}"#, 28, "repeated-member", "\"key\" stands"),
      (#"{"event":"stale","key":"K","event":"end"}"#, 28, "repeated-member", "\"event\" stands"),
      (#"{"event":"stale","key":"K","at":1,"at":1}"#, 35, "repeated-member", "\"at\" stands"),
      (#"{"event":"inventory","activities":{}}"#, 35, "wrong-type", "an array of objects"),
      (#"{"event":"inventory","activities":["A"]}"#, 36, "wrong-type", "an array of objects"),
      (#"{"event":"inventory","activities":[{}]}"#, 36, "wrong-type", "each with \"activity-id\""),
      (#"{"event":"inventory","activities":[{"activity-id":7}]}"#, 51, "wrong-type", "activity-id"),
      (#"{"event":"state","key":"K","state":{"a":1}}"#, 36, "wrong-type", "a word such as"),
      (
        #"{"event":"stale","token":"1234567890123456","x":1234567890123456}"#, 1,
        "token-not-replaceable", "cannot be replaced"
      ),
    ] as [(String, Int, String, String)])
  func reasons(line: String, column: Int, code: String, sentence: String) throws {
    let found = try #require(refusal(line))
    #expect(found.line == 3)
    #expect(found.column == column)
    #expect(found.reason.code == code)
    #expect(found.reason.sentence.contains(sentence), "\(found.reason.sentence)")
  }

  @Test("Bytes that are not UTF-8 are refused at their column")
  func notUTF8() {
    let line = Array(#"{"event":"stale","key":""#.utf8) + [0xC3, 0x28, 0x22, 0x7D]
    #expect(refusal(line)?.column == 25)
    #expect(refusal(line)?.reason == .notJSON(.invalidUTF8))
  }

  @Test("A line of 10 MB is refused, and so is a payload over 4 MiB")
  func long() {
    let head = Array(#"{"event":"stale","key":"K","x":""#.utf8)
    for length in [10 << 20, 4 << 20] {
      let line = head + [UInt8](repeating: 0x61, count: length) + Array("\"}".utf8)
      #expect(refusal(line)?.reason == .lineTooLong)
    }
    #expect(LineRefusal.Reason.lineTooLong.sentence.contains("4 MiB"))
  }

  @Test("A lifted text over 4 096 bytes and an inventory over 4 096 entries are refused")
  func longParts() {
    let text = String(repeating: "k", count: 4_097)
    #expect(refusal(#"{"event":"stale","key":"\#(text)"}"#)?.reason == .textTooLong(member: "key"))
    let entries = (0..<4_097).map { #"{"activity-id":"\#($0)"}"# }.joined(separator: ",")
    #expect(
      refusal(#"{"event":"inventory","activities":[\#(entries)]}"#)?.reason == .inventoryTooLong)
  }

  @Test("A restore takes only lines that export wrote")
  func restore() {
    let whole = #"{"seq":1,"recorded-at":1,"event":"stale","key":"K"}"#
    #expect(refusal(whole, restoring: true) == nil)
    let noSeq = #"{"recorded-at":1,"event":"stale","key":"K"}"#
    #expect(refusal(noSeq, restoring: true)?.reason == .notExported(member: "seq"))
    let noTime = #"{"seq":1,"event":"stale","key":"K"}"#
    #expect(refusal(noTime, restoring: true)?.reason == .notExported(member: "recorded-at"))
  }

  @Test("White space alone is no line", arguments: ["", " ", "\t\r\n "])
  func blank(line: String) {
    var reader = LineReader()
    #expect(reader.read(Array(line.utf8)[...], number: 1) == .blank)
  }

  @Test("A line cut anywhere or with any bit flipped never crashes")
  func mutations() {
    var reader = LineReader()
    for line in LineSamples.everyKind + LineSamples.oddSpellings {
      let bytes = Array(line.utf8)
      for length in 1..<bytes.count {
        let outcome = reader.read(bytes[..<length], number: 1)
        guard case .refused = outcome else {
          Issue.record("taken when cut at \(length): \(line)")
          continue
        }
      }
      for bit in stride(from: 0, to: bytes.count * 8, by: 3) {
        var flipped = bytes
        flipped[bit / 8] ^= UInt8(1 << (bit % 8))
        _ = reader.read(flipped[...], number: 1)
      }
    }
    let taken = stamped(reader.finish())
    let first = export(taken)
    #expect(!first.contains("lost") && first.count > 1_000)
    #expect(export(batch(first, restoring: true)) == first)
  }
}

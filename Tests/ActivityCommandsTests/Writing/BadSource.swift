import ActivityCommands
import Testing

/// A file of a shape that people really have, what is said of it, and what is taken from it.
struct BadSource: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var bytes: [UInt8]
  /// Behind the file on the command line of `ingest`.
  var words: [String] = []
  var status = ActivityCommands.ExitStatus.fine
  /// Each of these stands somewhere on standard error.
  var says: [String] = []
  /// Events recorded.
  var events: Int

  init(
    _ what: String, _ bytes: [UInt8], _ words: [String] = [],
    _ status: ActivityCommands.ExitStatus = .fine,
    says: [String] = [], events: Int
  ) {
    testDescription = what
    (self.bytes, self.words, self.status) = (bytes, words, status)
    (self.says, self.events) = (says, events)
  }

  init(
    _ what: String, _ text: String, _ words: [String] = [],
    _ status: ActivityCommands.ExitStatus = .fine,
    says: [String] = [], events: Int
  ) {
    self.init(what, Array(text.utf8), words, status, says: says, events: events)
  }

  static let all = laidOut + tables + others + refused + told

  // MARK: What sources are made of

  static func line(_ number: Int) -> String {
    #"{"event":"update","activity-id":"A-\#(number)","at":"2026-11-20T17:0\#(number % 10):00Z"}"#
  }

  static func lines(_ range: ClosedRange<Int>) -> [String] { range.map { line($0) } }

  /// As a server logs a push to APNs.
  static func push(_ number: Int) -> String {
    #"{"time":"2026-11-20T17:0\#(number % 10):00Z","device_token":"\#(token(number))","#
      + #""headers":{"apns-push-type":"liveactivity","apns-id":"id-\#(number)"},"payload":"#
      + #"{"aps":{"event":"update","timestamp":179519940\#(number % 10),"content-state":"#
      + #"{"n":\#(number)}}},"status":200}"#
  }

  static func vendor(_ number: Int) -> String {
    #"{"url":"https://api.onesignal.com/apps/a/live_activities/A-\#(number)/notifications","#
      + #""method":"POST","at":"2026-11-20T17:0\#(number):00Z","body":{"event":"update","#
      + #""event_updates":{"n":\#(number)},"name":"n"},"status":201}"#
  }

  private static func token(_ number: Int) -> String {
    String(repeating: "ab", count: 31) + (number % 256 < 16 ? "0" : "")
      + String(number % 256, radix: 16)
  }

  private static func ended(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

  private static func wide(_ text: String) -> [UInt8] {
    [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  // MARK: Cases

  private static let laidOut: [BadSource] = [
    BadSource(
      "half a document", line(1) + "\n" + line(2).dropLast(9), [], .damage,
      says: ["in:2:", "The JSON ends too early", "refused 1"], events: 1),
    BadSource(
      "half an array", "[\n  " + push(1) + ",\n  " + push(2).dropLast(30), [], .damage,
      says: ["read as apns, 1 of 1 record", "in:3:", "ends too early"], events: 1),
    BadSource("objects without newlines", lines(1...4).joined(), says: ["refused 0"], events: 4),
    BadSource(
      "an array on one line", "[" + (1...4).map(push).joined(separator: ",") + "]",
      says: ["read as apns, 4 of 4 records"], events: 4),
    BadSource(
      "an array on one line of 5 MB",
      "["
        + (1...6).map { number in
          push(number).replacing(#"{"n""#, with: #"{"x":"\#(blob)","n""#)
        }.joined(separator: ",") + "]", ["--format", "apns"], says: ["refused 0"], events: 6),
    BadSource(
      "an object of 5 MB between others",
      ended([
        push(1),
        push(3).replacing(#"{"n""#, with: #"{"x":"\#(blob)\#(blob)\#(blob)\#(blob)\#(blob)","n""#),
        push(2),
      ]), [],
      .damage, says: ["in:2:", "The line holds more than 4 MiB"], events: 2),
    BadSource("CR before LF", lines(1...3).joined(separator: "\r\n") + "\r\n", events: 3),
    BadSource("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(ended([push(1)]).utf8), events: 1),
    BadSource("UTF-16", wide(ended([push(1), push(2)])), says: ["2 of 2"], events: 2),
    BadSource(
      "UTF-16 in gzip", gzip(wide(ended([push(1), push(2)]))), says: ["2 of 2"], events: 2),
    BadSource(
      "gzip cut off", gzip(Array(ended(lines(1...3)).utf8)).dropLast(20), [], .damage,
      says: ["the gzip data ends before its own end"], events: 2),
    BadSource(
      "banner and trailer lines", "Filtering the log\n" + ended([push(1)]) + "Total 1\n",
      says: ["1 of 3 records", "skipped 2"], events: 1),
    BadSource(
      "records behind RS", lines(1...3).map { "\u{1E}" + $0 + "\n" }.joined(), says: ["refused 0"],
      events: 3),
    BadSource(
      "nesting too deep",
      ended([
        push(1),
        String(repeating: #"{"a":"#, count: 600) + "1"
          + String(repeating: "}", count: 600),
      ]), [], .damage,
      says: ["in:2:", "nested deeper than 512 levels"], events: 1),
    BadSource(
      "a NUL in a record", ended([line(1), line(2).replacing("A-", with: "A\0")]), [],
      .damage, says: ["in:2:", "There is a NUL byte"], events: 1),
  ]

  private static let blob = String(repeating: "x", count: 900_000)

  private static let header = "order_id,activity_id,event,at\n"

  private static let tables: [BadSource] = [
    BadSource("a header and no rows", header, says: ["refused 0"], events: 0),
    BadSource(
      "a line of words above a table",
      "Export of today\n" + header
        + "7,A,update,2026-11-20T17:00:00Z\n", says: ["read as csv", "skipped 1"], events: 1),
    BadSource(
      "rows that do not fit", header + "7,A,update,2026-11-20T17:00:00Z\n7,A\n7,\"A\n", [],
      .damage, says: ["in:3:1: The row has fewer", "in:4:1: A quote is opened"], events: 1),
    BadSource(
      "a hole of zeros between rows",
      header + "7,A,end,2026-11-20T17:00:00Z\n\0\0\0\n8,B,end,2026-11-20T17:00:00Z\n", [], .damage,
      says: ["in:3:1: There is a NUL byte", "refused 1"], events: 2),
    BadSource(
      "semicolons", header.replacing(",", with: ";") + "7;A;end;2026-11-20T17:00:00Z\n",
      says: ["read as csv"], events: 1),
  ]

  private static let others: [BadSource] = [
    BadSource("nothing", "", says: ["in: it is empty"], events: 0),
    BadSource("blank lines", "\n \n\r\n\n", says: ["recorded 0 events, refused 0"], events: 0),
    BadSource(
      "two dialects in one file", ended([vendor(1), vendor(2), push(3)]),
      says: ["2 of 3 records (1 is apns: take it too, by --format apns)", "skipped 1"], events: 2),
    BadSource(
      "times that contradict each other",
      ended([
        push(1).replacing("2026", with: "1999"), push(2).replacing("2026", with: "9998"),
        push(3).replacing("1795199403", with: "1795199403123"),
      ]), says: ["recorded 3"], events: 3),
    BadSource(
      "times without a zone", ended([push(1).replacing(":00Z", with: ":00")]), [], .damage,
      says: ["names no zone; say which one with --tz"], events: 0),
    BadSource(
      "times without a zone, and the zone", ended([push(1).replacing(":00Z", with: ":00")]),
      ["--tz", "+01:00"], events: 1),
    BadSource(
      "an unknown vendor", ended((1...7).map { #"{"op":"bump","who":"\#($0)"}"# }), [],
      .damage,
      says: [
        #"in:5:1: There is no "event""#, "7 lines refused: missing-event",
        "in: in no form that is recognised",
      ], events: 0),
    BadSource(
      "an array of an unknown vendor", #"[{"op":"bump"},{"op":"done"}]"#, [], .damage,
      says: [#"There is no "event""#, "refused 2", "in no form that is recognised"], events: 0),
    BadSource(
      "a page of HTML", "<!DOCTYPE html>\n<html>502</html>\n", [], .damage,
      says: ["in:1:1: ", "in no form that is recognised"], events: 0),
  ]

  private static let refused: [BadSource] = [
    BadSource(
      "zeros", [UInt8](repeating: 0, count: 10_000), [], .couldNotRun,
      says: ["the input is binary", "tr -d '\\000' < in | activitylog ingest LOG -"], events: 0),
    BadSource(
      "tracev3", [0, 0x10, 0, 0, 0x11, 0, 0, 0, 0xD0] + [UInt8](repeating: 0, count: 99),
      [], .couldNotRun, says: ["a binary unified log (tracev3)", "log show --archive"], events: 0),
    BadSource(
      "a zip archive", [0x50, 0x4B, 3, 4, 20, 0], [], .couldNotRun,
      says: ["a zip archive", "unzip -p in"], events: 0),
  ]

  private static let told: [BadSource] = [
    BadSource(
      "told to be what it is not", ended([push(1)]), ["--format", "oslog"],
      says: ["nothing at its beginning is oslog", "looks like apns: leave --format away"],
      events: 0),
    BadSource(
      "a constant that only the log has", line(1), ["--set", "seq=5"], .couldNotRun,
      says: ["--set: seq is the log's own"], events: 0),
    BadSource(
      "one id for all", ended(lines(1...2)), ["--set", "id=x"], .couldNotRun,
      says: ["--set: id is each event's own"], events: 0),
    BadSource(
      "no zone", line(1), ["--tz", "Mars/Base"], .couldNotRun,
      says: ["--tz takes an offset", "try: TZ=Mars/Base and --tz local"], events: 0),
    BadSource(
      "a map that is no file", line(1), ["--map", "/nowhere"], .couldNotRun,
      says: ["/nowhere: cannot open"], events: 0),
  ]
}

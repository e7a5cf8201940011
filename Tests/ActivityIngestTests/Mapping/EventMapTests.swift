import ActivityCore
import ActivityIngest
import Foundation
import Testing

/// What a source gives by a map: event lines without their ids, and what was not taken.
private func read(
  _ source: String, by map: String, zone: Int64? = nil
) throws -> (lines: [String], skipped: Int, refused: [String]) {
  var settings = SourceSettings()
  if let zone { settings.zone = { $0 + zone } }
  let format = SourceFormat.mapped(try EventMap(Array(map.utf8)), settings: settings)
  let read = ReadSource(Array(source.utf8), format)
  return (read.lines.map { plain($0) }, read.skipped, read.refused)
}

/// A line without `id` and `recorder`.
private func plain(_ line: String) -> String {
  let members = JSONSlice(Array(line.utf8))?.members ?? []
  return members.filter { $0.name != "id" && $0.name != "recorder" }
    .map { "\($0.name)=\($0.value.spelling)" }.joined(separator: " ")
}

@Suite("A map makes events of anybody's records")
struct EventMapTests {
  private let time = #"at="2026-11-20T18:00:00.000000Z""#

  @Test("A map with a format alone means that dialect")
  func formatAlone() throws {
    let map = try EventMap(Array(#"{"format":"ndjson"}"#.utf8))
    #expect(map.format == "ndjson")
    #expect(SourceFormat.mapped(map).dialect.name == "ndjson")
  }

  @Test("Every clause that fits gives an event, and none is a skip")
  func clauses() throws {
    let map = #"""
      {"format":"json","rows":[
        {"when":{"/a":"*"},"set":{"event":"work","outcome":"open"},"take":{"/k":"key","/a":"at"}},
        {"when":{"/b":"*"},"set":{"event":"work","outcome":"finished"},
         "take":{"/k":"key","/b":"at"}}
      ]}
      """#
    let both = #"{"k":1,"a":1795197600,"b":"2026-11-20T18:00:00Z"}"#
    let got = try read("\(both)\n{\"k\":2,\"a\":null,\"b\":\"\"}\nno json\n", by: map)
    #expect(
      got.lines == [
        #"event="work" outcome="open" key="1" \#(time)"#,
        #"event="work" outcome="finished" key="1" \#(time)"#,
      ])
    #expect(got.skipped == 2 && got.refused.isEmpty)
  }

  @Test(
    "A condition is a text with stars, a number, a truth, absence, or one of several",
    arguments: [
      (#""push*""#, #""PUSH_SENT""#, true), (#""push*""#, #""a push""#, false),
      (#""*""#, "0", true), (#""*""#, "null", false), (#""*""#, #""""#, false),
      (#""*b*b*c""#, #""abbbbc""#, true), (#""*b*b*c""#, #""abc""#, false),
      ("200", "200.0", true), ("200", #""200""#, true), ("200", "201", false),
      ("true", "true", true), ("true", #""true""#, true), ("true", "1", false),
      ("null", "null", true), ("null", #""""#, true), ("null", "0", false),
      (#"["a","b",null]"#, #""b""#, true), (#"["a","b",null]"#, "null", true),
      (#"["a","b"]"#, #""c""#, false),
    ])
  func conditions(condition: String, value: String, fits: Bool) throws {
    let map =
      #"{"format":"json","rows":[{"when":{"/v":\#(condition)},"set":{"event":"stale","key":"K"}}]}"#
    let got = try read("{\"v\":\(value)}\n", by: map)
    #expect(got.lines.count == (fits ? 1 : 0) && got.skipped == (fits ? 0 : 1))
  }

  @Test("Paths lead through texts that hold JSON, over any name and any number of levels")
  func paths() throws {
    let map = #"""
      {"format":"json","rows":[{"set":{"event":"update","key":"K"},"take":{
        "/body/aps/content-state":"content-state","/**/deep":"deep","/list/1/x":"second",
        "/a~1b/~0":"escaped","/h*/x-id":"header","/body/aps/tim*":"*"}}]}
      """#
    let source =
      #"{"body":"{\"aps\":{\"content-state\":{\"n\": 2e1},\"timestamp\":7}}","#
      + #""list":[{"x":1},{"x":"two"}],"a/b":{"~":true},"headers":{"x-id":9},"#
      + #""m":{"n":"[{\"deep\":1.50}]"}}"#
    let got = try read(source, by: map)
    #expect(
      got.lines == [
        #"event="update" key="K" content-state={"n": 2e1} deep=1.50 second="two" escaped=true "#
          + "header=9 timestamp=7"
      ])
  }

  @Test("What is set wins over what is taken, and of two takes the first that says something")
  func order() throws {
    let map = #"""
      {"format":"json","rows":[{"set":{"event":"update","source":"push"},
        "take":{"/aps/*":"*","/order":"key","/cart":"key","/source":"source"}}]}
      """#
    let got = try read(
      #"{"aps":{"event":"end","mine":[1, 2]},"order":"","cart":"C","source":"app"}"#, by: map)
    #expect(got.lines == [#"event="update" source="push" mine=[1, 2] key="C""#])
  }

  @Test("Words become ours, and a word without one stays what it was")
  func words() throws {
    let map = #"""
      {"format":"json","rows":[{"take":{"/e":"event","/k":"key","/s":"status"},
        "values":{"event":{"created":"start","chang*":"update"},"status":{"ok":200,"*":null}}}]}
      """#
    let got = try read(
      """
      {"e":"Created","k":"1","s":"OK"}
      {"e":"changing","k":"1","s":"lost"}
      {"e":"glow","k":"1"}
      """, by: map)
    #expect(
      got.lines == [
        #"event="start" key="1" status=200"#, #"event="update" key="1""#,
        #"event="glow" key="1""#,
      ])
  }

  @Test("A join gives request and answer one apns-id; the real one is kept as text")
  func join() throws {
    let map = #"""
      {"format":"json","rows":[
        {"when":{"/t":"req"},"set":{"event":"end"},"take":{"/k":"key"},"join":"/rid"},
        {"when":{"/t":"ans"},"set":{"event":"response"},"take":{"/id":"apns-id","/c":"status"},
         "join":"/rid"}]}
      """#
    let token = String(repeating: "ab12", count: 16)
    let got = try read(
      """
      {"t":"req","rid":17,"k":"K"}
      {"t":"ans","rid":17,"id":"REAL","c":410}
      {"t":"ans","id":"ALONE","c":200}
      {"t":"ans","rid":"\(token)","c":200}
      """, by: map)
    #expect(
      got.lines.prefix(3) == [
        #"event="end" apns-id="join:17" key="K""#,
        #"event="response" apns-id="join:17" status=410 raw={"apns-id":"REAL"}"#,
        #"event="response" apns-id="ALONE" status=200"#,
      ])
    #expect(!got.lines[3].contains(token) && got.lines[3].contains("join:sha256:"))
  }

  @Test("Dates of content in another unit become Unix seconds; how they were spelled is kept")
  func units() throws {
    let map = #"""
      {"format":"json","rows":[{"set":{"event":"end"},"take":{"/k":"key","/d":"dismissal-date",
        "/s":"stale-date","/t":"timestamp"},"convert":{"dismissal-date":"milliseconds",
        "stale-date":"since2001","timestamp":"rfc3339"}}]}
      """#
    let got = try read(
      #"{"k":"K","d":1795201320500,"s":816890400,"t":"2026-11-20T18:00:00Z"}"#
        + "\n{\"k\":\"K\",\"d\":\"soon\"}\n{\"k\":\"K\",\"t\":\"2026-11-20 18:00:00\"}\n", by: map)
    #expect(
      got.lines == [
        #"event="end" key="K" dismissal-date=1795201320.5 stale-date=1795197600 "#
          + #"timestamp=1795197600 raw={"dismissal-date":"1795201320500","#
          + #""stale-date":"816890400","timestamp":"2026-11-20T18:00:00Z"}"#
      ])
    #expect(got.refused == ["2 bad-time", "3 no-zone"])
  }

  @Test("A time without zone is read in the caller's, else the map's, else refused")
  func zones() throws {
    func map(_ zone: String) -> String {
      #"{"format":"json",\#(zone)"rows":[{"set":{"event":"stale","key":"K"},"take":{"/t":"at"}}]}"#
    }
    let source = #"{"t":"2026-11-20 19:00:00"}"#
    #expect(try read(source, by: map("")).refused == ["1 no-zone"])
    let east = #""zone":"+01:00","#
    #expect(try read(source, by: map(east)).lines == [#"event="stale" key="K" \#(time)"#])
    let told = try read(source, by: map(east), zone: -7_200_000_000).lines
    #expect(told == [#"event="stale" key="K" at="2026-11-20T17:00:00.000000Z""#])
    #expect(try read(#"{"t":"soon"}"#, by: map(east)).refused == ["1 bad-time"])
    #expect(try read("{}", by: map(east)).refused == ["1 no-time"])
  }

  @Test("What nothing took is kept only where the map says so, and never what may be a token")
  func rest() throws {
    let token = String(repeating: "0f", count: 32)
    let source =
      #"{"k":"K","note":"n","phone":"1","in":{"taken":1,"left":2},"url":"/3/device/\#(token)","#
      + #""seq":4,"body":"{\"taken\":1,\"left\":[\"\#(token)\"],\"also\":2.0}"}"#
    func map(_ keep: Bool) -> String {
      #"{"format":"json","rows":[{"set":{"event":"stale"},"keep":\#(keep),"#
        + #""take":{"/k":"key","/in/taken":"a","/body/taken":"b"}}]}"#
    }
    #expect(try read(source, by: map(false)).lines == [#"event="stale" key="K" a=1 b=1"#])
    #expect(
      try read(source, by: map(true)).lines == [
        #"event="stale" key="K" a=1 b=1 note="n" phone="1" in={"left":2} body={"also":2.0} "#
          + #"rest={"seq":4}"#
      ])
  }

  @Test("Every map in the documentation is one")
  func documentation() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "Sources/ActivityIngest/ActivityIngest.docc/Mapping.md"),
      encoding: .utf8)
    let blocks = page.components(separatedBy: "```json\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
    #expect(blocks.count == 4)
    for block in blocks {
      let isWhole = block.contains(#""format""#)
      let map = isWhole ? block : #"{"format":"json","rows":[\#(block)]}"#
      // The dialect that the page begins with may come later than this module's own.
      if map.contains(#""apns""#), Dialects.named("apns") == nil { continue }
      #expect(throws: Never.self) { _ = try EventMap(Array(map.utf8)) }
    }
  }

  @Test("A record that would give thousands of members is refused")
  func many() throws {
    let map =
      #"{"format":"json","rows":[{"set":{"event":"stale","key":"K"},"take":{"/m/*":"*"}}]}"#
    let members = (0...2_000).map { #""x\#($0)":1"# }.joined(separator: ",")
    #expect(try read("{\"m\":{\(members)}}", by: map).refused == ["1 too-many-members"])
  }

  @Test("Work is known by what it says, so a table exported again adds nothing")
  func workIds() throws {
    let map = try EventMap(
      Array(
        (#"{"format":"csv","rows":[{"set":{"event":"work","outcome":"open"},"#
          + #""take":{"/id":"key","/t":"at"}}]}"#).utf8))
    let first = ReadSource(Array("id,t,n\n1,1795197600,a\n".utf8), .mapped(map))
    let again = ReadSource(Array("id,t,n\n1,1795197600,b\n2,1795197601,c\n".utf8), .mapped(map))
    #expect(again.lines.count == 2 && again.lines.first == first.lines.first)
  }

  @Test(
    "A mistake in a map is one line: what, where, what to do",
    arguments: [
      ("[]", "", "must be an object"), ("{", "", "line 1, column 2"),
      ("{}", "", "has no format"), (#"{"format":"smoke"}"#, "/format", "ndjson"),
      (#"{"format":"ndjson","rows":[{"set":{"event":"end"}}]}"#, "/format", "json or csv"),
      (#"{"format":"csv","rows":[]}"#, "/rows", "at least one"),
      (#"{"format":"csv","filter":1}"#, "/filter", "format, note, rows, zone"),
      (#"{"format":"csv","zone":"Europe/Berlin"}"#, "/zone", "--tz"),
      (#"{"format":"csv","format":"csv"}"#, "/format", "twice"),
      (#"{"format":"csv","rows":[7]}"#, "/rows/0", "object"),
      (#"{"format":"csv","rows":[{"take":{"/k":"key"}}]}"#, "/rows/0", "no kind"),
      (#"{"format":"csv","rows":[{"take":{"k":"*"}}]}"#, "/rows/0/take/k", "slash"),
      (#"{"format":"csv","rows":[{"take":{"/a~b":"*"}}]}"#, "/rows/0/take/~1a~0b", "~0"),
      (#"{"format":"csv","rows":[{"take":{"/**":"*"}}]}"#, "/rows/0/take/~1**", "once"),
      (#"{"format":"csv","rows":[{"take":{"/a":7}}]}"#, "/rows/0/take/~1a", "name the member"),
      (#"{"format":"csv","rows":[{"take":{"/a":"seq"}}]}"#, "/rows/0/take/~1a", "log itself"),
      (#"{"format":"csv","rows":[{"set":{"raw":1}}]}"#, "/rows/0/set/raw", "log itself"),
      (#"{"format":"csv","rows":[{"when":{"/a":{}}}]}"#, "/rows/0/when/~1a", "null for absent"),
      (#"{"format":"csv","rows":[{"when":{"/a":[]}}]}"#, "/rows/0/when/~1a", "empty"),
      (#"{"format":"csv","rows":[{"join":"id"}]}"#, "/rows/0/join", "slash"),
      (#"{"format":"csv","rows":[{"keep":1}]}"#, "/rows/0/keep", "true or false"),
      (
        #"{"format":"csv","rows":[{"take":{"/a":"*"},"convert":{"at":"rfc3339"}}]}"#,
        "/rows/0/convert/at", "not needed"
      ),
      (
        #"{"format":"csv","rows":[{"take":{"/a":"*"},"convert":{"stale-date":"ms"}}]}"#,
        "/rows/0/convert/stale-date", "milliseconds, rfc3339, since2001"
      ),
      (
        #"{"format":"csv","rows":[{"set":{"event":"end"},"values":{"key":{"a":"b"}}}]}"#,
        "/rows/0/values/key", "nothing takes"
      ),
    ])
  func mistakes(map: String, pointer: String, words: String) {
    let error = #expect(throws: MapError.self) { _ = try EventMap(Array(map.utf8)) }
    #expect(error?.pointer == pointer)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }
}

import ActivityCore
import Testing

@Suite("Lines become columns")
struct LineReaderTests: LineSuite {
  private let raw = "00ff10abfbefbe00ff10abfbefbe00ff10abfbefbe00ff10abfbefbe"

  @Test("What a line says is in its row")
  func facts() throws {
    let row = try self.row(LineSamples.everyKind[0])
    #expect(row.kind == .start && row.kindWord == "start")
    #expect(row.at == Timestamp(seconds: 1_795_197_845) && row.recordedAt == nil)
    #expect(row.activityID == "A" && row.key == "K" && row.token == nil && row.channel == nil)
    #expect(row.environment == "production" && row.bundleID == "com.x" && row.device == "phone")
    #expect(row.text(.attributesType) == "Order" && row.text(.build) == "413")
    #expect(row.text(.id) == "i-1" && row.text(.style) == "standard")
    #expect(row.instant(.startDate) == Timestamp(seconds: 1_795_197_900))
    #expect(row.flags == [.alert, .content, .attributes])
    #expect(row["content-state"]?[pointer: "/s"]?.string == "a b")
    #expect(row["relevance-score"]?.spelling == "75.5" && row["nothing"] == nil)
  }

  @Test("An unknown kind lifts what every kind has and keeps the rest")
  func unknown() throws {
    let row = try self.row(LineSamples.everyKind[15])
    #expect(row.kind == .unknown && row.kindWord == "teleport" && row.key == "K")
    #expect(row.value(.timestamp) == nil && row.value(.status) == nil)
    #expect(
      row.payload?.spelling
        == #"{"event":"teleport","timestamp":20,"status":2e2,"anything":[{"a" : 1}]}"#)
  }

  @Test("The first handle is the subject, in the order activity-id, token, channel, key")
  func handles() {
    let columns = batch([
      #"{"event":"update","key":"K","channel":"C","token":"t","activity-id":"A"}"#,
      #"{"event":"update","key":"K","channel":"C","token":"t"}"#,
      #"{"event":"update","key":"K","channel":"C"}"#, #"{"event":"update","key":"K"}"#,
      #"{"event":"authorization","enabled":true}"#,
      #"{"event":"update","key":"K","device":"d"}"#,
    ])
    let kinds = columns.subject.map { columns.subjects.kind[Int($0)] }
    #expect(kinds == [.activity, .token, .channel, .key, .app, .key])
    #expect(columns.subjects.ordinals == Array(0..<Int32(columns.subjects.count)))
    #expect(columns.subjects.count == 6)
    #expect(columns.subject[3] != columns.subject[5], "another device is another subject")
    #expect(columns.value(.token, 0) == Int64(columns.subject[1]))
    #expect(columns.value(.key, 0) == Int64(columns.subject[3]))
    #expect(columns.value(.token, 1) == nil && columns.value(.key, 3) == nil)
    #expect(columns.subjects.name[Int(columns.subject[4])] == -1)
  }

  @Test("at is RFC 3339 or seconds, else the line's recorded-at, else absent")
  func times() {
    let lines = [
      #"{"event":"stale","key":"K","at":1795197845.25,"recorded-at":5,"seq":9}"#,
      #"{"event":"stale","key":"K","at":"2026-11-20T18:04:05.25Z"}"#,
      #"{"event":"stale","key":"K","recorded-at":"2026-11-20T18:04:05Z"}"#,
      #"{"event":"stale","key":"K","at":null}"#,
    ]
    let columns = batch(lines)
    #expect(
      columns.at == [
        1_795_197_845_250_000, 1_795_197_845_250_000, 1_795_197_845_000_000, EventColumns.absent,
      ])
    #expect(
      columns.recordedAt == [
        5_000_000, EventColumns.absent, 1_795_197_845_000_000, EventColumns.absent,
      ])
    #expect(columns.statedSeq.isEmpty)
    #expect(payload(columns) == ["{}", "{}", "{}", "{}"])
  }

  @Test("A raw token stays nowhere on the line")
  func tokens() {
    let upper = raw.uppercased()
    let columns = batch([
      #"{"event":"token","token":"\#(raw)","key":"order \#(raw)","id":"\#(raw)","x":"\#(upper)","#
        + #""y":{"\#(raw)":["a/\#(raw)/b"]},"input-push-token":"deadbeefdeadbeefdeadbeefdeadbeef","#
        + #""z":"deadbeefdeadbeefdeadbeefdeadbeef","t\u006fken-kind":"update"}"#
    ])
    let digest = TokenDigest.digest(of: raw)
    let other = TokenDigest.digest(of: "deadbeefdeadbeefdeadbeefdeadbeef")
    let line = export(columns, stamped: false)[0]
    #expect(!line.lowercased().contains(raw) && !line.contains("deadbeefdead"))
    #expect(
      line == #"{"event":"token","token":"\#(digest)","key":"order \#(digest)","id":"\#(digest)","#
        + #""x":"\#(digest)","y":{"\#(digest)":["a/\#(digest)/b"]},"input-push-token":"\#(other)","#
        + #""z":"\#(other)","t\u006fken-kind":"update"}"#)
  }

  @Test("A short token is replaced where it is a whole value, and a tiny one only as a token")
  func shortTokens() {
    let short = TokenDigest.digest(of: "token-one")
    let tiny = TokenDigest.digest(of: "t1")
    let lines = export(
      batch([
        #"{"event":"update","token":"token-one","x":"token-one","y":"my token-one","token-one":1}"#,
        #"{"event":"update","token":"t1","key":"t1","x":"t1"}"#,
      ]), stamped: false)
    #expect(
      lines[0]
        == #"{"event":"update","token":"\#(short)","x":"\#(short)","#
        + #""y":"my token-one","token-one":1}"#
    )
    #expect(lines[1] == #"{"event":"update","token":"\#(tiny)","key":"t1","x":"t1"}"#)
  }

  @Test("A token with escapes is replaced in both spellings")
  func escapedToken() {
    let columns = batch([
      #"""
      {"event":"update","token":"AP8Qq\/vvvgAA\/wAAAA==","x":["AP8Qq\/vvvgAA\/wAAAA==",\#
      "AP8Qq/vvvgAA/wAAAA=="]}
      """#
    ])
    let digest = TokenDigest.digest(of: "AP8Qq/vvvgAA/wAAAA==")
    #expect(payload(columns) == [#"{"x":["\#(digest)","\#(digest)"]}"#])
  }

  @Test("Size of attributes and content-state is kept from 1 000 bytes on, for content acts")
  func sizes() {
    func line(_ kind: String, _ length: Int) -> String {
      let filler = String(repeating: "x", count: length - 4)
      return #"{"event":"\#(kind)","key":"K","attributes":{},"content-state":"\#(filler)"}"#
    }
    let columns = batch([
      line("start", 999), line("start", 1_000), line("state", 5_000), line("end", 4_097),
    ])
    #expect(columns[.contentBytes] == [EventColumns.absent, 1_000, EventColumns.absent, 4_097])
  }

  @Test("A null alert or content is no alert and no content")
  func nulls() throws {
    let row = try self.row(
      #"{"event":"update","key":"K","alert":null,"content-state":null,"attributes":null}"#)
    #expect(row.flags == [])
    #expect(row["alert"] == nil && row.payload?["alert"]?.type == .null)
  }

  @Test("An inventory's list is in entries and in the payload")
  func inventory() {
    let columns = batch([
      LineSamples.everyKind[4], LineSamples.everyKind[7],
      #"""
      {"event":"inventory","device":"phone","activities":[{"activity-id":"A",\#
      "state":{"ended":{}}}]}
      """#,
      #"{"event":"inventory","activities":null}"#, #"{"event":"inventory","activities":[]}"#,
    ])
    let all = rows(columns)
    #expect(all[1].inventory.map(\.activityID) == ["A", "B"])
    #expect(all[1].inventory.map(\.state) == ["active", nil])
    #expect(all[2].inventory.map(\.state) == ["ended"])
    #expect(all[0].inventory.isEmpty && all[3].inventory.isEmpty && all[4].inventory.isEmpty)
    #expect(columns.inventory[0].subject == columns.inventory[2].subject)
    #expect(columns.inventory[0].subject != columns.subject[0], "the scope has a device")
    #expect(all[1]["activities"]?.elements.count == 2)
  }

  @Test("State words are read in any case and as Swift codes its enum")
  func states() {
    let columns = batch(Array(LineSamples.oddSpellings[11...13]))
    #expect((0..<3).map { columns.text(.state, $0) } == ["active", "active", "weird"])
    #expect(payload(columns) == [#"{"state":"Active"}"#, #"{"state":{"active":{}}}"#, "{}"])
  }

  @Test("Batches start afresh and equal texts and subjects have one code")
  func batches() {
    var reader = LineReader()
    for _ in 0..<3 {
      for number in 0..<200 {
        let line = #"{"event":"update","activity-id":"A\#(number % 100)","source":"push"}"#
        #expect(reader.read(Array(line.utf8)[...], number: 1) == .row)
      }
      #expect(reader.rowCount == 200 && reader.payloadByteCount == 600)
      let columns = reader.finish()
      #expect(columns.subjects.count == 100 && columns.texts.count == 101)
      #expect(columns.subject == (0..<200).map { Int32($0 % 100) })
    }
  }

  @Test("A batch takes 65 536 rows and 4 MiB of payload, then asks to be finished")
  func limits() {
    var reader = LineReader()
    let small = Array(#"{"event":"stale","key":"K"}"#.utf8)[...]
    for _ in 0..<65_536 { #expect(reader.read(small, number: 1) == .row) }
    #expect(reader.isFull && reader.read(small, number: 1) == .full)
    #expect(reader.finish().count == 65_536)
    let filler = String(repeating: "x", count: 3 << 20)
    let large = Array(#"{"event":"stale","key":"K","x":"\#(filler)"}"#.utf8)[...]
    #expect(reader.read(large, number: 1) == .row)
    #expect(reader.isFull && reader.read(large, number: 1) == .full)
    #expect(reader.read(small, number: 1) == .row)
    #expect(reader.finish().count == 2)
  }
}

import ActivityCore
import Testing

@Suite("Export and restore are inverse")
struct LineRoundTripTests: LineSuite {
  @Test(
    "Every kind exports, restores and exports to the same bytes", arguments: LineSamples.everyKind)
  func everyKindReturns(line: String) {
    let first = export(stamped(batch([line])))
    let restored = batch(first, restoring: true)
    #expect(export(restored) == first)
  }

  @Test("So does every odd spelling", arguments: LineSamples.oddSpellings)
  func oddSpellingReturns(line: String) {
    let first = export(stamped(batch([line])))
    #expect(export(batch(first, restoring: true)) == first)
  }

  @Test("All of them in one batch keep their order, seq and times")
  func together() {
    let lines = LineSamples.everyKind + LineSamples.oddSpellings
    let log = stamped(batch(lines))
    let first = export(log)
    let restored = batch(first, restoring: true)
    #expect(export(restored) == first)
    #expect(restored.statedSeq == (1...Int64(lines.count)).map { $0 })
    #expect(restored.recordedAt == log.recordedAt)
    #expect(restored.at == log.at)
    #expect(restored.kind == log.kind)
    #expect(restored.flags.map(\.rawValue) == log.flags.map(\.rawValue))
    for member in Member.allCases where member.storage != .handle {
      let values = (0..<log.count).map { value(log, member, $0) }
      #expect(values == (0..<log.count).map { value(restored, member, $0) }, "\(member)")
    }
  }

  /// A value free of codes.
  private func value(_ columns: EventColumns, _ member: Member, _ row: Int) -> String? {
    switch member.storage {
    case .word, .text: columns.text(member, row)
    case .seconds, .whole, .flag, .handle, .size: columns.value(member, row).map(String.init)
    }
  }

  @Test("The order is seq, recorded-at, at, event, handles, scope, members, payload")
  func order() {
    let line = export(stamped(batch([LineSamples.everyKind[0]])))
    #expect(
      line == [
        #"{"seq":1,"recorded-at":"2026-11-20T18:40:00.000000Z","at":"2026-11-20T18:04:05.000000Z","#
          + #""event":"start","activity-id":"A","key":"K","environment":"production","#
          + #""bundle-id":"com.x","device":"phone","id":"i-1","recorder":"r","source":"app","#
          + #""build":"413","os":"17.5","producer":"activitykit","attributes-type":"Order","#
          + #""stale-date":1795201445,"start-date":1795197900,"style":"standard","#
          + #""push-type":"token","input-push-channel":"c","attributes":{"n":1},"#
          + #""content-state":{"s":"a b"},"alert":{"title":"t"},"relevance-score":75.5}"#
      ])
    #expect(
      export(batch([LineSamples.everyKind[4]]), stamped: false) == [
        #"{"event":"stale","activity-id":"A"}"#
      ])
  }

  @Test("20, 20.0 and 2e1 stay different facts of equal value")
  func spellings() {
    let columns = batch(Array(LineSamples.oddSpellings[0...2]))
    #expect(columns[.timestamp] == [20_000_000, 20_000_000, 20_000_000])
    #expect(columns[.status] == [200, 200, 200])
    #expect(
      payload(columns) == [
        "{}", #"{"timestamp":20.0,"status":200.0}"#, #"{"timestamp":2e1,"status":2e2,"bytes":-0}"#,
      ])
  }

  @Test("A line end between tokens becomes a space, and white space between members goes")
  func lineEnds() {
    let columns = batch([
      "{ \"event\" : \"stale\",\r\n \"activity-id\":\"A\" , \"x\" : [1,\n2,\r3] }"
    ])
    #expect(payload(columns) == [#"{"x":[1, 2, 3]}"#])
  }

  @Test("Columns made without a line are written so that they restore")
  func programmatic() {
    var columns = batch([#"{"event":"update","activity-id":"A"}"#])
    let code = columns.texts.intern("quote \" back \\ bell \u{7} line\n")
    columns.set(.reason, 0, Int64(code))
    columns.set(.timestamp, 0, -1_500_000)
    columns.squareUp()
    let first = export(stamped(columns))
    #expect(first[0].contains(#""timestamp":-1.5,"#))
    #expect(first[0].contains(#""reason":"quote \" back \\ bell \u0007 line\n""#))
    let restored = batch(first, restoring: true)
    #expect(export(restored) == first)
    #expect(payload(restored) == ["{}"])
  }

  @Test("A row whose payload is damaged or not read cannot be exported")
  func damaged() {
    var columns = stamped(batch([LineSamples.everyKind[0]]))
    columns.payload = .damaged
    #expect(export(columns) == ["lost"])
    columns.payload = .notRead
    #expect(export(columns) == ["lost"])
  }

  @Test("A later batch of the same numbering is written with names an earlier one introduced")
  func names() {
    var first = stamped(batch([#"{"event":"start","activity-id":"A","device":"d"}"#]))
    var second = stamped(batch([#"{"event":"end","activity-id":"A","device":"d"}"#]))
    first.space = 7
    second.space = 7
    second.subjects = SubjectTable()
    var reader = RowReader()
    _ = reader.rows(of: first)
    let writer = LineWriter(stamped: false)
    #expect(reader.rows(of: second)[0].device == "d")
    second.space = 8
    #expect(reader.rows(of: second).map { writer.line($0) == nil } == [true])
  }
}

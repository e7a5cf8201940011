import ActivityCore
import ActivityIngest
import Testing

private func read(_ text: String, _ dialect: any Dialect.Type, _ set: [String: String] = [:])
  -> ReadSource
{
  var settings = SourceSettings()
  settings.constants = set.map { ($0.key, $0.value) }
  settings.zone = { $0 }
  return ReadSource(Array(text.utf8), SourceFormat(dialect, settings: settings))
}

private func events(_ read: ReadSource) -> [JSONSlice] {
  read.lines.compactMap { JSONSlice(Array($0.utf8)) }
}

@Suite("Records that repeat, never end, or count too far")
struct HardRecordsTests {
  private static let card = "5E1C3A7B-90D2-4F61-8B1E-6C2D5A7F1E01"

  @Test(
    "A day with a slash is read in every month",
    arguments: [
      ("Jan", "01"), ("Feb", "02"), ("Mar", "03"), ("Apr", "04"), ("May", "05"), ("Jun", "06"),
      ("Jul", "07"), ("Aug", "08"), ("Sep", "09"), ("Oct", "10"), ("Nov", "11"), ("Dec", "12"),
    ])
  func months(name: String, number: String) {
    let time = SourceTime(SourceSettings())
    let expected = Timestamp(rfc3339: "2026-\(number)-20T18:04:05Z")
    #expect(expected != nil && time.instant("20/\(name)/2026:19:04:05 +0100") == expected)
  }

  @Test("Seconds in an object are an instant of the years 1 to 9999 or none")
  func wrapped() {
    let time = SourceTime(SourceSettings())
    func instant(_ text: String) -> Timestamp? { time.instant(JSONSlice(Array(text.utf8))) }
    #expect(instant(#"{"seconds":1795197600}"#) == Timestamp(rfc3339: "2026-11-20T18:00:00Z"))
    #expect(instant(#"{"seconds":-62135596800}"#) == Timestamp(rfc3339: "0001-01-01T00:00:00Z"))
    #expect(instant(#"{"seconds":253402300800}"#) == nil)
    #expect(instant(#"{"seconds":-9200000000000}"#) == nil)
    #expect(instant(#"{"_seconds":9200000000000}"#) == nil)
  }

  @Test(
    "A wait that is no duration gives no date",
    arguments: [
      "1:9223372036854775807:00", "9223372036854775807:00:00", "-0:15:00", "153722867280912931",
    ])
  func waits(wait: String) throws {
    let source =
      #"{"ts":1795176000000,"method":"createActivity","channel":"live_activities","arguments":"#
      + #"{"activityId":"a","staleIn":"\#(wait)"},"result":"\#(Self.card)"}"#
    let read = read(source, FlutterLiveActivities.self)
    let start = try #require(events(read).first)
    #expect(start["event"]?.string == "start" && start["stale-date"] == nil)
  }

  @Test("The same words printed twice without a time are two events, with a time one")
  func untimed() {
    let line = "[LA] Updated Live Activity: \(Self.card)\n"
    let ids = events(read(line + line, ConsoleText.self)).compactMap { $0["id"]?.string }
    #expect(ids.count == 2 && Set(ids).count == 2)
    #expect(events(read(line + line, ConsoleText.self)).compactMap { $0["id"]?.string } == ids)
    let timed = "2026-11-20T18:00:00Z " + line
    #expect(Set(events(read(timed + timed, ConsoleText.self)).map { $0["id"]?.string }).count == 1)
    let payload = #"{"aps":{"event":"update","timestamp":1,"content-state":{}},"order-id":"A"}"#
    let bare = events(read("\(payload)\n\(payload)\n", APNsRequests.self))
    #expect(Set(bare.map { $0["id"]?.string }).count == bare.count)
  }

  @Test("One line in the files of two days is two events")
  func days() {
    let line = "[7:58:02 AM] [General] Live Activity started id=\(Self.card)\n"
    let ids = ["2026-11-20", "2026-11-21", "2026-11-20"].map { day in
      events(read(line, LoopFollow.self, ["date": day])).first?["id"]?.string
    }
    #expect(ids[0] != nil && ids[0] == ids[2] && ids[0] != ids[1])
  }

  @Test(
    "Values that never end are read once",
    arguments: ["[ ", "{\" ", "{ ", "\"a\" ", "a ", "( ", "[[", "]"])
  func endless(piece: String) {
    let head = "2026-11-20T18:00:00Z expo-live-activity startActivity "
    let text = head + String(repeating: piece, count: 80_000 / piece.utf8.count)
    #expect(read(text, ExpoLiveActivity.self).refused == ["1 no-activity"])
  }

  @Test(
    "Records that could be any app's are not a module's",
    arguments: [
      #"{"id":1,"activityId":"x-1","status":"active","ts":1795197600}"#,
      #"{"activityId":"5E1C3A7B-90D2-4F61-8B1E-6C2D5A7F1E01","status":"active"}"#,
      #"{"call":"endLiveActivity","args":["x"],"ts":1795197600}"#,
      #"{"call":"updateLiveActivity","args":["x",{"a":1}],"ts":1795197600}"#,
      #"{"method":"createActivity","params":{"name":"Morning run"},"ts":1795197600}"#,
      #"{"category":"General","message":"user logged in","ts":1795197600}"#,
      #"{"message":"Live Activity started id=77","ts":1795197600}"#,
    ])
  func anybodys(record: String) {
    let guess = Recognition(Array("\(record)\n\(record)\n".utf8), settings: SourceSettings())
    #expect(
      !["flutter-live-activities", "voltra", "loopfollow"].contains(guess?.format.dialect.name))
  }
}

@Suite("A call that ends all cards")
struct EndAllTests {
  private static func start(_ name: String, on device: String, second: Int) -> String {
    #"{"ts":\#(1_795_154_400 + second),"call":"startVoltra","args":["x",{"activityName":"#
      + #""\#(name)"}],"result":"\#(name)","device":"\#(device)"}"# + "\n"
  }
  private static func endAll(on device: String, second: Int) -> String {
    #"{"ts":\#(1_795_154_400 + second),"call":"endAllLiveActivities","device":"\#(device)"}"# + "\n"
  }

  private func ends(_ text: String) -> [String] {
    events(read(text, Voltra.self)).filter { $0["event"]?.string == "end" }.map {
      "\($0["device"]?.string ?? "") \($0["activity-id"]?.string ?? "")"
    }
  }

  @Test("It ends the cards known to be open on its phone, once, and says nothing of others")
  func phones() {
    let text =
      Self.start("a", on: "p", second: 0) + Self.start("b", on: "p", second: 1)
      + Self.start("a", on: "q", second: 2) + Self.endAll(on: "p", second: 3)
      + Self.endAll(on: "p", second: 4) + Self.endAll(on: "r", second: 5)
    #expect(ends(text) == ["p a", "p b"])
    #expect(read(text, Voltra.self).skipped == 2)
    #expect(!events(read(text, Voltra.self)).contains { $0["event"]?.string == "inventory" })
  }

  @Test("A card that is over by age is not ended again")
  func age() {
    let text = Self.start("a", on: "p", second: 0) + Self.start("b", on: "p", second: 40_000)
    #expect(ends(text + Self.endAll(on: "p", second: 44_000)) == ["p b"])
  }

  @Test("An end has the same id whatever else an earlier beginning of the log remembers")
  func pieces() {
    let later = Self.start("b", on: "p", second: 1) + Self.endAll(on: "p", second: 3)
    let whole = read(Self.start("a", on: "p", second: 0) + later, Voltra.self).lines
    let piece = read(later, Voltra.self).lines
    #expect(piece.count == 2 && Set(piece).isSubset(of: whole))
  }

  @Test("A list without a device is complete for nobody")
  func lists() {
    let list =
      #"{"ts":1795178400,"method":"getAllActivities","channel":"live_activities","result":{"#
    let entries = #""5E1C3A7B-90D2-4F61-8B1E-6C2D5A7F1E01":"active"}"#
    let lines = list + entries + "}\n" + list + entries + #","device":"p"}"# + "\n"
    let complete = events(read(lines, FlutterLiveActivities.self)).map { $0["complete"]?.type }
    #expect(complete == [.false, .true])
  }
}

@Suite("Tables of pushes whose status is a word")
struct PushWordTests {
  @Test("A push that failed is refused by a failure of its handle")
  func failed() throws {
    let table = """
      sent_at,token,activity_id,event,status
      2026-11-20T18:00:00Z,\(String(repeating: "ab", count: 32)),,update,sent
      2026-11-20T18:01:00Z,,A-1,end,Failed
      2026-11-20T18:02:00Z,\(String(repeating: "ab", count: 32)),A-1,end,error
      """
    let guess = try #require(Recognition(Array(table.utf8), settings: SourceSettings()))
    let events = events(ReadSource(Array(table.utf8), guess.format))
    #expect(
      events.map { $0["event"]?.string } == ["update", "end", "failure", "end", "failure"])
    #expect(events.map { $0["status"]?.spelling } == ["200", nil, nil, nil, nil])
    #expect(events[2]["activity-id"]?.string == "A-1" && events[2]["token"] == nil)
    #expect(events[4]["token"] != nil && events[4]["operation"]?.string == "send")
  }
}

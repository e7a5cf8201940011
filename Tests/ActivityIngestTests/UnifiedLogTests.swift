import ActivityCore
import ActivityIngest
import Testing

/// Lines of a phone's log, as `log show --style ndjson` has them.
private func exported(_ lines: [(second: Int, process: String, message: String)]) -> [UInt8] {
  let objects = lines.map { line in
    let seconds = line.second < 10 ? "0\(line.second)" : "\(line.second)"
    var message: [UInt8] = []
    JSONText.append(line.message.utf8, to: &message)
    return "{\"timestamp\":\"2026-11-20 18:00:\(seconds).000000+0100\",\"eventType\":\"logEvent\","
      + "\"bootUUID\":\"6F1D9B52-3C84-4E07-A1D9-27B5E08C4A61\",\"machTimestamp\":"
      + "\(1_000 + line.second),\"threadID\":7,\"processImagePath\":\"\\/x\\/\(line.process)\","
      + "\"processID\":\(line.process.count),\"subsystem\":\"com.example.coffee\","
      + "\"eventMessage\":\(String(decoding: message, as: UTF8.self))}"
  }
  return Array(objects.joined(separator: "\n").utf8)
}

private func read(
  _ lines: [(second: Int, process: String, message: String)], _ settings: SourceSettings = .init()
) -> [JSONSlice] {
  let source = ReadSource(exported(lines), SourceFormat(UnifiedLog.self, settings: settings))
  return source.lines.compactMap { JSONSlice(Array($0.utf8)) }
}

private func summary(_ event: JSONSlice) -> String {
  let name = event["activity-id"]?.string.map { " \($0)" } ?? ""
  return (event["event"]?.string ?? "") + name
}

@Suite("Unified logs and consoles")
struct UnifiedLogTests {
  private let card = "5E1C3A7B-90D2-4F61-8B1E-6C2D5A7F1E01"
  private let redacted = "redacted:boot:6F1D9B52/9/"

  @Test("The table that comes with the library can be read, and says which it is")
  func builtIn() {
    #expect(PatternTable.builtIn.version == "2026-1")
  }

  @Test("What the system's processes say is evidence, what the app says is asked for")
  func evidence() {
    let events = read([
      (1, "CoffeeApp", "Started Live Activity: \(card)"),
      (2, "liveactivitiesd", "Activity did start \(card)"),
      (3, "liveactivitiesd", "Started Live Activity: \(card)"),
      (4, "chronod", "Activity ended: \(card)"),
    ])
    #expect(events.map(summary) == ["start \(card)", "state \(card)", "state \(card)"])
    #expect(events.map { $0["source"]?.string } == ["app", nil, nil])
    #expect(events.last?["state"]?.string == "ended")
  }

  @Test("A line without an id goes to the only card open in its process, and to no other")
  func attribution() {
    let events = read([
      (1, "CoffeeApp", "Started Live Activity: <private>"),
      (2, "CoffeeApp", "Updated Live Activity: <private>"),
      (3, "OtherApp", "Updated Live Activity: <private>"),
      (4, "CoffeeApp", "Started Live Activity: <private>"),
      (5, "CoffeeApp", "Updated Live Activity: <private>"),
      (6, "CoffeeApp", "Ended Live Activity: <private>"),
      (7, "CoffeeApp", "Ended Live Activity: <private>"),
      (8, "CoffeeApp", "Started Live Activity: <private>"),
      (9, "CoffeeApp", "Ended Live Activity: <private>"),
    ])
    #expect(
      events.map(summary) == [
        "start \(redacted)1001", "update \(redacted)1001", "coverage", "start \(redacted)1004",
        "coverage", "coverage", "coverage", "start \(redacted)1008", "end \(redacted)1008",
      ])
    let lost = events.filter { $0["event"]?.string == "coverage" }
    #expect(lost.allSatisfy { $0["why"]?.string == "redacted" && $0["lost"]?.spelling == "1" })
    #expect(lost.allSatisfy { $0["recorder"]?.string == "boot:6F1D9B52" })
  }

  @Test("An act that ActivityKit and the app both tell is one act")
  func retold() {
    let other = "B7D2F0E4-1C35-4A8E-9F02-3E6A91C4D702"
    let table =
      #"{"version":"1","patterns":[{"id":"mine","process":"app","match":"#
      + #""Updating activity: {activity-id}","event":"update","layer":"framework"}]}"#
    var settings = SourceSettings()
    settings.patterns = try? PatternTable(Array(table.utf8))
    let events = read(
      [
        (1, "CoffeeApp", "Updating activity: \(card); payload: <private>"),
        (2, "CoffeeApp", "Updating activity: \(other); payload: <private>"),
        (3, "CoffeeApp", "Updated Live Activity: \(card)"),
        (4, "CoffeeApp", "Updated Live Activity: \(other)"),
        (30, "CoffeeApp", "Updated Live Activity: \(card)"),
      ], settings)
    #expect(
      events.map(summary) == [
        "update \(card)", "update \(other)", "state \(card)", "state \(other)", "update \(card)",
      ])
  }

  @Test("Pieces of one log that overlap never say two things under one id")
  func overlap() {
    let lines: [(Int, String, String)] = [
      (1, "CoffeeApp", "Requesting an activity: CoffeeOrderAttributes"),
      (2, "CoffeeApp", "Updated Live Activity: <private>"),
      (3, "CoffeeApp", "Started Live Activity: <private>"),
      (4, "CoffeeApp", "Push token updated: \(String(repeating: "a1b2", count: 16))"),
      (5, "CoffeeApp", "Ended Live Activity: <private>"),
      (6, "CoffeeApp", "Ended Live Activity: <private>"),
      (7, "CoffeeApp", "Started Live Activity: \(card)"),
      (8, "CoffeeApp", "Unable to decode content state: keyNotFound"),
      (9, "CoffeeApp", "Updated Live Activity: \(card)"),
      (10, "CoffeeApp", "ActivityAuthorizationError.visibility"),
    ]
    var byID: [String: String] = [:]
    for start in lines.indices {
      for end in (start + 1)...lines.count {
        for event in read(Array(lines[start..<end])) {
          let id = event["id"]?.string ?? ""
          #expect(byID[id, default: event.spelling] == event.spelling)
          byID[id] = event.spelling
        }
      }
    }
    #expect(byID.count > lines.count && byID[""] == nil)
  }

  @Test("What a line quotes in an argument says nothing; a format that is one argument does")
  func quoted() {
    let message = "Started Live Activity: \(card)"
    func events(_ format: String, _ message: String) -> Int {
      let record =
        "{\"timestamp\":\"2026-11-20 18:00:00.000000+0100\",\"eventType\":\"logEvent\","
        + "\"bootUUID\":\"6F\",\"eventMessage\":\"\(message)\",\"formatString\":\"\(format)\"}"
      return ReadSource(Array(record.utf8), SourceFormat(UnifiedLog.self)).lines.count
    }
    #expect(events("chat: %{public}s", "chat: \(message)") == 0)
    #expect(events("%{public}s", message) == 1)
    #expect(events("Started Live Activity: %{public}s", message) == 1)
  }

  @Test(
    "A table that cannot be used says which pattern it is about, and why",
    arguments: [
      ("[]", "", "no JSON object"),
      (#"{"patterns":[]}"#, "", "version"),
      (#"{"version":"1"}"#, "", "patterns"),
      (#"{"version":"1","patterns":[{"id":"a","event":"end"}]}"#, "a", "match"),
      (#"{"version":"1","patterns":[{"match":"x","event":"end"}]}"#, "number 1", "id"),
      (#"{"version":"1","patterns":[{"id":"a","match":"{*}"}]}"#, "a", "no literal text"),
      (#"{"version":"1","patterns":[{"id":"a","match":"x {key"}]}"#, "a", "never closed"),
      (#"{"version":"1","patterns":[{"id":"a","match":"x {key:big}"}]}"#, "a", "no kind"),
      (#"{"version":"1","patterns":[{"id":"a","match":"x {a}{b}"}]}"#, "a", "must follow"),
      (#"{"version":"1","patterns":[{"id":"a","match":"x","evnt":"end"}]}"#, "a", "evnt"),
      (#"{"version":"1","patterns":[{"id":"a","match":"x","set":{"a":1}}]}"#, "a", "event"),
      (
        #"{"version":"1","patterns":[{"id":"a","match":"x"},{"id":"a","match":"y"}]}"#, "a",
        "same id"
      ),
    ])
  func badTables(text: String, pattern: String, word: String) {
    do throws(PatternProblem) {
      _ = try PatternTable(Array(text.utf8))
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.pattern == pattern)
      #expect(error.description.contains(word), "\(error)")
    }
  }

  @Test("A pattern of one's own is tried before the built-in ones")
  func ownPatterns() throws {
    let table =
      #"{"version":"1","patterns":[{"id":"mine","match":"Started Live {*}: {activity-id}","#
      + #""event":"state","set":{"state":"active"}}]}"#
    var settings = SourceSettings()
    settings.patterns = try PatternTable(Array(table.utf8))
    let lines = [
      (1, "CoffeeApp", "Started Live Activity: \(card)"),
      (2, "CoffeeApp", "Ended Live Activity: \(card)"),
    ]
    let events = read(lines, settings)
    #expect(events.map(summary) == ["state \(card)", "end \(card)"])
    #expect(events.map { $0["pattern"]?.string } == ["mine", "template-ended"])
  }

  @Test("Whatever stands on a line, it is taken or counted, and no raw token stays")
  func hostile() {
    let token = String(repeating: "a1b2", count: 16)
    let pieces = [
      "Started Live Activity: ", "<private>", "<mask.hash: '", "'>", "live-activity started ",
      "id=", "key=\"", "token=\(token)", "\u{1B}[31m", "\u{1B}]0;", "[18:04:05] ", card, " ",
      "2026-11-20 18:04:05", "+0100 ", "CoffeeApp[", "412:", "]", "é🟢", "{", "Nov 20 18:00:00 ",
      "Push token updated: ", token, "ActivityAuthorizationError Code=99999999999999999999",
      "Unable to decode content state: \(token)",
    ]
    var seed: UInt64 = 7
    func next(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    let text = (0..<3_000).map { _ in
      (0..<(1 + next(9))).map { _ in pieces[next(pieces.count)] }.joined()
    }.joined(separator: "\n")
    for dialect in ["console", "oslog-syslog", "oslog-compact", "oslog-default", "oslog"] {
      guard let type = Dialects.named(dialect) else {
        Issue.record("no \(dialect)")
        continue
      }
      var lines = SourceLines(SourceFormat(type, framing: .text))
      var reader = LineReader()
      var rows = 0
      func take(_ step: SourceLines.Step) {
        guard case .event(let bytes, let line, _) = step else { return }
        if case .row = reader.read(Array(bytes)[...], number: line) { rows += 1 }
      }
      lines.take(Array(text.utf8)[...]) { take($0) }
      lines.finish { take($0) }
      #expect(dialect != "console" || rows > 100)
      guard case .lines(let payload) = reader.finish().payload else { continue }
      #expect(!String(decoding: payload, as: UTF8.self).contains(token))
    }
  }
}

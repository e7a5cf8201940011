internal import ActivityCore

/// Scripts and terminals: `curl` commands that push to a Live Activity, and what APNs answered.
///
/// A command may go over 64 lines by backslashes or open quotes. Of what follows, up to the next
/// command, the answer is read: the head that `-v` or `-i` shows, a body with a reason, a status
/// that stands alone, the first body with a reason, an error of curl. It is a `response` or a
/// `failure` of its own. The push's time is the one in front of the command or on the line before,
/// else the payload's `timestamp`; the answer's is its date, else the push's. Command and time are
/// the push's id, so a transcript that is read before its answer has come gives the same push.
/// Where the command has no `apns-id`, that id pairs the answer, and the real one is kept in `raw`.
package struct CurlTranscript: Dialect {
  package static let name = "curl"
  package static let summary = "curl commands to APNs in a shell's transcript, and their answers"
  package static let framing = Framing.text
  package static let remembers = true

  private static let linesMax = 64

  /// A push whose answer is still awaited.
  private struct Push: Sendable {
    var act: EventDraft
    /// What was found of its answer, and its lines.
    var answer = RequestFields()
    var date: Timestamp?
    var text = ""
    var hasBody = false
  }

  private static let bodyMax = 65_536

  private let time: SourceTime
  /// The lines of a command that goes on.
  private var command: [String] = []
  private var push: Push?
  private var lastTime: Timestamp?

  package init(_ settings: SourceSettings) { time = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    guard record.json == nil else { return 0 }
    let text = record.text
    let isCommand = commandStart(text) != nil
    if isCommand, text.contains("push.apple.com") || text.contains("apns-") { return 8 }
    let words = text.trimmedBlanks
    let isOption = words.hasPrefix("-") || text.hasSuffix("\\")
    if isOption, ["apns-", "/3/device/", "\"aps\""].contains(where: { text.contains($0) }) {
      return 7
    }
    if words.hasPrefix("< apns-") || words.hasPrefix("< HTTP/2") { return 4 }
    return 0
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    let line = record.text
    if !command.isEmpty {
      command.append(line)
      return goOn(into: &events)
    }
    if let start = Self.commandStart(line) {
      settle(into: &events)
      let before = String(line[..<start])
      lastTime =
        RequestText(before).beginnings.lazy.compactMap { [time] in time.instant($0) }.first
        ?? lastTime
      command = [String(line[start...].dropFirst(5))]
      return goOn(into: &events)
    }
    takeAnswer(line)
    return .skipped("another line of a transcript")
  }

  package mutating func finish(into events: inout [EventDraft]) {
    if !command.isEmpty { _ = end(into: &events) }
    settle(into: &events)
  }

  /// Where the word `curl` stands as a command.
  private static func commandStart(_ line: String) -> String.Index? {
    guard let range = line.firstRange(of: "curl ") else { return nil }
    guard range.lowerBound > line.startIndex else { return range.lowerBound }
    let before = line[line.index(before: range.lowerBound)]
    return " \t$+%#>;&(`".contains(before) && !line.hasPrefix("<") && !line.hasPrefix("*")
      ? range.lowerBound : nil
  }

  // MARK: Commands

  private mutating func goOn(into events: inout [EventDraft]) -> RecordOutcome {
    let isWhole = ShellWords.split(command.joined(separator: "\n")) != nil
    guard isWhole || command.count >= Self.linesMax else {
      return .skipped("a line of a command that goes on")
    }
    return end(into: &events)
  }

  /// The command is whole; what pairs its answer is kept until that has come.
  private mutating func end(into events: inout [EventDraft]) -> RecordOutcome {
    let text = command.joined(separator: "\n")
    command = []
    guard let words = ShellWords.split(text) else {
      return .refused(
        code: "command-not-closed",
        sentence: "A quote or a backslash of the curl command is still open after 64 lines.")
    }
    let curl = CurlCommand(words)
    guard curl.isForAPNs else { return .skipped("another command") }
    if let file = curl.data, file.hasPrefix("@") {
      return .refused(
        code: "payload-elsewhere",
        sentence: "The payload is in the file \(file.dropFirst()); log the text that is sent.")
    }
    var found = RequestFields()
    for (name, value) in curl.headers { RequestText.add(name, value, to: &found, ["headers"]) }
    if let url = curl.url { RequestText.add("url", url, to: &found) }
    if let data = curl.data, let value = JSONSlice(MemberSpelling.quoted(data)) {
      found.visit("payload", value, [])
      if found.payload == nil, data.contains("aps") { found.isBroken = true }
    }
    var made: [EventDraft] = []
    let outcome = RequestReading(found, of: nil, lead: lastTime, time).events(into: &made)
    guard case .events = outcome, var act = made.first else { return outcome }
    let digits = Self.digits(of: text + (lastTime.map { "\n\($0.microseconds)" } ?? ""))
    lastTime = nil
    act.set("id", text: "curl:\(digits)")
    act.set("apns-id", text: "join:curl-\(digits)")
    push = Push(act: act)
    events.append(act)
    return .events
  }

  private static func digits(of text: String) -> String {
    TokenDigest.sha256(Array(text.utf8)).prefix(16).hexText
  }

  // MARK: Answers

  private mutating func takeAnswer(_ line: String) {
    let text = line.hasPrefix("< ") ? String(line.dropFirst(2)) : line
    if let at = RequestText(text).beginnings.lazy.compactMap({ [time] in time.instant($0) }).first,
      text.count >= 16, !text.contains("{")
    {
      lastTime = at
      return
    }
    guard push != nil else { return }
    let parts = text.split(separator: ":", maxSplits: 1).map { String($0).trimmedBlanks }
    if text.hasPrefix("HTTP/"), let status = text.split(separator: " ").dropFirst().first {
      if status.count == 3, !status.hasPrefix("1") { add("status", String(status), text) }
    } else if text.count == 3, Int(text) != nil {
      add("status", text, text)
    } else if text.hasPrefix("{"), push?.hasBody == false, text.utf8.count <= Self.bodyMax,
      let body = JSONSlice(Array(text.utf8))
    {
      push?.hasBody = true
      push?.answer.enter(body, ["response"])
      push?.text += "\n" + text
    } else if text.hasPrefix("curl: (") {
      add("error", text, text)
    } else if parts.count == 2, ["apns-id", "apns-unique-id"].contains(parts[0].lowercased()) {
      add(parts[0].lowercased(), parts[1], text)
    } else if parts.count == 2, parts[0].lowercased() == "date", push?.date == nil {
      push?.date = Self.httpDate(parts[1], time)
    }
  }

  private mutating func add(_ name: String, _ value: String, _ line: String) {
    guard var push else { return }
    let isRepeated = push.answer.fields.contains { $0.isInAnswer && $0.path.last == name }
    guard !isRepeated else { return }
    RequestText.add(name, value, to: &push.answer, ["response"])
    push.text += "\n" + line
    self.push = push
  }

  /// `Fri, 20 Nov 2026 18:00:05 GMT`.
  private static func httpDate(_ text: String, _ time: SourceTime) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT" else { return nil }
    return time.instant("\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4]) +0000")
  }

  /// The answer is whole: an event of its own, where there was one.
  private mutating func settle(into events: inout [EventDraft]) {
    guard let push else { return }
    self.push = nil
    let parts = RequestParts(push.answer, time)
    guard !parts.answer.isEmpty else { return }
    var draft = EventDraft(parts.answer.error == nil ? "response" : "failure")
    if let date = push.date { draft.set("at", instant: date) }
    for name in ["at", "apns-id"] { draft.set(name, push.act[name]) }
    parts.answer.error?.take(into: &draft)
    parts.answer.take(into: &draft, time)
    for name in ["host", "environment", "bundle-id"] { draft.set(name, push.act[name]) }
    if let id = parts.apnsID, push.act["apns-id"]?.string?.lowercased() != id.lowercased() {
      draft.keepRaw("apns-id", id)
    }
    let pushID = push.act["id"]?.string ?? ""
    draft.set("id", text: "curl:" + Self.digits(of: pushID + push.text))
    events.append(draft)
  }
}

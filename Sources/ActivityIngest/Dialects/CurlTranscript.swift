internal import ActivityCore

/// Scripts and terminals: `curl` commands that push to a Live Activity, and what APNs answered.
///
/// A command may go over 64 lines by backslashes or open quotes. Of what follows, up to the next
/// command, the answer is read: the head that `-v` or `-i` shows, a body with a reason, a status
/// that stands alone, an error of curl. A command and its answer are one event. Its time is the one
/// in front of the command or on the line before, else the date of the answer, else the payload's
/// `timestamp`. A command seen twice with the same answer is one event.
public struct CurlTranscript: Dialect {
  public static let name = "curl"
  public static let summary = "curl commands to APNs in a shell's transcript, and their answers"
  public static let framing = Framing.text
  public static let remembers = true

  private static let linesMax = 64

  /// A push whose answer is still awaited.
  private struct Push: Sendable {
    var found: RequestFields
    var lead: Timestamp?
    var text: String
  }

  private let time: SourceTime
  /// The lines of a command that goes on.
  private var command: [String] = []
  private var push: Push?
  private var lastTime: Timestamp?

  public init(_ settings: SourceSettings) { time = SourceTime(settings) }

  public static func likeness(of record: SourceRecord) -> Int {
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

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    let line = record.text
    if !command.isEmpty {
      command.append(line)
      return goOn()
    }
    if let start = Self.commandStart(line) {
      settle(into: &events)
      let before = String(line[..<start])
      lastTime =
        RequestText(before).beginnings.lazy.compactMap { [time] in time.instant($0) }.first
        ?? lastTime
      command = [String(line[start...].dropFirst(5))]
      return goOn()
    }
    takeAnswer(line)
    return .skipped("another line of a transcript")
  }

  public mutating func finish(into events: inout [EventDraft]) {
    if !command.isEmpty { _ = end() }
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

  private mutating func goOn() -> RecordOutcome {
    let isWhole = ShellWords.split(command.joined(separator: "\n")) != nil
    guard isWhole || command.count >= Self.linesMax else {
      return .skipped("a line of a command that goes on")
    }
    return end()
  }

  /// The command is whole: a push is kept until its answer has come.
  private mutating func end() -> RecordOutcome {
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
    var tried: [EventDraft] = []
    let reading = RequestReading(found, of: nil, lead: lastTime, time)
    let outcome = reading.events(into: &tried)
    guard case .events = outcome else { return outcome }
    push = Push(found: found, lead: lastTime, text: text)
    lastTime = nil
    return .skipped("a push whose answer is awaited")
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
    } else if text.hasPrefix("{"), let body = JSONSlice(Array(text.utf8)) {
      push?.found.enter(body, ["response"])
      push?.text += "\n" + text
    } else if text.hasPrefix("curl: (") {
      add("error", text, text)
    } else if parts.count == 2, ["apns-id", "apns-unique-id"].contains(parts[0].lowercased()) {
      add(parts[0].lowercased(), parts[1], text)
    } else if parts.count == 2, parts[0].lowercased() == "date", push?.lead == nil {
      push?.lead = Self.httpDate(parts[1], time)
    }
  }

  private mutating func add(_ name: String, _ value: String, _ line: String) {
    guard var push else { return }
    let isRepeated = push.found.fields.contains { $0.isInAnswer && $0.path.last == name }
    guard !isRepeated else { return }
    RequestText.add(name, value, to: &push.found, ["response"])
    push.text += "\n" + line
    self.push = push
  }

  /// `Fri, 20 Nov 2026 18:00:05 GMT`.
  private static func httpDate(_ text: String, _ time: SourceTime) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT" else { return nil }
    return time.instant("\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4]) +0000")
  }

  private mutating func settle(into events: inout [EventDraft]) {
    guard let push else { return }
    self.push = nil
    var made: [EventDraft] = []
    _ = RequestReading(push.found, of: nil, lead: push.lead, time).events(into: &made)
    let digest = TokenDigest.sha256(Array(push.text.utf8)).prefix(16)
    var hex: [UInt8] = []
    for byte in digest {
      hex.append(HexDigit.lowercase(byte >> 4))
      hex.append(HexDigit.lowercase(byte & 15))
    }
    for (number, var draft) in made.enumerated() {
      let suffix = number == 0 ? "" : ".\(number)"
      draft.set("id", text: "curl:" + String(decoding: hex, as: UTF8.self) + suffix)
      events.append(draft)
    }
  }
}

internal import ActivityCore

/// A log line that a pattern matched, and what it said.
struct FoundLine: Sendable {
  /// Which card a line names.
  enum Subject: Hashable, Sendable {
    case named(String)
    /// It named one, and redaction took the name.
    case redacted
    /// Such lines never name one.
    case absent

    var name: String? { if case .named(let name) = self { name } else { nil } }
  }

  let message: LogMessage
  let pattern: LogPattern
  /// What its id is the digest of: the device's own key where there is one, else its bytes.
  let key: [UInt8]
  private(set) var subject = Subject.absent
  /// The process the line is about, where that is another than its writer.
  private(set) var aboutProcess: String?
  /// Members of ours that the line says, in order, and whether they are numbers.
  private var members: [(name: String, text: String, isNumber: Bool)] = []

  private static let messageBytesMax = 1_024
  private static let tokenDigitsMin = 64
  /// What a line may not say of itself.
  private static let ours: Set<String> = [
    "event", "at", "id", "seq", "recorded-at", "recorder", "activity-id",
  ]

  init(
    _ message: LogMessage, _ record: SourceRecord, _ pattern: LogPattern,
    _ captures: [MessageTemplate.Capture]
  ) {
    self.message = message
    self.pattern = pattern
    let hasKey = !message.boot.isEmpty && !message.mach.isEmpty && !message.thread.isEmpty
    if hasKey {
      key = Array("\(message.boot)\n\(message.mach)\n\(message.thread)".utf8)
    } else if case .none = message.time {
      // The same words may be printed again, and are another event then.
      key = record.bytes + Array("\n#\(record.line)".utf8)
    } else {
      key = record.bytes
    }
    for capture in captures {
      guard capture.kind == .fields else {
        take(capture.name, capture.value, isNumber: capture.kind == .number)
        continue
      }
      for (name, value) in CapturedText.fields(of: capture.value.text ?? "") {
        take(Self.member(name), value, isNumber: false)
      }
    }
    for lookup in pattern.lookups {
      guard let found = value(lookup.from).flatMap({ lookup.values[$0] }) else { continue }
      members.append((lookup.member, found, false))
    }
  }

  private static func member(_ name: String) -> String {
    switch name {
    case "id": "activity-id"
    case "type": "attributes-type"
    default: name
    }
  }

  private mutating func take(_ name: String, _ value: CapturedText, isNumber: Bool) {
    switch name {
    case "activity-id":
      guard subject.name == nil else { return }
      subject = value.text.map { .named(Self.scrubbed($0)) } ?? .redacted
    case "pid": aboutProcess = value.text
    case "token", "replaces":
      // A token's hash is no digest of ours, and joins nothing.
      if case .plain(let text) = value { members.append((name, text, false)) }
    default:
      guard !Self.ours.contains(name), let text = value.text, !text.isEmpty else { return }
      members.append((name, Self.scrubbed(text), isNumber))
    }
  }

  var event: String { pattern.event ?? "" }

  var instant: Timestamp? { if case .instant(let instant) = message.time { instant } else { nil } }

  /// The instant, for comparing; lines without time are all at one.
  var at: Int64 { instant?.microseconds ?? 0 }

  /// What tells a card begun here from others, wherever the file begins.
  var number: String {
    if !message.mach.isEmpty { return message.mach }
    if let instant { return String(instant.microseconds) }
    return TokenDigest.sha256(key).prefix(4).hexText
  }

  /// What the line, or else the pattern, says for a member.
  func value(_ name: String) -> String? {
    members.first { $0.name == name }?.text
      ?? pattern.constants.first { $0.name == name }?.value.string
  }

  /// Whether it shows a card that is over.
  var showsEnd: Bool {
    guard event == "state", let state = value("state")?.lowercased() else { return false }
    return state == "ended" || state == "dismissed"
  }

  func take(into draft: inout EventDraft) {
    for (name, text, isNumber) in members {
      if isNumber { draft.set(name, number: Int64(text)) } else { draft.set(name, text: text) }
    }
    for (name, value) in pattern.constants { draft.set(name, value) }
    if event == "failure" { draft.set("message", text: scrubbedMessage) }
    draft.set("pattern", text: pattern.id)
  }

  /// The beginning of the message.
  var scrubbedMessage: String {
    let text = message.message.utf8.prefix(PatternTable.messageBytesMax)
    let scrubbed = Self.scrubbed(String(decoding: text, as: UTF8.self))
    return String(decoding: scrubbed.utf8.prefix(Self.messageBytesMax), as: UTF8.self)
  }

  /// A text with every run of hex that could be a token as its digest: what a line says may have
  /// been copied from anywhere.
  private static func scrubbed(_ text: String) -> String {
    guard text.utf8.count >= tokenDigitsMin else { return text }
    var bytes: [UInt8] = []
    var run: [UInt8] = []
    func endRun() {
      let isToken = run.count >= tokenDigitsMin
      bytes +=
        isToken ? Array(TokenDigest.digest(of: String(decoding: run, as: UTF8.self)).utf8) : run
      run = []
    }
    for byte in text.utf8 {
      if HexDigit.value(byte) != nil {
        run.append(byte)
      } else {
        endRun()
        bytes.append(byte)
      }
    }
    endRun()
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Sequence<UInt8> {
  /// Two small hex digits a byte.
  var hexText: String {
    var hex: [UInt8] = []
    for byte in self {
      hex.append(HexDigit.lowercase(byte >> 4))
      hex.append(HexDigit.lowercase(byte & 15))
    }
    return String(decoding: hex, as: UTF8.self)
  }
}

internal import ActivityCore

/// A line of LoopFollow's log: `[time] [category] message`, alone, behind a console's time, or as
/// the message of a record.
struct LoopFollowLine {
  private(set) var message = ""
  /// Whether a time of day and one of LoopFollow's categories stand before the message.
  private(set) var isFramed = false
  /// Whether a record says one of these categories, which are words of anybody, beside the message.
  private(set) var hasCategory = false
  /// The line's own time of day, as `HH:MM:SS`.
  private(set) var timeOfDay: String?
  /// Whole times around the line, the most precise first.
  private(set) var times: [String] = []
  /// Members of the record beside its message and its time.
  private(set) var beside: [(name: String, value: JSONSlice)] = []

  /// Whether the line speaks of the Live Activity.
  var isAboutCard: Bool {
    message.hasPrefix("[LA] ") || message.hasPrefix("Live Activity ")
      || message.hasPrefix("LA start ")
  }

  private static let categories: Set<String> = [
    "Bluetooth", "Nightscout", "APNS", "General", "Contact", "Task Scheduler", "Dexcom", "Alarm",
    "Calendar", "Device Status",
  ]

  init(_ record: SourceRecord) {
    var text = record.json == nil ? record.text : ""
    for (name, value) in record.json?.members ?? [] {
      switch name {
      case "message", "msg", "text":
        if text.isEmpty, let said = value.string {
          text = said
        } else {
          beside.append((name, value))
        }
      case "ts", "time", "timestamp", "date", "at", "@timestamp":
        times.append(value.string ?? value.spelling)
      case "category":
        if let word = value.string, Self.categories.contains(word) { hasCategory = true }
        beside.append((name, value))
      default: beside.append((name, value))
      }
    }
    read(text)
  }

  private mutating func read(_ line: String) {
    // Since iOS 17 a narrow blank stands before AM and PM.
    let text = String(line.map { "\u{202F}\u{00A0}".contains($0) ? " " : $0 })
    message = text
    var place = text.startIndex
    while let open = text[place...].firstIndex(of: "[") {
      let after = text.index(after: open)
      guard let close = text[after...].firstIndex(of: "]") else { return }
      place = text.index(after: close)
      guard let clock = Self.clock(text[after..<close]) else { continue }
      let rest = text[place...].drop { $0 == " " }
      guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return }
      guard Self.categories.contains(String(rest.dropFirst()[..<end])) else { return }
      timeOfDay = clock
      isFramed = true
      message = String(rest[rest.index(after: end)...].drop { $0 == " " })
      let words = text[..<open].split(separator: " ")
      for count in stride(from: min(3, words.count), to: 0, by: -1) {
        times.append(words.prefix(count).joined(separator: " "))
      }
      return
    }
  }

  /// `11:32:45 PM`, `23:32:45` or `23.32.45` as `23:32:45`.
  private static func clock(_ text: Substring) -> String? {
    let words = text.split(separator: " ")
    guard let first = words.first, words.count <= 2 else { return nil }
    let parts = first.split { $0 == ":" || $0 == "." }.map { Int($0) }
    guard parts.count == 3, var hour = parts[0], let minute = parts[1], let second = parts[2],
      0..<24 ~= hour, 0..<60 ~= minute, 0...60 ~= second
    else { return nil }
    switch words.dropFirst().first?.uppercased() {
    case "PM": hour = hour % 12 + 12
    case "AM": hour %= 12
    case nil: break
    default: return nil
    }
    return [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

/// What a message of LoopFollow says happened to an activity; nil when it names none.
struct LoopFollowEvent {
  let kind: String
  /// Members that this kind of message implies.
  private(set) var members: [(name: String, text: String)] = []
  /// `id=…`, `seq=…` and the like, in `order`.
  private(set) var fields: [String: String] = [:]
  private(set) var order: [String] = []
  /// What a start that failed says.
  private(set) var thrown = ""

  private static let messages: [(prefix: String, kind: String)] = [
    ("Live Activity started id=", "start"),
    ("[LA] Live Activity renewed successfully id=", "start"),
    ("[LA] updated id=", "update"),
    ("Live Activity ended id=", "end"),
    ("Ended orphaned Live Activity id=", "end"),
    ("Live Activity state id=", "state"),
    ("Live Activity bound id=", "state"),
    ("[LA] activity cleared id=", "state"),
    ("Live Activity failed to start: ", "failure"),
    ("[LA] renewal failed, keeping existing LA: ", "failure"),
    ("Live Activity not authorized", "authorization"),
  ]

  init?(_ message: String) {
    guard let found = Self.messages.first(where: { message.hasPrefix($0.prefix) }) else {
      return nil
    }
    kind = found.kind
    switch kind {
    case "failure":
      thrown = String(message.dropFirst(found.prefix.count))
      members = [("operation", "request")]
      return
    case "authorization":
      members = [("enabled", "false")]
      return
    default: break
    }
    for word in message.split(whereSeparator: { $0 == " " || $0 == "," }) {
      guard let mark = word.firstIndex(of: "="), mark > word.startIndex else { continue }
      let name = String(word[..<mark])
      guard fields[name] == nil else { continue }
      fields[name] = String(word[word.index(after: mark)...])
      order.append(name)
    }
    guard fields["id"]?.isEmpty == false else { return nil }
    if found.prefix.hasPrefix("Ended orphaned") { members = [("dismissal-policy", "immediate")] }
    guard kind == "state" else { return }
    let shown = message.split(separator: "-> ").dropFirst().first.map(String.init)
    // A card that is bound because it is new is told of by its start; one taken up again says
    // nothing of its state in older versions.
    let isNew = message.contains("(start-new)") || message.contains("(renew)")
    guard !isNew, let state = shown ?? fields["state"] else { return nil }
    members = [("state", state)]
  }
}

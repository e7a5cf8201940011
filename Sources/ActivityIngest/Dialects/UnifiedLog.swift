internal import ActivityCore

/// `log show` and `log stream` as objects: one a line (`--style ndjson`) or in one array (`json`).
public struct UnifiedLog: Dialect {
  public static let name = "oslog"
  public static let summary = "unified log exports in ndjson and json style"
  public static let framing = Framing.json
  public static let remembers = true

  private let times: SourceTime
  private var messages: MessageEvents

  /// Members that only this export has beside a message.
  private static let marks: Set<String> = [
    "machTimestamp", "processImagePath", "senderImagePath", "bootUUID", "eventType",
  ]

  public static func likeness(of record: SourceRecord) -> Int {
    guard let members = record.json?.members else { return 0 }
    if isClosing(members) { return 1 }
    let found = members.count { marks.contains($0.name) }
    return found >= 2 ? 8 : 0
  }

  public init(_ settings: SourceSettings) {
    times = SourceTime(settings)
    messages = MessageEvents(Self.name, settings)
  }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let json = record.json else { return .skipped("a line that is no record") }
    let members = json.members
    if Self.isClosing(members) { return .skipped("the closing record") }
    let type = members.first { $0.name == "eventType" }?.value.string
    guard type == nil || type == "logEvent" else {
      return .skipped("records that are no log lines")
    }
    guard members.contains(where: { $0.name == "eventMessage" }) else {
      return .skipped("no message")
    }
    return messages.read(message(members), of: record, into: &events)
  }

  public mutating func finish(into events: inout [EventDraft]) { messages.finish(into: &events) }

  private static func isClosing(_ members: [(name: String, value: JSONSlice)]) -> Bool {
    members.count <= 3 && members.contains { $0.name == "finished" }
      && members.contains { $0.name == "count" }
  }

  private func message(_ members: [(name: String, value: JSONSlice)]) -> LogMessage {
    var message = LogMessage(time: .bad)
    for (name, value) in members {
      let text = value.string ?? (value.type == .number ? value.spelling : "")
      switch name {
      case "timestamp":
        message.time =
          times.instant(value).map { .instant($0) } ?? LogMessage.Time(text, times)
      case "processImagePath":
        message.process = text.split(separator: "/").last.map(String.init) ?? ""
      case "process": if message.process.isEmpty { message.process = text }
      case "processID": message.pid = text
      case "subsystem": message.subsystem = text
      case "category": message.category = text
      case "eventMessage": message.message = text
      case "formatString": message.formatString = text
      case "bootUUID": message.boot = text
      case "machTimestamp": message.mach = text
      case "threadID": message.thread = text
      default: break
      }
    }
    return message
  }
}

internal import ActivityCore

/// The log's own lines: one event, one JSON object, one line.
///
/// Lines go to the reader as they are; only where a source lays its objects out otherwise (in an
/// array, over several lines) does this make drafts of them.
package struct NativeLines: Dialect {
  package static let name = "ndjson"
  package static let summary = "event lines of our own, as export and append write them"
  package static let framing = Framing.lines

  /// Members that only our own lines have, or that a record of others seldom has beside `event`.
  private static let marks: Set<String> = [
    "at", "recorded-at", "seq", "activity-id", "recorder", "bundle-id", "apns-id", "token-kind",
    "content-state", "attributes-type", "key", "token", "channel", "device",
  ]

  private static let kinds = Set(EventKind.allCases.filter { $0 != .unknown }.map(\.word))

  /// Loggers also write `event`, for their message: a word that is no kind of ours needs what only
  /// the log adds, or what every imported event has.
  package static func likeness(of record: SourceRecord) -> Int {
    guard let members = record.json?.members,
      let event = members.first(where: { $0.name == "event" })?.value, event.type == .string
    else { return 0 }
    let names = Set(members.map(\.name))
    if kinds.contains(event.string ?? "") { return names.isDisjoint(with: marks) ? 0 : 5 }
    if !names.isDisjoint(with: ["seq", "recorded-at"]) { return 5 }
    if names.isSuperset(of: ["recorder", "id"]) { return 5 }
    return names.contains("at") ? 1 : 0
  }

  package init(_ settings: SourceSettings) {}

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let json = record.json else {
      return .refused(
        code: "not-json", sentence: "The line is no JSON; write one object a line, {\"event\":…}.")
    }
    events.append(EventDraft(line: json))
    return .events
  }
}

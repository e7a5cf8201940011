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

  package static func likeness(of record: SourceRecord) -> Int {
    guard let members = record.json?.members,
      let event = members.first(where: { $0.name == "event" }),
      event.value.type == .string, members.contains(where: { marks.contains($0.name) })
    else { return 0 }
    return 5
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

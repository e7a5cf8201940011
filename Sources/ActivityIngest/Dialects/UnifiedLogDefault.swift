/// `log show` in its default style.
package struct UnifiedLogDefault: Dialect {
  package static let name = "oslog-default"
  package static let summary = "log show in its default style"
  package static let framing = Framing.text
  package static let remembers = true

  private var rows: LogRows

  package static func likeness(of record: SourceRecord) -> Int {
    LogRow(record.bytes, .table) == nil ? 0 : 6
  }

  package init(_ settings: SourceSettings) { rows = LogRows(.table, Self.name, settings) }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    rows.read(record, into: &events)
  }

  package mutating func finish(into events: inout [EventDraft]) { rows.finish(into: &events) }
}

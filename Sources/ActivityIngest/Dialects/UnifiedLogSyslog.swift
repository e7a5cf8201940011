/// `log show` in its syslog style.
package struct UnifiedLogSyslog: Dialect {
  package static let name = "oslog-syslog"
  package static let summary = "log show in its syslog style"
  package static let framing = Framing.text
  package static let remembers = true

  private var rows: LogRows

  package static func likeness(of record: SourceRecord) -> Int {
    LogRow(record.bytes, .syslog) == nil ? 0 : 6
  }

  package init(_ settings: SourceSettings) { rows = LogRows(.syslog, Self.name, settings) }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    rows.read(record, into: &events)
  }

  package mutating func finish(into events: inout [EventDraft]) { rows.finish(into: &events) }
}

/// `log show` in its syslog style.
public struct UnifiedLogSyslog: Dialect {
  public static let name = "oslog-syslog"
  public static let summary = "log show in its syslog style"
  public static let framing = Framing.text
  public static let remembers = true

  private var rows: LogRows

  public static func likeness(of record: SourceRecord) -> Int {
    LogRow(record.bytes, .syslog) == nil ? 0 : 6
  }

  public init(_ settings: SourceSettings) { rows = LogRows(.syslog, Self.name, settings) }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    rows.read(record, into: &events)
  }

  public mutating func finish(into events: inout [EventDraft]) { rows.finish(into: &events) }
}

/// `log show` in its compact style.
public struct UnifiedLogCompact: Dialect {
  public static let name = "oslog-compact"
  public static let summary = "log show in its compact style"
  public static let framing = Framing.text
  public static let remembers = true

  private var rows: LogRows

  public static func likeness(of record: SourceRecord) -> Int {
    LogRow(record.bytes, .compact) == nil ? 0 : 6
  }

  public init(_ settings: SourceSettings) { rows = LogRows(.compact, Self.name, settings) }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    rows.read(record, into: &events)
  }

  public mutating func finish(into events: inout [EventDraft]) { rows.finish(into: &events) }
}

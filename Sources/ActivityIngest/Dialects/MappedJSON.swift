/// JSON records of any shape: as the caller's map reads them or, without one, as far as the names
/// of their members tell a table of work or of pushes.
public struct MappedJSON: Dialect {
  public static let name = "json"
  public static let summary = "JSON records of any shape, by --map or guessed from names"
  public static let framing = Framing.json
  /// A guess grows with the names that come.
  public static let remembers = true

  private var records: GuessedRecords

  public static func likeness(of record: SourceRecord) -> Int {
    GuessedRecords.recognises(record, name) ? 1 : 0
  }

  public static func map(of records: [SourceRecord]) -> [UInt8] {
    GuessedRecords.map(of: records, name) ?? Array(#"{"format":"json"}"#.utf8)
  }

  public init(_ settings: SourceSettings) { records = GuessedRecords(Self.name, settings) }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    records.read(record, into: &events)
  }
}

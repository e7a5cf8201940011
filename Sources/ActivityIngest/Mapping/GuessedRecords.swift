internal import ActivityCore

/// Reads records by the caller's map or, where there is none, by what their names let guess.
struct GuessedRecords: Sendable {
  private let format: String
  private let settings: SourceSettings
  private let isTold: Bool
  private var guess: NameGuess
  private var mapped: MappedRecords?

  /// - Parameter format: `json` or `csv`.
  init(_ format: String, _ settings: SourceSettings) {
    self.format = format
    self.settings = settings
    guess = NameGuess(format)
    let map = settings.map.flatMap { $0.clauses.isEmpty ? nil : $0 }
    isTold = map != nil
    mapped = map.map { MappedRecords($0, name: format, settings) }
  }

  mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let json = record.json else { return .skipped("no JSON object") }
    if !isTold, guess.learn(json.members.map(\.name)) {
      mapped = Self.mapped(guess, settings, format)
    }
    guard let mapped else {
      return .refused(
        code: "no-map",
        sentence: "Nothing says what these records mean and their names do not tell; write a map "
          + "for --map: {\"format\":\"\(format)\",\"rows\":[{\"when\":…,\"set\":…,\"take\":…}]}.")
    }
    return mapped.read(record, into: &events)
  }

  /// Whether a record by itself lets guess what it means, and means something then. JSON lines of
  /// our own have their dialect.
  static func recognises(_ record: SourceRecord, _ format: String) -> Bool {
    guard let json = record.json else { return false }
    if format == MappedJSON.name, NativeLines.likeness(of: record) > 0 { return false }
    var guess = NameGuess(format)
    guard guess.learn(json.members.map(\.name)), guess.isTelling else { return false }
    return mapped(guess, SourceSettings(), format)?.fits(record) == true
  }

  /// The map that records lead to, one after the other.
  static func map(of records: [SourceRecord], _ format: String) -> [UInt8]? {
    var guess = NameGuess(format)
    for record in records { _ = guess.learn((record.json?.members ?? []).map(\.name)) }
    return guess.map
  }

  private static func mapped(
    _ guess: NameGuess, _ settings: SourceSettings, _ format: String
  ) -> MappedRecords? {
    guard let bytes = guess.map, let map = try? EventMap(bytes) else { return nil }
    return MappedRecords(map, name: format, settings)
  }
}

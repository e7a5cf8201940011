/// A way in which others write down what happened to Live Activities.
///
/// A dialect turns one record of its source into event lines of ours, as drafts; bytes, line ends,
/// records, limits, counting and columns are `Ingestion`'s. A new one is its file in `Dialects` and
/// a line in `Dialects.all`. What it makes of a record depends on that record, and on earlier
/// records of the same source where it `remembers`; never on names of files, clocks or order of
/// import.
public protocol Dialect: Sendable {
  /// The name `--format` takes, the default `recorder` of its events, and how their ids begin.
  static var name: String { get }

  /// What it reads, in a few words.
  static var summary: String { get }

  /// How its source falls into records.
  static var framing: Framing { get }

  /// Whether what it makes of a record hangs on earlier ones: its source is then always read from
  /// the beginning.
  static var remembers: Bool { get }

  /// How much a record looks like this dialect's: 0 not at all, 1 perhaps, up to 10 for what nobody
  /// else writes.
  static func likeness(of record: SourceRecord) -> Int

  /// What it would be told by `--map` to read such records so: a JSON object.
  static func map(of records: [SourceRecord]) -> [UInt8]

  init(_ settings: SourceSettings)

  /// Reads one record; what it says goes to `events`, in order.
  mutating func read(_ record: SourceRecord, into events: inout [EventDraft]) -> RecordOutcome

  /// The source has ended: what only its end can tell.
  mutating func finish(into events: inout [EventDraft])
}

extension Dialect {
  /// Most records speak for themselves.
  public static var remembers: Bool { false }

  /// The dialect's name is all there is to say.
  public static func map(of records: [SourceRecord]) -> [UInt8] {
    Array(#"{"format":"\#(name)"}"#.utf8)
  }

  /// Most sources tell everything before they end.
  public mutating func finish(into events: inout [EventDraft]) {}
}

/// How a source falls into records.
public enum Framing: Hashable, Sendable {
  /// A line is a record, and is an event line of ours.
  case lines
  /// JSON objects, however they are laid out: one a line, many on one, over many lines, in an
  /// array; other lines are records of text.
  case json
  /// A line of text is a record.
  case text
  /// Lines of fields under a header; a record is an object of texts, named by the header.
  case csv
}

/// What a dialect made of one record; drafts it added are handed out whatever it says of the record
/// itself.
public enum RecordOutcome: Hashable, Sendable {
  /// The drafts it added, at least one.
  case events
  /// Understood, and not about a Live Activity: counted under these words, not refused.
  case skipped(String)
  /// Not understood, under a stable word to count by and a sentence that says what to do.
  case refused(code: String, sentence: String)
}

internal import ActivityCore

/// What an app printed: lines of Xcode's console, of `print` and of a terminal.
///
/// A line without any time happened when it is read, as in a pipe from a running app.
public struct ConsoleText: Dialect {
  public static let name = "console"
  public static let summary = "console text of an app: Xcode, print, a terminal"
  public static let framing = Framing.text
  public static let remembers = true

  private let times: SourceTime
  private var messages: MessageEvents

  public static func likeness(of record: SourceRecord) -> Int {
    guard !isJSON(record.bytes) else { return 0 }
    let line = ConsoleLine(record.bytes, SourceTime(SourceSettings()))
    return PatternTable.builtIn.match(line.message) == nil ? 0 : 3
  }

  public init(_ settings: SourceSettings) {
    times = SourceTime(settings)
    messages = MessageEvents(Self.name, settings)
  }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    messages.read(ConsoleLine(record.bytes, times).message, of: record, into: &events)
  }

  public mutating func finish(into events: inout [EventDraft]) { messages.finish(into: &events) }

  /// What logs objects is for other dialects, whatever their texts say.
  private static func isJSON(_ line: [UInt8]) -> Bool {
    let ink = line.drop { $0 <= 0x20 || $0 == UInt8(ascii: "[") }
    return ink.first == UInt8(ascii: "{")
  }
}

internal import ActivityCore

/// What an app printed: lines of Xcode's console, of `print` and of a terminal.
///
/// A line without any time happened when it is read, as in a pipe from a running app.
package struct ConsoleText: Dialect {
  package static let name = "console"
  package static let summary = "console text of an app: Xcode, print, a terminal"
  package static let framing = Framing.text
  package static let remembers = true

  private let times: SourceTime
  private var messages: MessageEvents

  package static func likeness(of record: SourceRecord) -> Int {
    guard !isJSON(record.bytes) else { return 0 }
    let line = ConsoleLine(record.bytes, SourceTime(SourceSettings()))
    return PatternTable.builtIn.match(line.message) == nil ? 0 : 3
  }

  package init(_ settings: SourceSettings) {
    times = SourceTime(settings)
    messages = MessageEvents(Self.name, settings)
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    messages.read(ConsoleLine(record.bytes, times).message, of: record, into: &events)
  }

  package mutating func finish(into events: inout [EventDraft]) { messages.finish(into: &events) }

  /// What logs objects is for other dialects, whatever their texts say.
  private static func isJSON(_ line: [UInt8]) -> Bool {
    let ink = line.drop { $0 <= 0x20 || $0 == UInt8(ascii: "[") }
    return ink.first == UInt8(ascii: "{")
  }
}

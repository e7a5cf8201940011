public import ActivityCore

/// The log's own lines: one event, one JSON object, one line.
public struct NativeLines: Dialect {
  /// As `--format` would spell it.
  public static let name = "ndjson"

  /// Nothing to remember between lines.
  public init(restoring: Bool) {}

  /// Hands a line to the reader as it is.
  public mutating func read(
    _ line: UnsafeRawBufferPointer, number: Int, into reader: inout LineReader
  ) -> DialectOutcome {
    .line(reader.read(line, number: number))
  }
}

public import ActivityCore

/// The log's own lines: one event, one JSON object, one line.
public struct NativeLines: Dialect {
  public static let name = "ndjson"

  public init(restoring: Bool) {}

  public mutating func read(
    _ line: UnsafeRawBufferPointer, number: Int, into reader: inout LineReader
  ) -> DialectOutcome {
    .line(line.withMemoryRebound(to: UInt8.self) { bytes in
      reader.read(UnsafeRawBufferPointer(bytes), number: number)
    })
  }
}

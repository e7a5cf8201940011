public import ActivityCore

/// One record of a source: a JSON object, the fields of a line under their header, or a line of
/// text.
public struct SourceRecord: Sendable {
  /// The number of its first line in the source, from 1 on.
  public var line: Int
  /// Its exact bytes, without the line end.
  public var bytes: [UInt8]
  /// What it says as JSON; fields are an object of texts. Nil for text.
  public var json: JSONSlice?

  /// A record that begins on a line, as text or as JSON.
  public init(line: Int, bytes: [UInt8], json: JSONSlice? = nil) {
    self.line = line
    self.bytes = bytes
    self.json = json
  }

  /// The line as text, what is no UTF-8 in it replaced.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// What framing makes of lines.
enum FramedPiece: Sendable {
  case record(SourceRecord)
  /// Bytes that are no record, and where they begin.
  case broken(LineRefusal, [UInt8])
}

internal import ActivityCore

/// Lines in, records out, in one of the ways a source can be laid out.
struct RecordFraming: Sendable {
  private enum Mode: Sendable {
    case json(JSONDocuments)
    case csv(FieldRows)
    case text
  }

  private var mode: Mode

  init(_ framing: Framing) {
    switch framing {
    case .json: mode = .json(JSONDocuments())
    case .csv: mode = .csv(FieldRows())
    case .text, .lines: mode = .text
    }
  }

  /// Whether a record has begun and not ended: the source may not be left here.
  var isInside: Bool {
    switch mode {
    case .json(let documents): documents.isInside
    case .csv(let rows): rows.isInside
    case .text: false
    }
  }

  /// Takes the next line, without its end; blank lines give nothing.
  mutating func take(_ line: UnsafeRawBufferPointer, number: Int, into pieces: inout [FramedPiece])
  {
    switch mode {
    case .json(var documents):
      mode = .text
      documents.take(line, number: number, into: &pieces)
      mode = .json(documents)
    case .csv(var rows):
      mode = .text
      rows.take(line, number: number, into: &pieces)
      mode = .csv(rows)
    case .text:
      guard line.contains(where: { $0 > 0x20 }) else { return }
      pieces.append(.record(SourceRecord(line: number, bytes: Array(line))))
    }
  }

  /// Takes the end of the source.
  mutating func finish(into pieces: inout [FramedPiece]) {
    switch mode {
    case .json(var documents):
      documents.finish(into: &pieces)
      mode = .json(documents)
    case .csv(var rows):
      rows.finish(into: &pieces)
      mode = .csv(rows)
    case .text: break
    }
  }
}

public import ActivityCore

/// Chunks of bytes in, batches of columns out: one file or stream in one format.
///
/// It holds at most one unfinished record and one unfinished batch, whatever comes.
public struct Ingestion: Sendable {
  /// What an ingestion hands out, in the order of the input.
  public enum Step: Sendable {
    /// Rows, the position in the input behind the last line that is in them, and the number of the
    /// input's line each row comes from.
    case batch(EventColumns, end: Int, lines: [Int])
    /// A line that was not taken, and its bytes (of an overlong one the first 4 096).
    case refused(LineRefusal, line: ArraySlice<UInt8>)
  }

  /// What was taken so far.
  public private(set) var report = IngestReport()

  private var source: SourceLines
  private var reader: LineReader
  private var rowLines: [Int] = []
  /// Behind the last whole line.
  private var lineEnd: Int

  /// - Parameters:
  ///   - format: what the input is written in.
  ///   - restoring: whether `seq` and `recorded-at` of the lines are kept.
  ///   - keyPath: where the business key lies on lines that name none.
  ///   - position: where in the input the first byte lies, when an earlier ingestion took the rest.
  ///   - line: how many lines lie before it.
  ///   - known: up to here the input was taken before, and only teaches the dialect.
  public init(
    _ format: SourceFormat = .ndjson, restoring: Bool = false, keyPath: KeyPointer? = nil,
    position: Int = 0, line: Int = 0, known: Int = 0
  ) {
    source = SourceLines(format, position: position, line: line, known: known)
    reader = LineReader(restoring: restoring, keyPath: keyPath)
    lineEnd = max(position, known)
    report.lines = line
  }

  /// How many rows wait for the next batch.
  public var waitingRows: Int { reader.rowCount }

  /// Where in the input the last whole line ends.
  public var end: Int { lineEnd }

  /// Takes the next bytes of the input.
  public mutating func take(
    _ chunk: ArraySlice<UInt8>, _ step: (Step) throws -> Void
  ) rethrows {
    var taken = source
    source = SourceLines()
    defer {
      report.lines = taken.lines
      source = taken
    }
    if taken.isPlain {
      try chunk.withUnsafeBytes { try takeLines($0, of: &taken, step) }
    } else {
      try taken.take(chunk) { try settle($0, step) }
    }
    report.bytes += chunk.count
  }

  /// Takes event lines: in runs, and each line that a run leaves by itself.
  private mutating func takeLines(
    _ bytes: UnsafeRawBufferPointer, of source: inout SourceLines, _ step: (Step) throws -> Void
  ) rethrows {
    var start = 0
    while start < bytes.count {
      if source.isBetweenLines {
        let run = reader.readRun(bytes, from: start)
        rowLines.append(contentsOf: (source.lines + 1)..<(source.lines + 1 + run.rows))
        report.rows += run.rows
        lineEnd = max(lineEnd, source.pass(lines: run.rows, bytes: run.end - start))
        start = run.end
        if reader.isFull {
          try cut(step)
          continue
        }
      }
      let end = LineBreaks.next(in: bytes, from: start).map { $0 + 1 } ?? bytes.count
      try source.take(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
        try settle($0, step)
      }
      start = end
    }
  }

  /// Takes the end of the input: a last line without line feed, and what waits.
  public mutating func finish(_ step: (Step) throws -> Void) rethrows {
    var taken = source
    source = SourceLines()
    defer {
      report.lines = taken.lines
      source = taken
    }
    try taken.finish { try settle($0, step) }
    try cut(step)
  }

  /// Hands out the rows that wait, if any: for a caller that commits by time.
  public mutating func cut(_ step: (Step) throws -> Void) rethrows {
    guard reader.rowCount > 0 else { return }
    let lines = rowLines
    rowLines = []
    try step(.batch(reader.finish(), end: lineEnd, lines: lines))
  }

  private mutating func settle(
    _ made: SourceLines.Step, _ step: (Step) throws -> Void
  ) rethrows {
    switch made {
    case .event(let line, let number, let record): try read(line, number, record, step)
    case .blank: report.blank += 1
    case .skipped(let why): report.skip(why)
    case .refused(let refusal, let bytes): try refuse(refusal, bytes, step)
    case .end(let position):
      lineEnd = max(lineEnd, position)
      if reader.isFull { try cut(step) }
    }
  }

  private mutating func read(
    _ line: UnsafeRawBufferPointer, _ number: Int, _ record: [UInt8]?,
    _ step: (Step) throws -> Void
  ) rethrows {
    var outcome = reader.read(line, number: number)
    if outcome == .full {
      try cut(step)
      outcome = reader.read(line, number: number)
    }
    switch outcome {
    case .blank: report.blank += 1
    case .row:
      report.rows += 1
      rowLines.append(number)
    case .refused(let refusal): try refuse(refusal, (record ?? Array(line))[...], step)
    case .full:
      // An empty batch has room for every line within the limits.
      let refusal = LineRefusal(line: number, column: 1, reason: .lineTooLong)
      try refuse(refusal, (record ?? Array(line))[...], step)
    }
  }

  private mutating func refuse(
    _ refusal: LineRefusal, _ line: ArraySlice<UInt8>, _ step: (Step) throws -> Void
  ) rethrows {
    report.add(refusal)
    try step(.refused(refusal, line: line))
  }
}

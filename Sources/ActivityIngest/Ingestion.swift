public import ActivityCore

/// Chunks of bytes in, batches of columns out: one file or stream in one dialect.
///
/// It holds at most one unfinished line and one unfinished batch, whatever comes. A byte order mark
/// at the start, CR before LF, and a last line without LF are accepted.
public struct Ingestion: Sendable {
  /// What an ingestion hands out, in the order of the input.
  public enum Step: Sendable {
    /// Rows, and the position in the input behind the last line that is in them.
    case batch(EventColumns, end: Int)
    /// A line that was not taken, and its bytes (of an overlong one the first 4 096).
    case refused(LineRefusal, line: ArraySlice<UInt8>)
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let sampleLength = 4_096

  /// What was taken so far.
  public private(set) var report = IngestReport()

  private var dialect: any Dialect
  private var reader: LineReader
  /// The beginning of a line whose end has not come.
  private var pending: [UInt8] = []
  /// Whether the rest of the present line is thrown away, because it was too long.
  private var isDropping = false
  private var position: Int
  /// Behind the last whole line.
  private var lineEnd: Int

  /// - Parameters:
  ///   - restoring: whether `seq` and `recorded-at` of the lines are kept.
  ///   - keyPath: where the business key lies on lines that name none.
  ///   - position: where in the input the first byte lies, when an earlier ingestion took the rest.
  ///   - line: how many lines lie before it.
  public init(
    dialect: any Dialect.Type = NativeLines.self, restoring: Bool = false,
    keyPath: KeyPointer? = nil, position: Int = 0, line: Int = 0
  ) {
    self.dialect = dialect.init(restoring: restoring)
    reader = LineReader(restoring: restoring, keyPath: keyPath)
    self.position = position
    lineEnd = position
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
    try chunk.withUnsafeBytes { bytes in
      var start = 0
      while let feed = LineBreaks.next(in: bytes, from: start) {
        try take(part: UnsafeRawBufferPointer(rebasing: bytes[start..<feed]), isEnd: true, step)
        start = feed + 1
      }
      try take(part: UnsafeRawBufferPointer(rebasing: bytes[start...]), isEnd: false, step)
    }
    report.bytes += chunk.count
  }

  /// Takes the end of the input: a last line without line feed, and what waits.
  public mutating func finish(_ step: (Step) throws -> Void) rethrows {
    if !pending.isEmpty || isDropping {
      position -= 1
      try take(part: UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true, step)
    }
    try cut(step)
  }

  /// Hands out the rows that wait, if any: for a caller that commits by time.
  public mutating func cut(_ step: (Step) throws -> Void) rethrows {
    guard reader.rowCount > 0 else { return }
    try step(.batch(reader.finish(), end: lineEnd))
  }

  /// Takes a piece of a line; `isEnd` when a line feed follows it.
  private mutating func take(
    part: UnsafeRawBufferPointer, isEnd: Bool, _ step: (Step) throws -> Void
  ) rethrows {
    position += part.count + (isEnd ? 1 : 0)
    if isDropping {
      if isEnd { try refuseLongLine(step) }
      return
    }
    if pending.count + part.count > LineReader.lineLimit {
      pending.append(contentsOf: part.prefix(max(0, Ingestion.sampleLength - pending.count)))
      pending.removeSubrange(min(pending.count, Ingestion.sampleLength)...)
      isDropping = true
      if isEnd { try refuseLongLine(step) }
      return
    }
    guard isEnd else { return pending.append(contentsOf: part) }
    guard !pending.isEmpty else { return try read(part, step) }
    pending.append(contentsOf: part)
    let line = pending
    pending = []
    try line.withUnsafeBytes { try read($0, step) }
  }

  private mutating func refuseLongLine(_ step: (Step) throws -> Void) rethrows {
    report.lines += 1
    let refusal = LineRefusal(
      line: report.lines, column: LineReader.lineLimit + 1, reason: .lineTooLong)
    let sample = pending[...]
    pending = []
    isDropping = false
    lineEnd = position
    report.add(refusal)
    try step(.refused(refusal, line: sample))
  }

  /// Reads one whole line, which may still end in CR.
  private mutating func read(
    _ whole: UnsafeRawBufferPointer, _ step: (Step) throws -> Void
  ) rethrows {
    var line = whole
    report.lines += 1
    if report.lines == 1, line.starts(with: Ingestion.mark) {
      line = UnsafeRawBufferPointer(rebasing: line[3...])
    }
    if line.last == UInt8(ascii: "\r") { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    var outcome = dialect.read(line, number: report.lines, into: &reader)
    if outcome == .line(.full) {
      try cut(step)
      outcome = dialect.read(line, number: report.lines, into: &reader)
    }
    lineEnd = position
    switch outcome {
    case .skipped: report.skipped += 1
    case .line(.blank): report.blank += 1
    case .line(.row):
      report.rows += 1
      if reader.isFull { try cut(step) }
    case .line(.refused(let refusal)):
      report.add(refusal)
      try step(.refused(refusal, line: Array(line)[...]))
    case .line(.full):
      // An empty batch has room for every line within the limits.
      let refusal = LineRefusal(line: report.lines, column: 1, reason: .lineTooLong)
      report.add(refusal)
      try step(.refused(refusal, line: Array(line)[...]))
    }
  }
}

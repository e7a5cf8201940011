internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// Takes the history in files or streams into a log: each from where it was left, batch by batch,
/// the cursor in the same commit as the rows before it.
struct IngestRun {
  /// What was done so far.
  struct Tally {
    var appended = 0
    var repeated = 0
    var skipped = 0
    /// Whether some line had a business key.
    var hasKey = false
    /// Of the inputs, read in this run.
    var bytes = 0
    var first: Int64?
    var last: Int64?
  }

  private(set) var tally = Tally()
  private(set) var refusals: Refusals

  private let appender: BatchAppender
  private let isRestoring: Bool
  private let keyPath: KeyPointer?
  private let console: Console
  private let now: @Sendable () -> Timestamp
  private var progress: IngestProgress
  /// Input since the last sync, in bytes.
  private var unsynced = 0

  private static let syncBytes = 8 << 20
  /// So much input without a commit, and one is made: what a conflict may have to look through.
  private static let batchBytes = 16 << 20

  init(
    _ writer: LogWriter, isRestoring: Bool, keyPath: KeyPointer?, refusals: Refusals,
    _ console: Console, _ environment: Environment
  ) {
    appender = BatchAppender(writer: writer)
    self.isRestoring = isRestoring
    self.keyPath = keyPath
    self.refusals = refusals
    self.console = console
    now = environment.now
    progress = IngestProgress(console, environment)
  }

  /// Takes what is new in an input; nothing is durable before `finish`.
  mutating func take(_ input: IngestInput, _ feed: IngestFeed?) throws {
    let start = try feed.map { try resume(input, $0) } ?? 0
    if let size = input.size, start == size, start > 0 {
      console.note("\(input.name): nothing new: its \(Quantity.bytes(size)) were taken before")
      return
    }
    var batch = BatchPlace(input: input, feed: feed, start: start)
    var ingestion = Ingestion(
      restoring: isRestoring, keyPath: keyPath, position: start, line: start > 0 ? 1 : 0)
    progress.begin(input, at: start)
    var last: UInt8?
    while true {
      let chunk = try input.next()
      guard let end = chunk.last else { break }
      last = end
      try settle(&batch) { step in ingestion.take(chunk[...], step) }
      if ingestion.end - batch.end > Self.batchBytes {
        try settle(&batch) { step in ingestion.cut(step) }
        batch.end = ingestion.end
      }
      input.forget(before: max(0, batch.end - IngestFeed.span))
      try syncIfDue(chunk.count)
      progress.show(events: tally.appended + ingestion.waitingRows, input)
    }
    if let last, last != UInt8(ascii: "\n") {
      // A last line without its end may still be growing: if it is refused, the cursor stays
      // before it.
      try settle(&batch) { step in ingestion.cut(step) }
    }
    try settle(&batch) { step in ingestion.finish(step) }
    tally.skipped += ingestion.report.skipped
    guard input.position == start else { return }
    console.note("\(input.name): \(start == 0 ? "it is empty" : "nothing new")")
  }

  /// Makes everything durable.
  mutating func finish() throws {
    try appender.writer.sync()
    unsynced = 0
  }

  /// Where a feed was left, once that place looks as it did.
  private func resume(_ input: IngestInput, _ feed: IngestFeed) throws -> Int {
    guard let cursor = appender.writer.cursor(of: feed.name),
      let position = Int(exactly: cursor.position)
    else { return 0 }
    guard let size = input.size else {
      try skip(input, to: position, cursor)
      return position
    }
    guard position <= size, try IngestFeed.check(of: input, before: position) == cursor.check
    else { return 0 }
    input.seek(to: position)
    return position
  }

  /// A stream begins anew each time: what was taken before passes by, and must be the same.
  private func skip(_ input: IngestInput, to position: Int, _ cursor: IngestCursor) throws {
    while input.position < position {
      let count = min(IngestInput.chunkBytes, position - input.position)
      guard try !input.next(count).isEmpty else { break }
      input.forget(before: min(position, input.position) - IngestFeed.span)
    }
    guard input.position >= position,
      try IngestFeed.check(of: input, before: position) == cursor.check
    else {
      throw CommandError(
        "\(input.name): not the input this feed had before, \(Quantity.bytes(position)) of it",
        hint: "the same input from its beginning, or another --feed NAME")
    }
  }

  private mutating func settle(
    _ batch: inout BatchPlace, _ work: ((Ingestion.Step) -> Void) -> Void
  ) throws {
    var steps: [Ingestion.Step] = []
    work { steps.append($0) }
    for step in steps {
      switch step {
      case .batch(let columns, let end, _): try append(columns, end: end, &batch)
      case .refused(let refusal, let line):
        let number = refusal.line + (try batch.linesBefore())
        try refusals.add(
          Refusals.Refusal(
            code: refusal.reason.code,
            place: "\(batch.input.name):\(number):\(refusal.column)",
            sentence: refusal.reason.sentence, line: line))
      }
    }
  }

  private mutating func append(
    _ columns: EventColumns, end: Int, _ batch: inout BatchPlace
  ) throws {
    let fates = try appender.append(
      columns, cursors: try batch.cursors(at: end), now: now().microseconds)
    if !tally.hasKey {
      tally.hasKey =
        columns.subjects.kind.contains(.key)
        || columns[.key].contains { $0 != EventColumns.absent }
    }
    var refused: [Int: (code: String, sentence: String)] = [:]
    for (row, fate) in fates.enumerated() {
      switch fate {
      case .appended(let seq):
        tally.appended += 1
        tally.first = tally.first ?? seq
        tally.last = seq
      case .repeated: tally.repeated += 1
      case .refused(let code, let sentence): refused[row] = (code, sentence)
      }
    }
    if !refused.isEmpty {
      let lines = try batch.lines(of: Set(refused.keys), end: end, isRestoring: isRestoring)
      for (row, number, line) in lines {
        guard let (code, sentence) = refused[row] else { continue }
        try refusals.add(
          Refusals.Refusal(
            code: code, place: "\(batch.input.name):\(number)", sentence: sentence, line: line))
      }
    }
    batch.end = end
  }

  private mutating func syncIfDue(_ bytes: Int) throws {
    tally.bytes += bytes
    unsynced += bytes
    guard unsynced >= Self.syncBytes else { return }
    try finish()
  }
}

/// How far an input has come in batches.
struct BatchPlace {
  let input: IngestInput
  let feed: IngestFeed?
  let start: Int
  /// Behind the last line of the batch before.
  var end: Int

  init(input: IngestInput, feed: IngestFeed?, start: Int) {
    self.input = input
    self.feed = feed
    self.start = start
    end = start
  }

  /// What is to be added to a number that counts from where this run began.
  func linesBefore() throws -> Int {
    start > 0 ? try input.lines(before: start) - 1 : 0
  }

  /// The cursor a commit carries whose last line ends at a position.
  func cursors(at position: Int) throws -> [IngestCursor] {
    guard let feed else { return [] }
    return [
      IngestCursor(
        feed: feed.name, position: UInt64(position),
        check: try IngestFeed.check(of: input, before: position))
    ]
  }

  /// The lines that rows of a batch were read from, found by reading it again.
  func lines(
    of rows: Set<Int>, end: Int, isRestoring: Bool
  ) throws -> [(row: Int, number: Int, line: ArraySlice<UInt8>)] {
    let bytes = try input.bytes(in: self.end..<end)
    var number = try input.lines(before: self.end)
    var reader = LineReader(restoring: isRestoring)
    var found: [(row: Int, number: Int, line: ArraySlice<UInt8>)] = []
    var row = 0
    var mark = self.end == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      var line = part.dropFirst(mark)
      mark = 0
      if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
      guard case .row = reader.read(line, number: number) else { continue }
      _ = reader.finish()
      if rows.contains(row) { found.append((row, number, line)) }
      row += 1
    }
    return found
  }
}

internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// Takes one source of event lines as they stand into a log, from where it was left, batch by
/// batch, the cursor in the same commit as the rows before it.
///
/// It is the fast way: lines are read where they lie, on a thread of their own while the batches
/// before them are written. Whatever must be merged, translated or followed goes through
/// `MergeRun`.
struct IngestRun {
  private(set) var sink: IngestSink

  private let isRestoring: Bool
  private let keyPath: KeyPointer?
  private let console: Console
  private var progress: IngestProgress

  /// Chunks that are read while a batch is written: more than two batches, so that neither thread
  /// waits for the other while it has work of its own.
  private static let chunksAhead = 16

  init(
    _ sink: IngestSink, isRestoring: Bool, keyPath: KeyPointer?, _ console: Console,
    _ environment: Environment
  ) {
    self.sink = sink
    self.isRestoring = isRestoring
    self.keyPath = keyPath
    self.console = console
    progress = IngestProgress(console, environment)
  }

  /// Takes what is new in a source; nothing is durable before the sink is synced.
  ///
  /// - Returns: damage when the input breaks off; what came before is taken.
  mutating func take(_ source: IngestSource) throws -> ExitStatus {
    let input = source.input
    let start = source.start
    if source.isAtEnd {
      source.sayNothingNew(console)
      return .fine
    }
    var batch = BatchPlace(source: source)
    let lines = LinesAhead(
      Ingestion(restoring: isRestoring, keyPath: keyPath, position: start, line: start > 0 ? 1 : 0),
      from: start, prepares: !isRestoring)
    let reading = EncodeBehind<LinesAhead, LinesAhead.Job, LinesAhead.Outcome>(lines) {
      $0.take($1)
    }
    progress.begin([input])
    var status = ExitStatus.fine
    var last: UInt8?
    do {
      while true {
        let chunk = try input.next()
        guard let end = chunk.last else { break }
        last = end
        reading.give(.chunk(chunk))
        try settle(reading, &batch, downTo: Self.chunksAhead)
        input.forget(before: max(0, batch.end - IngestFeed.span))
        try sink.count(bytes: input.count())
        progress.show(events: sink.tally.appended, [input])
      }
      try settle(reading, &batch)
    } catch let error as CommandError where error.status == .damage {
      try settle(reading, &batch)
      console.say(error)
      status = .damage
    }
    if status == .damage || last.map({ $0 != UInt8(ascii: "\n") }) ?? false {
      // A last line without its end may still be growing: if it is refused, the cursor stays
      // before it.
      reading.give(.cut)
    }
    if status == .fine { reading.give(.finish) }
    try settle(reading, &batch)
    if input.position == start, status == .fine { source.sayNothingNew(console) }
    return status
  }

  /// Takes what was made of the oldest chunks, until so many are left.
  private mutating func settle(
    _ reading: EncodeBehind<LinesAhead, LinesAhead.Job, LinesAhead.Outcome>,
    _ batch: inout BatchPlace, downTo left: Int = 0
  ) throws {
    while reading.waiting > left, let outcome = reading.take() {
      for made in outcome.steps { try settle(made, &batch) }
      batch.end = outcome.batchEnd
    }
  }

  private mutating func settle(_ made: LinesAhead.Made, _ batch: inout BatchPlace) throws {
    switch made.step {
    case .batch(let columns, let end, let lines):
      let place = batch
      let cursors = try place.source.cursor(at: end).map { [$0] } ?? []
      _ = try sink.append(columns, prepared: made.prepared, cursors) { rows in
        try place.origins(of: rows, lines, end: end)
      }
      batch.end = end
    case .refused(let refusal, let line):
      let number = refusal.line + (try batch.source.linesBefore())
      try sink.refuse(
        Refusals.Refusal(
          code: refusal.reason.code,
          place: "\(batch.source.name):\(number):\(refusal.column)",
          sentence: refusal.reason.sentence, line: line))
    }
  }
}

/// Makes batches of event lines, on a thread of its own.
private struct LinesAhead: Sendable {
  enum Job: Sendable {
    case chunk([UInt8])
    /// What waits becomes a batch; a line that has begun is left.
    case cut
    /// The same, and what has begun is a line.
    case finish
  }

  /// A step, and of a batch what its writer would have to do else.
  struct Made: Sendable {
    let step: Ingestion.Step
    let prepared: PreparedBatch?
  }

  struct Outcome: Sendable {
    var steps: [Made] = []
    /// Up to here of the input all is done with or among `steps`.
    var batchEnd: Int
  }

  private var ingestion: Ingestion
  private var batchEnd: Int
  private let prepares: Bool

  /// So much input without a batch, and one is made: what a conflict may have to look through.
  private static let batchBytes = 16 << 20

  init(_ ingestion: Ingestion, from start: Int, prepares: Bool) {
    self.ingestion = ingestion
    self.prepares = prepares
    batchEnd = start
  }

  mutating func take(_ job: Job) -> Outcome {
    var steps: [Ingestion.Step] = []
    switch job {
    case .chunk(let bytes): ingestion.take(bytes[...]) { steps.append($0) }
    case .cut: ingestion.cut { steps.append($0) }
    case .finish: ingestion.finish { steps.append($0) }
    }
    for step in steps {
      if case .batch(_, let end, _) = step { batchEnd = end }
    }
    if case .chunk = job, ingestion.end - batchEnd > Self.batchBytes {
      ingestion.cut { steps.append($0) }
      batchEnd = ingestion.end
    }
    return Outcome(steps: steps.map { made($0) }, batchEnd: batchEnd)
  }

  private func made(_ step: Ingestion.Step) -> Made {
    guard prepares, case .batch(let columns, _, _) = step else {
      return Made(step: step, prepared: nil)
    }
    return Made(step: step, prepared: PreparedBatch(columns))
  }
}

/// How far a source has come in batches.
private struct BatchPlace {
  let source: IngestSource
  /// Behind the last line of the batch before.
  var end: Int

  init(source: IngestSource) {
    self.source = source
    end = source.start
  }

  /// The lines that rows of a batch were read from, found by reading it again.
  ///
  /// - Parameter lines: the number of each row's line.
  func origins(
    of rows: Set<Int>, _ lines: [Int], end: Int
  ) throws -> [Int: IngestSink.Origin] {
    let bytes = try source.input.bytes(in: self.end..<end)
    var number = try source.input.lines(before: self.end)
    let before = try source.linesBefore()
    let wanted = Dictionary(rows.map { (lines[$0] + before, $0) }) { first, _ in first }
    var found: [Int: IngestSink.Origin] = [:]
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard let row = wanted[number] else { continue }
      let line = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
      found[row] = ("\(source.name):\(number)", line)
    }
    return found
  }
}

extension Console {
  /// Says an error that does not end the run.
  func say(_ error: CommandError) {
    note(error.message)
    if let hint = error.hint { note("try: \(hint)") }
  }
}

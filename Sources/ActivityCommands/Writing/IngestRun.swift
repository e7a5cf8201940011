internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// Takes one source of event lines as they stand into a log, from where it was left, batch by
/// batch, the cursor in the same commit as the rows before it.
///
/// It is the fast way: lines are read where they lie. Whatever must be merged, translated or
/// followed goes through `MergeRun`.
struct IngestRun {
  private(set) var sink: IngestSink

  private let isRestoring: Bool
  private let keyPath: KeyPointer?
  private let console: Console
  private var progress: IngestProgress

  /// So much input without a commit, and one is made: what a conflict may have to look through.
  private static let batchBytes = 16 << 20

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
    var ingestion = Ingestion(
      restoring: isRestoring, keyPath: keyPath, position: start, line: start > 0 ? 1 : 0)
    progress.begin([input])
    var status = ExitStatus.fine
    var last: UInt8?
    do {
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
        try sink.count(bytes: input.count())
        progress.show(events: sink.tally.appended + ingestion.waitingRows, [input])
      }
    } catch let error as CommandError where error.status == .damage {
      console.say(error)
      status = .damage
    }
    if status == .damage || last.map({ $0 != UInt8(ascii: "\n") }) ?? false {
      // A last line without its end may still be growing: if it is refused, the cursor stays
      // before it.
      try settle(&batch) { step in ingestion.cut(step) }
    }
    if status == .fine { try settle(&batch) { step in ingestion.finish(step) } }
    for (what, count) in ingestion.report.skippedBy { sink.skip(what, count) }
    if input.position == start, status == .fine { source.sayNothingNew(console) }
    return status
  }

  private mutating func settle(
    _ batch: inout BatchPlace, _ work: ((Ingestion.Step) -> Void) -> Void
  ) throws {
    var steps: [Ingestion.Step] = []
    work { steps.append($0) }
    for step in steps {
      switch step {
      case .batch(let columns, let end, let lines):
        let place = batch
        let cursors = try place.source.cursor(at: end).map { [$0] } ?? []
        _ = try sink.append(columns, cursors) { rows in
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

internal import ActivityCore
internal import ActivityStore

/// Rows in memory in the shape of a log: batches by rising seq, and the facts of each, so that
/// readers can pass over batches as they pass over commits.
struct RowLog {
  let batches: [EventColumns]
  /// One for each batch.
  let facts: [CommitFacts]
  /// Nil without rows.
  let extent: LogExtent?

  /// - Parameter batches: made from lines, so that each brings all its subjects; stamped.
  init(_ batches: [EventColumns]) {
    var own = batches
    // Each batch numbers its subjects by itself.
    for place in own.indices { own[place].space = place }
    self.batches = own
    facts = own.map { CommitFacts($0) }
    extent = LogExtent(facts)
  }
}

extension CommitFacts {
  /// What a commit's header would say of a batch whose subjects are numbered from 0.
  fileprivate init(_ batch: EventColumns) {
    let summary = CommitSummary(batch, subjectKinds: batch.subjects.kind)
    self.init(
      firstSeq: batch.firstSeq, count: summary.count, recordedMin: summary.recordedMin,
      recordedMax: summary.recordedMax, atMin: summary.atMin, atMax: summary.atMax,
      latestStartDate: summary.latestStartDate,
      earliestAtOfStartDate: summary.earliestAtOfStartDate, kinds: summary.kinds,
      mattersToResolution: summary.mattersToResolution)
  }
}

/// Makes batches of rows that come one by one, as stamped lines or without content.
struct RowBuilder {
  private let spelled: SpelledRows
  private var reader = LineReader(restoring: true)
  /// Rows without content that wait, all of one batch.
  private var bare: (batch: Int, rows: [Int]) = (0, [])
  private var firstSeq: Int64 = 0
  private var batches: [EventColumns] = []

  init(_ spelled: SpelledRows) { self.spelled = spelled }

  private var waitingRows: Int { reader.rowCount + bare.rows.count }

  /// Adds a row under a seq above all before; what its line says of `seq` counts for nothing.
  ///
  /// - Returns: `.row`, or why the line is none.
  mutating func add(_ row: SpelledRows.Row, seq: Int64) -> LineOutcome {
    if waitingRows > 0, reader.isFull || seq != firstSeq + Int64(waitingRows) { cut() }
    let outcome: LineOutcome
    if let (batch, place) = spelled.bareRow(row) {
      if reader.rowCount > 0 || bare.batch != batch { cut() }
      bare.batch = batch
      bare.rows.append(place)
      outcome = .row
    } else {
      if !bare.rows.isEmpty { cut() }
      outcome = read(spelled.line(row))
    }
    if outcome == .row, waitingRows == 1 { firstSeq = seq }
    return outcome
  }

  private mutating func read(_ line: ArraySlice<UInt8>) -> LineOutcome {
    let outcome = reader.read(line, number: 1)
    guard outcome == .full else { return outcome }
    cut()
    return reader.read(line, number: 1)
  }

  /// All rows so far.
  mutating func finish() -> [EventColumns] {
    cut()
    return batches
  }

  private mutating func cut() {
    if !bare.rows.isEmpty {
      batches.append(spelled.batch(bare.batch, of: bare.rows, firstSeq: firstSeq))
      bare.rows = []
    }
    guard reader.rowCount > 0 else { return }
    var batch = reader.finish()
    batch.firstSeq = firstSeq
    batch.statedSeq = []
    batches.append(batch)
  }
}

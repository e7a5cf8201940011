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

/// Makes batches of rows that come one by one as stamped lines.
struct RowBuilder {
  private var reader = LineReader(restoring: true)
  private var firstSeq: Int64 = 0
  private var batches: [EventColumns] = []

  /// Adds a row under a seq above all before; what its line says of `seq` counts for nothing.
  ///
  /// - Returns: `.row`, or why the line is none.
  mutating func add(_ line: ArraySlice<UInt8>, seq: Int64) -> LineOutcome {
    if reader.rowCount > 0, reader.isFull || seq != firstSeq + Int64(reader.rowCount) { cut() }
    var outcome = reader.read(line, number: 1)
    if outcome == .full {
      cut()
      outcome = reader.read(line, number: 1)
    }
    if outcome == .row, reader.rowCount == 1 { firstSeq = seq }
    return outcome
  }

  /// All rows so far.
  mutating func finish() -> [EventColumns] {
    cut()
    return batches
  }

  private mutating func cut() {
    guard reader.rowCount > 0 else { return }
    var batch = reader.finish()
    batch.firstSeq = firstSeq
    batch.statedSeq = []
    batches.append(batch)
  }
}

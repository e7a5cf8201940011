internal import ActivityCore

/// Rows with consecutive seqs and both stamps: what becomes one commit.
struct StampedRun {
  var batch: EventColumns
  /// Which rows of the batch that was given.
  var rows: Range<Int>

  func seq(of row: Int) -> Int64 { batch.firstSeq + Int64(row - rows.lowerBound) }

  /// How far ahead of now a restored `recorded-at` may lie; microseconds.
  private static let restoreSlack: Int64 = 300_000_000

  /// - Parameters:
  ///   - floor: The largest `recorded-at` so far; microseconds.
  static func runs(
    of batch: EventColumns, nextSeq: Int64, floor: Int64?, now: Int64
  ) throws(LogError) -> [StampedRun] {
    if !batch.statedSeq.isEmpty {
      return try restored(batch, nextSeq: nextSeq, floor: floor, now: now)
    }
    var stamped = batch
    let recorded = max(now, floor ?? now)
    stamped.recordedAt = [Int64](repeating: recorded, count: batch.count)
    stamped.at = batch.at.map { $0 == EventColumns.absent ? recorded : $0 }
    stamped.firstSeq = nextSeq
    return [StampedRun(batch: stamped, rows: 0..<batch.count)]
  }

  /// Stamps are kept, and checked; each hole in the seqs begins another run.
  private static func restored(
    _ batch: EventColumns, nextSeq: Int64, floor: Int64?, now: Int64
  ) throws(LogError) -> [StampedRun] {
    var starts: [Int] = []
    var previous = (seq: nextSeq - 1, recorded: floor ?? .min)
    for row in 0..<batch.count {
      let (seq, recorded) = (batch.statedSeq[row], batch.recordedAt[row])
      guard seq != EventColumns.absent, recorded != EventColumns.absent else {
        throw LogError(
          .badBatch, detail: "a restored line needs seq and recorded-at: restore an export")
      }
      guard seq > previous.seq else {
        throw LogError(
          .outOfOrder, detail: "seq \(seq) comes after seq \(previous.seq): seqs must increase")
      }
      guard recorded >= previous.recorded, recorded <= now + restoreSlack else {
        throw LogError(
          .outOfOrder,
          detail: "recorded-at of seq \(seq) goes back, or lies more than 5 minutes ahead of now")
      }
      if row == 0 || seq != previous.seq + 1 { starts.append(row) }
      previous = (seq, recorded)
    }
    return starts.enumerated().map { number, start in
      let end = number + 1 < starts.count ? starts[number + 1] : batch.count
      var run = batch.selecting(Array(start..<end))
      run.firstSeq = batch.statedSeq[start]
      run.statedSeq = []
      run.at = zip(run.at, run.recordedAt).map { $0 == EventColumns.absent ? $1 : $0 }
      return StampedRun(batch: run, rows: start..<end)
    }
  }
}

extension CommitContent {
  init(_ encoded: EncodedCommit, firstSeq: Int64, cursors: [IngestCursor]) {
    let summary = encoded.summary
    self.init(
      names: encoded.names, skeleton: encoded.skeleton, payload: encoded.payload,
      facts: CommitFacts(
        firstSeq: firstSeq, count: summary.count, recordedMin: summary.recordedMin,
        recordedMax: summary.recordedMax, atMin: summary.atMin, atMax: summary.atMax,
        latestStartDate: summary.latestStartDate,
        earliestAtOfStartDate: summary.earliestAtOfStartDate, kinds: summary.kinds,
        mattersToResolution: summary.mattersToResolution, cursors: cursors))
  }
}

extension UnencodableBatch {
  /// The same as an error of the log; all but the last two kinds are cured by splitting.
  var logError: LogError {
    switch self {
    case .tooManyRows, .skeletonTooLarge, .namesTooLarge, .payloadTooLarge, .tooManySubjects,
      .tooManyWords, .tooManyInventoryEntries, .ordinalsExhausted:
      LogError(
        .batchTooLarge, detail: "this batch does not fit one commit (\(self)): append it in parts")
    case .unnamedOrdinal, .notUTF8, .payloadMissing, .payloadLines:
      LogError(.badBatch, detail: "this batch cannot be written (\(self)): it was not made whole")
    }
  }
}

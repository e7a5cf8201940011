internal import ActivityCore
internal import ActivityStore

/// Appends batches whose rows may repeat an id or break the order of a restore: each row gets its
/// fate, and a bad row costs only itself.
struct BatchAppender {
  /// What became of a row.
  enum Fate: Equatable {
    case appended(Int64)
    /// It was there already under this seq, with equal content.
    case repeated(Int64)
    case refused(code: String, sentence: String)

    static func conflict(with seq: Int64) -> Fate {
      .refused(
        code: "repeated-id",
        sentence: "\"id\" is in the log already, as seq \(seq) with other content; "
          + "give this event an id of its own.")
    }
  }

  let writer: LogWriter

  /// Appends without syncing; nothing is durable, and nothing may be said, before `writer.sync()`.
  ///
  /// - Parameters:
  ///   - prepared: what was made ready of the batch as it is.
  ///   - now: microseconds; what a restored stamp may not lie far ahead of.
  func append(
    _ batch: EventColumns, prepared: PreparedBatch? = nil, cursors: [IngestCursor] = [],
    now: Int64
  ) throws(LogError) -> [Fate] {
    guard batch.statedSeq.isEmpty else { return try restore(batch, cursors, now: now) }
    if let prepared, batch[.id].isEmpty {
      do throws(LogError) {
        return Self.fates(
          try writer.append(batch, prepared: prepared, cursors: cursors, sync: false))
      } catch {
        guard error.code == .batchTooLarge else { throw error }
      }
    }
    return try settle(batch, rows: Array(0..<batch.count), cursors: cursors)
  }

  private static func fates(_ receipt: AppendReceipt) -> [Fate] {
    receipt.rows.map { row in
      switch row {
      case .appended(let seq): .appended(seq)
      case .repeated(let seq): .repeated(seq)
      case .conflict(let seq): .conflict(with: seq)
      }
    }
  }

  /// Appends rows among which ids may repeat: first the first of each id, then, once their seqs are
  /// known, what became of the others.
  private func settle(
    _ batch: EventColumns, rows: [Int], cursors: [IngestCursor]
  ) throws(LogError) -> [Fate] {
    let repeats = BatchRepeats(batch, rows: rows)
    let firsts = try append(batch, rows: repeats.firsts, cursors: cursors)
    guard repeats.firsts.count < rows.count else { return firsts }
    var fates: [Int: Fate] = [:]
    for (row, fate) in zip(repeats.firsts, firsts) { fates[row] = fate }
    for (row, first) in repeats.equal { fates[row] = fates[first].map(Self.again) }
    // With its first in the log, an id may stand in a batch as often as it likes; one whose first
    // was refused is still new, and what follows it is settled anew.
    var (known, new): ([Int], [Int]) = ([], [])
    for (row, first) in repeats.different {
      if case .refused("too-large", _) = fates[first] { new.append(row) } else { known.append(row) }
    }
    if !known.isEmpty {
      for (row, fate) in zip(known, try judge(batch, rows: known)) { fates[row] = fate }
    }
    if !new.isEmpty {
      for (row, fate) in zip(new, try settle(batch, rows: new, cursors: [])) { fates[row] = fate }
    }
    return rows.compactMap { fates[$0] }
  }

  /// Rows whose ids the log has, in one batch; one by one where it has forgotten an id meanwhile,
  /// which makes it new.
  private func judge(_ batch: EventColumns, rows: [Int]) throws(LogError) -> [Fate] {
    do throws(LogError) {
      return try append(batch, rows: rows, cursors: [])
    } catch {
      guard error.code == .badBatch, rows.count > 1 else { throw error }
      var fates: [Fate] = []
      for row in rows { fates += try append(batch, rows: [row], cursors: []) }
      return fates
    }
  }

  /// What becomes of a row that says the same as an earlier one of its id.
  private static func again(_ first: Fate) -> Fate {
    guard case .appended(let seq) = first else { return first }
    return .repeated(seq)
  }

  /// Rows no new id of which comes twice; what does not fit one commit is halved until it does.
  private func append(
    _ batch: EventColumns, rows: [Int], cursors: [IngestCursor]
  ) throws(LogError) -> [Fate] {
    do throws(LogError) {
      return Self.fates(
        try writer.append(batch.selecting(rows), cursors: cursors, sync: false))
    } catch {
      guard error.code == .batchTooLarge else { throw error }
      guard rows.count > 1 else {
        return [.refused(code: "too-large", sentence: "The event does not fit one commit.")]
      }
      let middle = rows.count / 2
      let first = try append(batch, rows: Array(rows[..<middle]), cursors: [])
      return try first + append(batch, rows: Array(rows[middle...]), cursors: cursors)
    }
  }

  /// How far ahead of now a restored `recorded-at` may lie; microseconds.
  private static let restoreSlack: Int64 = 300_000_000

  private func restore(
    _ batch: EventColumns, _ cursors: [IngestCursor], now: Int64
  ) throws(LogError) -> [Fate] {
    var fates: [Fate] = []
    var kept: [Int] = []
    var last = (seq: writer.nextSeq - 1, recorded: writer.commits.through.recordedMax ?? .min)
    for row in 0..<batch.count {
      let (seq, recorded) = (batch.statedSeq[row], batch.recordedAt[row])
      if let sentence = Self.misplaced(seq, recorded, after: last, now: now) {
        fates.append(.refused(code: "out-of-order", sentence: sentence))
      } else {
        fates.append(.appended(seq))
        kept.append(row)
        last = (seq, recorded)
      }
    }
    guard !kept.isEmpty else { return fates }
    let part = batch.selecting(kept)
    for (row, fate) in zip(kept, try settle(part, rows: Array(0..<part.count), cursors: cursors)) {
      fates[row] = fate
    }
    return fates
  }

  private static func misplaced(
    _ seq: Int64, _ recorded: Int64, after last: (seq: Int64, recorded: Int64), now: Int64
  ) -> String? {
    if seq <= last.seq {
      return "seq \(seq) comes after seq \(last.seq); restore an export as it was written."
    }
    if recorded < last.recorded {
      return "\"recorded-at\" of seq \(seq) goes back; restore an export as it was written."
    }
    if recorded > now + restoreSlack {
      return "\"recorded-at\" of seq \(seq) is more than 5 min ahead of now; set the clock."
    }
    return nil
  }
}

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
  /// - Parameter now: microseconds; what a restored stamp may not lie far ahead of.
  func append(
    _ batch: EventColumns, cursors: [IngestCursor] = [], now: Int64
  ) throws(LogError) -> [Fate] {
    guard batch.statedSeq.isEmpty else { return try restore(batch, cursors, now: now) }
    var fates: [Fate] = []
    let parts = Self.parts(of: batch)
    for (number, part) in parts.enumerated() {
      fates += try append(
        batch, rows: Array(part), cursors: number == parts.count - 1 ? cursors : [])
    }
    return fates
  }

  /// Rows of one part; what does not fit one commit is halved until it does.
  private func append(
    _ batch: EventColumns, rows: [Int], cursors: [IngestCursor]
  ) throws(LogError) -> [Fate] {
    do throws(LogError) {
      let receipt = try writer.append(batch.selecting(rows), cursors: cursors, sync: false)
      return receipt.rows.map { row in
        switch row {
        case .appended(let seq): .appended(seq)
        case .repeated(let seq): .repeated(seq)
        case .conflict(let seq): .conflict(with: seq)
        }
      }
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

  /// Ranges of rows in which no id comes twice: a repeat is told from its first only once that is
  /// in the log.
  private static func parts(of batch: EventColumns) -> [Range<Int>] {
    let ids = batch[.id]
    guard !ids.isEmpty else { return [0..<batch.count] }
    var parts: [Range<Int>] = []
    var start = 0
    var seen: Set<[UInt8]> = []
    for row in 0..<batch.count where ids[row] != EventColumns.absent {
      let id = Array(batch.texts[Int(ids[row])])
      guard !seen.insert(id).inserted else { continue }
      parts.append(start..<row)
      start = row
      seen = [id]
    }
    return parts + [start..<batch.count]
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
    var start = 0
    for range in Self.parts(of: part) {
      let isLast = range.upperBound == part.count
      let done = try append(part, rows: Array(range), cursors: isLast ? cursors : [])
      for fate in done {
        fates[kept[start]] = fate
        start += 1
      }
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

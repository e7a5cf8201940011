internal import ActivityCore

/// The ids of the log's last million events that carry one, and the seq each came under.
///
/// Only hashes are kept. When an id comes again, the row that has it is read back and compared byte
/// for byte, so equal content is known and not believed.
struct IDWindow {
  private let log: LogID
  private var seqs: [KeyedHash: Int64] = [:]
  /// In the order they came; a ring once it is full.
  private var order: [KeyedHash] = []
  private var oldest = 0
  private var stored = StoredLines()

  /// Reads the ids back from the newest segments.
  init(log: LogID, files: any LogFiles) throws(LogError) {
    self.log = log
    var selection = LogSelection.columns
    selection.members = [.id]
    var parts: [[(KeyedHash, Int64)]] = []
    var found = 0
    for name in try CommitWriter.segments(files).reversed() where found < Limits.rememberedIDs {
      var reader = SegmentReader(
        try SegmentScanner(
          try files.open(name, .read),
          fallback: SegmentName.firstSeq(name).map { SegmentSeed(log: log, firstSeq: $0) }))
      var part: [(KeyedHash, Int64)] = []
      while let (_, batch) = try reader.next(selection) {
        for row in 0..<batch.count {
          guard let hash = Self.hash(row, of: batch, log) else { continue }
          part.append((hash, batch.firstSeq + Int64(row)))
        }
      }
      parts.append(part)
      found += part.count
    }
    for part in parts.reversed() {
      for (hash, seq) in part { insert(hash, seq) }
    }
  }

  /// Which rows are new; the others' receipts name the seq that has their id.
  ///
  /// - Throws: `.badBatch` where one batch gives a new id twice: which is the repeat cannot be told
  ///   to its sender before either is written.
  mutating func screen(
    _ batch: EventColumns, _ receipt: inout AppendReceipt, files: any LogFiles
  ) throws(LogError) -> [Int] {
    var known: [(seq: Int64, row: Int)] = []
    var fresh: [Int] = []
    var inBatch: Set<KeyedHash> = []
    for row in 0..<batch.count {
      guard let hash = Self.hash(row, of: batch, log) else {
        fresh.append(row)
        continue
      }
      guard let seq = seqs[hash] else {
        guard inBatch.insert(hash).inserted else {
          throw LogError(
            .badBatch, detail: "one batch has an id twice: append the repeat by itself")
        }
        fresh.append(row)
        continue
      }
      known.append((seq, row))
    }
    try compare(known, of: batch, &receipt, files)
    return fresh
  }

  /// Rows whose ids the log has, with the content it has under them.
  private mutating func compare(
    _ known: [(seq: Int64, row: Int)], of batch: EventColumns, _ receipt: inout AppendReceipt,
    _ files: any LogFiles
  ) throws(LogError) {
    guard !known.isEmpty else { return }
    let lines = PlainLines(batch)
    // Repeats of several sources come in turns: in the log's order each commit is read once.
    for (seq, row) in known.sorted(by: { ($0.seq, $0.row) < ($1.seq, $1.row) }) {
      let stored = try stored.line(of: seq, files)
      let isEqual = stored != nil && stored == lines.line(row)
      receipt.set(row, isEqual ? .repeated(seq) : .conflict(seq))
    }
  }

  mutating func remember(_ batch: EventColumns, _ receipt: AppendReceipt) {
    for (row, fate) in receipt.rows.enumerated() {
      guard case .appended(let seq) = fate, let hash = Self.hash(row, of: batch, log) else {
        continue
      }
      insert(hash, seq)
    }
  }

  private static func hash(_ row: Int, of batch: EventColumns, _ log: LogID) -> KeyedHash? {
    batch.value(.id, row).map { KeyedHash(batch.texts[Int($0)], key: log) }
  }

  private mutating func insert(_ hash: KeyedHash, _ seq: Int64) {
    seqs[hash] = seq
    guard order.count == Limits.rememberedIDs else {
      order.append(hash)
      return
    }
    seqs[order[oldest]] = nil
    order[oldest] = hash
    oldest = (oldest + 1) % order.count
  }
}

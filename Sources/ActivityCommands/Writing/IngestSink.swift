internal import ActivityCore
internal import ActivityIngest
internal import ActivityStore

/// Where batches of rows go, and the count of what became of them.
struct IngestSink {
  /// What was done so far.
  struct Tally {
    var appended = 0
    var repeated = 0
    var skipped = 0
    /// The same by what they are, in order of first appearance.
    var skippedBy: [(what: String, count: Int)] = []
    /// Whether some line had a business key.
    var hasKey = false
    /// Of the inputs, read in this run.
    var bytes = 0
    var first: Int64?
    var last: Int64?

    mutating func skip(_ what: String, _ number: Int = 1) {
      skipped += number
      if let index = skippedBy.firstIndex(where: { $0.what == what }) {
        skippedBy[index].count += number
      } else {
        skippedBy.append((what, number))
      }
    }
  }

  /// Where a row comes from, for whoever must say that it was refused.
  typealias Origin = (place: String, line: ArraySlice<UInt8>)

  /// What takes the rows.
  enum Target {
    case log(LogWriter, now: @Sendable () -> Timestamp)
    /// Nothing is recorded; what would be is printed.
    case preview(Console)
  }

  private(set) var tally = Tally()
  private(set) var refusals: Refusals
  private let target: Target
  /// Input since the last sync, in bytes.
  private var unsynced = 0
  /// In a preview: a hash of what was said under each id.
  private var seen: [[UInt8]: Int] = [:]
  /// Whether rows were appended since the last sync.
  private(set) var hasUnsynced = false

  private static let syncBytes = 8 << 20

  init(_ target: Target, _ refusals: Refusals) {
    self.target = target
    self.refusals = refusals
  }

  /// Takes rows; nothing is durable before `sync`.
  ///
  /// - Parameters:
  ///   - prepared: what was made ready of the rows as they are.
  ///   - origin: asked only for rows that are refused.
  /// - Returns: whether something was written, and the cursors with it.
  mutating func append(
    _ columns: EventColumns, prepared: PreparedBatch? = nil, _ cursors: [IngestCursor],
    origin: (Set<Int>) throws -> [Int: Origin]
  ) throws -> Bool {
    if !tally.hasKey {
      tally.hasKey =
        columns.subjects.kind.contains(.key)
        || columns[.key].contains { $0 != EventColumns.absent }
    }
    switch target {
    case .preview(let console):
      let isWritten = try settle(try show(columns, console), origin)
      (tally.first, tally.last) = (nil, nil)
      return isWritten
    case .log(let writer, let now):
      let fates = try BatchAppender(writer: writer).append(
        columns, prepared: prepared, cursors: cursors, now: now().microseconds)
      let isWritten = try settle(fates, origin)
      hasUnsynced = hasUnsynced || isWritten
      return isWritten
    }
  }

  private mutating func settle(
    _ fates: [BatchAppender.Fate], _ origin: (Set<Int>) throws -> [Int: Origin]
  ) throws -> Bool {
    let before = tally.appended
    var refused: [(row: Int, code: String, sentence: String)] = []
    for (row, fate) in fates.enumerated() {
      switch fate {
      case .appended(let seq):
        tally.appended += 1
        tally.first = min(tally.first ?? seq, seq)
        tally.last = max(tally.last ?? seq, seq)
      case .repeated: tally.repeated += 1
      case .refused(let code, let sentence): refused.append((row, code, sentence))
      }
    }
    guard !refused.isEmpty else { return tally.appended > before }
    let origins = try origin(Set(refused.map(\.row)))
    for (row, code, sentence) in refused {
      guard let (place, line) = origins[row] else { continue }
      try refuse(Refusals.Refusal(code: code, place: place, sentence: sentence, line: line))
    }
    return tally.appended > before
  }

  /// The rows as lines, without what the log would stamp, what a terminal would obey spelled as
  /// JSON escapes; of an id that came before in the run only the first.
  private mutating func show(
    _ columns: EventColumns, _ console: Console
  ) throws -> [BatchAppender.Fate] {
    var reader = RowReader()
    let writer = LineWriter(stamped: false)
    let ids = columns[.id]
    let plain = ids.isEmpty ? nil : PlainLines(columns)
    return try reader.rows(of: columns).enumerated().map { number, row in
      if let plain, ids[number] != EventColumns.absent {
        let hash = plain.line(number).hashValue
        let id = Array(columns.texts[Int(ids[number])])
        if let known = seen[id] { return known == hash ? .repeated(0) : Self.conflict }
        seen[id] = hash
      }
      guard let line = writer.line(row) else { return .appended(0) }
      var text = JSONText()
      text.value(raw: line)
      text.newline()
      try console.write(text.bytes)
      return .appended(0)
    }
  }

  private static let conflict = BatchAppender.Fate.refused(
    code: "repeated-id",
    sentence: "\"id\" came before in this run with other content; "
      + "give this event an id of its own.")

  mutating func refuse(_ refusal: Refusals.Refusal) throws { try refusals.add(refusal) }

  mutating func skip(_ what: String, _ number: Int = 1) { tally.skip(what, number) }

  /// Counts input, and syncs when much of it was taken since the last time.
  mutating func count(bytes: Int) throws {
    tally.bytes += bytes
    unsynced += bytes
    if unsynced >= Self.syncBytes { try sync() }
  }

  /// Makes everything durable.
  mutating func sync() throws {
    (unsynced, hasUnsynced) = (0, false)
    if case .log(let writer, _) = target { try writer.sync() }
  }
}

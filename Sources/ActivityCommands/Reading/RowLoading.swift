internal import ActivityCore
internal import ActivityStore

/// What was read into memory from one or more LOGs.
struct LoadedRows {
  var rows: RowLog
  var sources: [RowSource]
  /// One for each stored log.
  var reports: [DamageReport]
  /// How many rows or lines were not taken.
  var refused: Int
  /// Where business keys lie, when every source that says it says the same.
  var keyPath: KeyPointer?
}

/// One LOG among what was read into memory.
struct RowSource: Equatable {
  /// How messages name it.
  var name: String
  /// What its lines are written in; nil for a stored log.
  var format: String?
  var events = 0
  var lines = 0
  var bytes = 0
  /// Lines or rows not taken.
  var refused = 0
  /// Lines that were understood and are not about a Live Activity.
  var skipped = 0
  /// Whether it breaks off before its end.
  var isBroken = false
  /// The same by what they are, with their counts.
  var skippedBy: [String] = []
  /// Rows that came before under the same id.
  var repeated = 0
  /// Rows whose names are lost to damage.
  var lost = 0
  /// Rows whose content is lost to damage.
  var bare = 0

  init(name: String, format: String? = nil) {
    self.name = name
    self.format = format
  }

  /// What was not taken as it stands, in one line; nil when everything was.
  var remark: String? {
    guard refused + skipped + repeated + lost + bare > 0 else { return nil }
    var text = "\(name): read \(Quantity.count(events, "event")), refused \(refused)"
    text += ", skipped \(skipped)"
    if !skippedBy.isEmpty { text += " (\(skippedBy.joined(separator: ", ")))" }
    text += ", repeated \(repeated)"
    if bare > 0 { text += ", \(bare) without content" }
    return text + (lost > 0 ? ", left out \(Quantity.count(lost, "damaged event"))" : "")
  }
}

/// Reads LOGs into memory: one file in its own order, several of any kind merged by `at`.
struct RowLoading {
  private let logs: NamedLogs
  private let console: Console
  private let environment: Environment
  private var keyPath: KeyPointer?
  private var refusals: Refusals
  private var progress: IngestProgress
  private let reading: SourceReading
  private var sources: [RowSource] = []
  private var reports: [DamageReport] = []

  /// - Throws: for a map or a table of patterns that cannot be read.
  init(_ logs: NamedLogs, _ console: Console, _ environment: Environment) throws {
    self.logs = logs
    self.console = console
    self.environment = environment
    refusals = Refusals(rejects: nil, console)
    progress = IngestProgress(console, environment)
    reading = try logs.options.load(environment)
  }

  /// - Parameter kinds: of the paths.
  mutating func load(_ kinds: [LogSource]) throws -> LoadedRows {
    // Every path is looked at before anything is read.
    let agreed = try agreedKeyPath(kinds)
    keyPath = logs.keyPath ?? agreed
    let rows = kinds.count == 1 ? try one(logs.paths[0]) : try merged(kinds)
    refusals.summarize()
    for source in sources {
      if let remark = source.remark { console.note(remark) }
    }
    return LoadedRows(
      rows: RowLog(rows), sources: sources, reports: reports,
      refused: refusals.count + sources.reduce(0) { $0 + $1.lost + ($1.isBroken ? 1 : 0) },
      keyPath: agreed == nil || agreed == keyPath ? keyPath : nil)
  }

  /// The key path of the stored logs that have one, if it is one.
  private func agreedKeyPath(_ kinds: [LogSource]) throws -> KeyPointer? {
    var pointers: Set<String> = []
    for (path, kind) in zip(logs.paths, kinds) {
      switch kind {
      case .lines: if path != "-" { try IngestInput.check(path: path) }
      case .stored:
        let metadata = try LogFacts(path: path).metadata
        if let own = metadata.first(where: { $0.key == KeyPointer.metadataKey }) {
          pointers.insert(own.value)
        }
      }
    }
    return pointers.count == 1 ? pointers.first.flatMap { KeyPointer($0) } : nil
  }

  /// One file in its own order: seq is the line's number, or one more than the row before where a
  /// line gives several.
  private mutating func one(_ path: String) throws -> [EventColumns] {
    var batches: [(columns: EventColumns, lines: [Int])] = []
    var ids = TextTable()
    var withID = 0
    var next: Int64 = 1
    var isWhole = true
    try readLines(path) { columns, lines in
      var columns = columns
      columns.firstSeq = max(next, columns.firstSeq)
      next = columns.firstSeq + Int64(columns.count)
      for id in columns[.id] where id != EventColumns.absent {
        _ = ids.intern(columns.texts[Int(id)])
        withID += 1
      }
      if columns.recordedAt.contains(EventColumns.absent) { isWhole = false }
      batches.append((columns, lines))
    }
    guard !isWhole || withID > ids.count else { return batches.map(\.columns) }
    var spelled = SpelledRows()
    var seqs: [Int64] = []
    for (columns, lines) in batches {
      var names = SubjectDirectory()
      _ = spelled.add(columns, &names, source: 0, places: lines)
      for row in 0..<columns.count where columns.recordedAt[row] != EventColumns.absent {
        seqs.append(columns.firstSeq + Int64(row))
      }
    }
    return try screened(spelled) { row, _ in seqs[row] }
  }

  /// Several LOGs: all rows in one order, numbered from 1.
  private mutating func merged(_ kinds: [LogSource]) throws -> [EventColumns] {
    var spelled = SpelledRows()
    for (number, (path, kind)) in zip(logs.paths, kinds).enumerated() {
      switch kind {
      case .lines:
        try readLines(path) { columns, lines in
          var names = SubjectDirectory()
          _ = spelled.add(columns, &names, source: number, places: lines)
        }
      case .stored:
        sources.append(RowSource(name: path))
        var reader = try LogReader(path: path)
        var names = SubjectDirectory()
        while let batch = try reader.next() {
          let damage = spelled.add(batch, &names, source: number, places: nil)
          sources[number].events += batch.count
          sources[number].lost += damage.lost
          sources[number].bare += damage.bare
        }
        sources[number].events -= sources[number].lost
        reports.append(DamageReport(of: path, reader.end))
      }
    }
    spelled.sort()
    return try screened(spelled) { _, taken in Int64(taken) + 1 }
  }

  /// Reads a file's lines as stamped batches. A row without a time of its own is refused, and has
  /// no `recorded-at`.
  private mutating func readLines(
    _ path: String, _ take: (EventColumns, [Int]) throws -> Void
  ) throws {
    var file = try FileRows(
      path: path, reading, keyPath: keyPath, isAlone: logs.paths.count == 1, environment)
    if let remark = file.found.remark(on: file.name) { console.note(remark) }
    let number = sources.count
    sources.append(RowSource(name: file.name, format: file.format))
    progress.begin([file.input])
    while let steps = try file.next() {
      progress.show(events: sources.reduce(0) { $0 + $1.events }, [file.input])
      for step in steps {
        switch step {
        case .refused(let refusal):
          try refuse(
            refusal.reason.code, "\(file.name):\(refusal.line):\(refusal.column)",
            refusal.reason.sentence, source: number)
        case .rows(var columns, let lines):
          columns.firstSeq = lines.first.map(Int64.init) ?? 1
          for row in 0..<columns.count where columns.recordedAt[row] == EventColumns.absent {
            columns.recordedAt[row] = columns.at[row]
            guard columns.at[row] == EventColumns.absent else { continue }
            try refuse("no-time", "\(file.name):\(lines[row])", Self.noTime, source: number)
            sources[number].events -= 1
          }
          sources[number].events += columns.count
          try take(columns, lines)
        }
      }
    }
    sources[number].lines = file.lines
    sources[number].bytes = file.bytes
    sources[number].skipped = file.skipped
    sources[number].skippedBy = file.skippedBy
    console.endProgress()
    if let error = file.breakOff {
      sources[number].isBroken = true
      console.note(error.message)
    }
    if let line = file.lastNumbered {
      console.note("\(file.name): behind line \(line) seq counts events, not lines")
    }
    if file.found.isUnknown, sources[number].events == 0, sources[number].refused > 0 {
      console.note(SourceReading.unknown(file.name))
    }
  }

  private static let noTime =
    "There is neither \"at\" nor \"recorded-at\", and a file has no clock: add \"at\", or ingest "
    + "the file into a log."

  /// Batches of the rows, each id once: a repeat with equal content counts with its first, one with
  /// other content is refused.
  ///
  /// - Parameter seq: of a row, by its place and by how many were taken before it.
  private mutating func screened(
    _ spelled: SpelledRows, seq: (Int, Int) -> Int64
  ) throws -> [EventColumns] {
    var builder = RowBuilder(spelled)
    let first = spelled.firsts()
    var taken = 0
    for (place, row) in spelled.rows.enumerated() {
      let source = Int(row.source)
      if row.id >= 0, first[Int(row.id)] != place {
        let earlier = spelled.rows[first[Int(row.id)]]
        sources[source].events -= 1
        if row.isBare { sources[source].bare -= 1 }
        if spelled.isSame(earlier, row) {
          sources[source].repeated += 1
        } else {
          try refuse("repeated-id", text(row), conflict(with: earlier), source: source)
        }
        continue
      }
      let outcome = builder.add(row, seq: seq(place, taken))
      guard case .refused(let refusal) = outcome else {
        taken += 1
        continue
      }
      sources[source].events -= 1
      try refuse(refusal.reason.code, text(row), refusal.reason.sentence, source: source)
    }
    return builder.finish()
  }

  private func conflict(with earlier: SpelledRows.Row) -> String {
    "\"id\" came before with other content, at \(text(earlier)); give this event an id of its own."
  }

  /// Where a row stands: file and line, or log and seq.
  private func text(_ row: SpelledRows.Row) -> String {
    let source = sources[Int(row.source)]
    return source.name + (source.format == nil ? " seq \(row.place)" : ":\(row.place)")
  }

  private mutating func refuse(
    _ code: String, _ place: String, _ sentence: String, source: Int
  ) throws {
    sources[source].refused += 1
    try refusals.add(Refusals.Refusal(code: code, place: place, sentence: sentence, line: []))
  }
}

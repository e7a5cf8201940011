internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// What a reading command reads, as one log: its extent, batches, single rows, and what was
/// damaged. One stored log is read where it lies; anything else was read into memory before.
struct LogAccess {
  /// As messages name it.
  let name: String
  let extent: LogExtent?
  private let place: Place
  /// What each commit or batch holds.
  private let facts: [CommitFacts]
  private var reports: [DamageReport]

  private enum Place {
    case stored(path: String, LogFacts)
    case loaded(LoadedRows)
  }

  /// Opens the log, or segment, at a path; nothing but headers and footers is read.
  init(path: String) throws(LogError) {
    name = path
    let log = try LogFacts(path: path)
    place = .stored(path: path, log)
    facts = log.commits
    extent = log.extent
    reports = [DamageReport(of: path)]
  }

  /// Rows that were read into memory.
  init(_ loaded: LoadedRows, name: String) {
    self.name = name
    place = .loaded(loaded)
    facts = loaded.rows.facts
    extent = loaded.rows.extent
    reports = loaded.reports
  }

  /// What typed times count from: the log's last `at`.
  func moment(_ environment: Environment, utc: Bool) -> Moment {
    let now = environment.now()
    let end = extent.map { Timestamp(microseconds: $0.occurred.upperBound) }
    return Moment(anchor: end ?? now, now: now, zone: environment.zone(utc: utc))
  }

  /// Hands over every commit of a selection, in the order of the log. From memory more may come
  /// than was asked for: content, and every member.
  mutating func forEach(
    _ selection: LogSelection, _ take: (EventColumns) throws -> Void
  ) throws {
    switch place {
    case .stored(let path, _):
      // One or two commits are decoded before another thread has begun.
      let isLong = facts.lazy.filter(selection.includes).prefix(3).count == 3
      let end = try LogReader(path: path, selection).forEach(ahead: isLong, take)
      reports[0].add(end)
    case .loaded(let loaded):
      for (batch, facts) in zip(loaded.rows.batches, facts) where selection.includes(facts) {
        try take(batch)
      }
    }
  }

  /// The same, while contents take what the payloads say: on the core that decodes, where there
  /// are two at work.
  private mutating func forEach(
    _ selection: LogSelection, _ contents: Contents, _ take: (EventColumns) throws -> Void
  ) throws -> Contents {
    guard case .stored(let path, _) = place,
      facts.lazy.filter(selection.includes).prefix(3).count == 3
    else {
      var contents = contents
      try forEach(selection) { batch in
        contents.add(batch)
        try take(batch)
      }
      return contents
    }
    let source = AuditSource(reader: try LogReader(path: path, selection), contents: contents)
    let decoder = DecodeAhead(source) { source in source.next() }
    while let batch = try decoder.next() { try take(batch) }
    // A source that gave everything is there.
    guard let source = decoder.source else { return contents }
    reports[0].add(source.reader.end)
    return source.contents
  }

  /// Hands over one commit, by its number in `facts`.
  private mutating func open(
    _ number: Int, _ selection: LogSelection, _ take: (EventColumns) throws -> Void
  ) throws {
    guard case .loaded(let loaded) = place else {
      var selection = selection
      selection.seqs = facts[number].firstSeq...(facts[number].nextSeq - 1)
      return try forEach(selection, take)
    }
    try take(loaded.rows.batches[number])
  }

  /// What an audit rests on: the rows of a selection resolved, what their JSON says, and how many
  /// rows lost their names to damage.
  mutating func audited(
    _ selection: Selection
  ) throws -> (resolution: Resolution, contents: Contents, unnamed: Int) {
    var projector = Projector(selection)
    var contents = Contents(keyPath: keyPath)
    if let first = facts.first, let last = facts.last {
      let rows = Int(clamping: last.nextSeq.subtractingClamped(first.firstSeq))
      projector.expect(rows)
      contents.expect(rows)
    }
    contents = try forEach(.audited(selection), contents) { batch in
      projector.add(batch)
    }
    let unnamed = projector.unnamedRows
    return (projector.resolution(), contents, unnamed)
  }

  /// The rows of a selection resolved that decide how what a person typed stood, and perhaps more;
  /// nil where all have to be read for that.
  func resolution(of match: ActivityMatch, _ selection: Selection) throws -> Resolution? {
    guard case .stored(_, let log) = place, match.isByIDOrKey,
      var related = try RelatedRows(log, selection)
    else { return nil }
    let handles: [LogHandle] = [.activity(match.typed), .key(match.typed)]
    guard let resolution = try related.resolution(of: handles) else { return nil }
    if match.isWhole(in: resolution) || match.typed.count < ActivityMatch.prefixMin {
      return resolution
    }
    // Nothing is called so: what begins so is looked for among all names.
    guard let begun = try related.activities(beginning: match.typed),
      begun.count <= LogAccess.beginningsMax
    else { return nil }
    return try related.resolution(of: begun)
  }

  /// More activities than this are not followed one by one for what was typed.
  private static let beginningsMax = 50

  /// What was damaged on the way, said once, and the status that means; refused lines were said
  /// when they were read.
  func status(_ console: Console) -> ExitStatus {
    var status = ExitStatus.fine
    for report in reports { status = status.and(report.say(on: console)) }
    guard case .loaded(let loaded) = place, loaded.refused > 0 else { return status }
    return status.and(.damage)
  }

  /// S2: where the window of an instant begins. `passes` says of (`at`, `recorded-at`) whether a
  /// row passes the clock. Only commits with starts that may reach so far are opened.
  mutating func windowStart(
    at instant: Int64, lastSeq: Int64, passes: (Int64, Int64) -> Bool
  ) throws -> Int64 {
    let usual = Selection.windowStart(at: instant, scheduled: [])
    var selection = LogSelection.columns
    selection.members = [.startDate]
    selection.holding = facts.filter { commit in
      guard let latest = commit.latestStartDate, let earliest = commit.earliestAtOfStartDate
      else { return false }
      return latest >= usual && earliest < usual
    }.map(\.firstSeq)
    guard selection.holding != [] else {
      return Selection.windowStart(at: instant, scheduled: [])
    }
    var scheduled: [(at: Int64, startDate: Int64)] = []
    try forEach(selection) { batch in
      for row in 0..<batch.count where batch.kind[row] == .start {
        guard let date = batch.value(.startDate, row),
          batch.firstSeq + Int64(row) <= lastSeq,
          passes(batch.countedAt(row), batch.recordedAt[row])
        else { continue }
        scheduled.append((batch.countedAt(row), date))
      }
    }
    return Selection.windowStart(at: instant, scheduled: scheduled)
  }

  /// S1: the largest `at` among the rows up to a seq.
  mutating func latestAt(upTo seq: Int64) throws -> Int64 {
    var latest = Int64.min
    for (number, commit) in facts.enumerated() where commit.firstSeq <= seq {
      if commit.nextSeq <= seq + 1 {
        latest = max(latest, commit.atMax)
        continue
      }
      var selection = LogSelection.columns
      selection.members = []
      try open(number, selection) { batch in
        for row in 0..<batch.count where batch.firstSeq + Int64(row) <= seq {
          latest = max(latest, batch.countedAt(row))
        }
      }
    }
    return latest
  }

  /// Hands over single rows with their content, by rising seq; seqs not there are left out.
  mutating func rows(at seqs: [Int64], _ take: (EventRow) throws -> Void) throws {
    let wanted = Array(Set(seqs)).sorted()
    guard !wanted.isEmpty else { return }
    var selection = LogSelection()
    selection.holding = wanted
    var names = RowReader()
    var next = 0
    try forEach(selection) { batch in
      let rows = names.rows(of: batch)
      let end = batch.firstSeq + Int64(batch.count)
      while next < wanted.count, wanted[next] < batch.firstSeq { next += 1 }
      while next < wanted.count, wanted[next] < end {
        try take(rows[Int(wanted[next] - batch.firstSeq)])
        next += 1
      }
    }
  }

  /// What the payloads of rows say that people want to see, by seq; seqs not there are left out.
  mutating func contents(at seqs: [Int64]) throws -> [Int64: RowContent] {
    guard case .stored(let path, _) = place else {
      var contents: [Int64: RowContent] = [:]
      try rows(at: seqs) { contents[$0.seq] = RowContent($0) }
      return contents
    }
    guard !seqs.isEmpty else { return [:] }
    var wanted = WantedContents(seqs)
    var selection = LogSelection()
    selection.holding = wanted.seqs
    var reader = try LogReader(path: path, selection)
    while let payload = try reader.nextPayload() { wanted.take(payload) }
    reports[0].add(reader.end)
    return wanted.contents
  }

  /// The content and attributes that states name, by seq.
  mutating func contents(of states: [ActivityState]) throws -> [Int64: RowContent] {
    try contents(at: states.flatMap { [$0.contentSeq, $0.attributesSeq].compactMap(\.self) })
  }

  /// Where the log was told that business keys lie, as a JSON pointer.
  var keyPath: String? {
    switch place {
    case .stored(_, let log): log.metadata.first { $0.key == KeyPointer.metadataKey }?.value
    case .loaded(let loaded): loaded.keyPath?.pointer
    }
  }

  /// The log's identity in hex; only one stored log that has a segment has one.
  var identity: String {
    if case .stored(_, let log) = place { log.log?.description ?? "" } else { "" }
  }

  /// What was read into memory; nil for one stored log.
  var loaded: LoadedRows? {
    if case .loaded(let loaded) = place { loaded } else { nil }
  }

  /// The seq from which on there are at least so many events; the first where there are fewer.
  func firstSeq(ofLast count: Int) -> Int64 {
    var missing = count
    for commit in facts.reversed() where missing > 0 {
      guard commit.count < missing else { return commit.nextSeq - Int64(missing) }
      missing -= commit.count
    }
    return missing > 0 ? extent?.firstSeq ?? 1 : (extent?.lastSeq ?? 0) + 1
  }

  /// When an event was recorded, microseconds; nil when the log does not have it.
  mutating func recordedAt(of seq: Int64) throws -> Int64? {
    var found: Int64?
    try rows(at: [seq]) { found = $0.recordedAt?.microseconds }
    return found
  }

  /// The last row, by `at` up to an instant, on which a handle is spelled so.
  mutating func lastRow(naming handle: String, until: Int64) throws -> (seq: Int64, at: Int64)? {
    var last: (seq: Int64, at: Int64)?
    var selection = LogSelection.columns
    selection.handles = [.activity(handle), .key(handle), .token(handle), .channel(handle)]
    selection.members = [.token, .channel, .key]
    var names = RowReader()
    try forEach(selection) { batch in
      for row in names.rows(of: batch) {
        guard [row.activityID, row.key, row.token, row.channel].contains(handle) else { continue }
        let at = batch.countedAt(row.row)
        if at <= until, at >= last?.at ?? .min { last = (row.seq, at) }
      }
    }
    return last
  }
}

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
      var reader = try LogReader(path: path, selection)
      while let batch = try reader.next() { try take(batch) }
      reports[0].add(reader.end)
    case .loaded(let loaded):
      for (batch, facts) in zip(loaded.rows.batches, facts) where selection.includes(facts) {
        try take(batch)
      }
    }
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
    if let first = facts.first, let last = facts.last {
      projector.expect(Int(clamping: last.nextSeq.subtractingClamped(first.firstSeq)))
    }
    var contents = Contents(keyPath: keyPath)
    try forEach(.audited(selection)) { batch in
      projector.add(batch)
      contents.add(batch)
    }
    let unnamed = projector.unnamedRows
    return (projector.resolution(), contents, unnamed)
  }

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
    var scheduled: [(at: Int64, startDate: Int64)] = []
    for (number, commit) in facts.enumerated() {
      guard let latest = commit.latestStartDate, latest >= usual,
        let earliest = commit.earliestAtOfStartDate, earliest < usual
      else { continue }
      var selection = LogSelection.columns
      selection.members = [.startDate]
      try open(number, selection) { batch in
        for row in 0..<batch.count where batch.kind[row] == .start {
          guard let date = batch.value(.startDate, row),
            batch.firstSeq + Int64(row) <= lastSeq,
            passes(batch.countedAt(row), batch.recordedAt[row])
          else { continue }
          scheduled.append((batch.countedAt(row), date))
        }
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
    var next = 0
    for (number, commit) in facts.enumerated() {
      while next < wanted.count, wanted[next] < commit.firstSeq { next += 1 }
      guard next < wanted.count, wanted[next] < commit.nextSeq else { continue }
      var names = RowReader()
      try open(number, LogSelection()) { batch in
        let rows = names.rows(of: batch)
        while next < wanted.count, wanted[next] < commit.nextSeq {
          let row = Int(wanted[next] - batch.firstSeq)
          if rows.indices.contains(row) { try take(rows[row]) }
          next += 1
        }
      }
    }
  }

  /// The content and attributes that states name, by seq.
  mutating func contents(of states: [ActivityState]) throws -> [Int64: RowContent] {
    let seqs = states.flatMap { [$0.contentSeq, $0.attributesSeq].compactMap(\.self) }
    var contents: [Int64: RowContent] = [:]
    try rows(at: seqs) { contents[$0.seq] = RowContent($0) }
    return contents
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

extension LogSelection {
  /// What an audit reads: everything of the commits a selection of rows can rest on.
  static func audited(_ selection: Selection) -> LogSelection {
    var window = window(of: selection)
    window.withContent = true
    window.members = Member.allCases.filter { $0 != .id && $0 != .os }
    return window
  }

  /// The commits a selection of rows can rest on, without their content.
  static func window(of selection: Selection) -> LogSelection {
    var window = LogSelection.columns
    window.members = foldedMembers
    window.atNoEarlierThan = selection.from
    if selection.lastSeq != .max {
      window.seqs = 1...max(1, selection.lastSeq)
    } else if selection.clock == .occurred {
      window.atNoLaterThan = selection.until
    } else {
      window.recordedNoLaterThan = selection.until
    }
    return window
  }

  /// What identity and fold read; `id`, headers and the like stay closed.
  private static let foldedMembers: [Member] = Member.allCases.filter { member in
    switch member {
    case .id, .os, .host, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration, .pushType:
      false
    case .recorder, .source, .token, .channel, .key, .build, .producer, .attributesType,
      .timestamp, .staleDate, .dismissalDate, .dismissalPolicy, .endReason, .startDate, .style,
      .inputPushChannel, .apnsID, .attempt, .bytes, .status, .reason, .by, .state, .complete,
      .operation,
      .tokenKind, .replaces, .enabled, .outcome, .from, .until, .contentBytes:
      true
    }
  }
}

extension RowContent {
  init(_ row: EventRow) {
    isDamaged = row.isContentDamaged
    attributes = row["attributes"].map { Array($0.text) }
    contentState = row["content-state"].map { Array($0.text) }
    alert = row["alert"].map { Array($0.text) }
  }
}

internal import ActivityCore
internal import ActivityStore

/// The rows of a window that what is asked about rests on, found by the log's indexes: those of its
/// handles, of every handle on one of them, their answers, and what speaks of its device.
///
/// Every row that could change the answer is among them, and every activity one of whose rows is
/// among them is whole, so that resolving these rows gives what resolving all would. Whoever cannot
/// be sure of that gets nil, and reads everything: damage, evidence that names no device and so may
/// speak of anything, or more rows than looking up pays for.
struct RelatedRows {
  /// More decoded rows than this are not looked up one by one.
  private static let rowsMax = 1_500_000
  private static let handlesMax = 2_000

  var lookup: LogLookup
  let selection: Selection
  private var waiting: [LogHandle] = []
  private var known: Set<LogHandle> = []
  /// By commit, decoded once.
  private var columns: [Int: EventColumns] = [:]
  private var decodedRows = 0
  /// By commit: its rows that were found.
  private(set) var found: [Int: Set<Int>] = [:]
  /// What the rows found say that other rows may be about.
  private(set) var facts = RelatedFacts()
  private var devicesRead: Set<String> = []
  /// By commit: what may be evidence, looked up once.
  var glances: [Int: CommitGlance] = [:]

  /// Nil where the log has a fault.
  init?(_ log: LogFacts, _ selection: Selection) throws(LogError) {
    guard let lookup = try LogLookup(log, .window(of: selection)) else { return nil }
    self.lookup = lookup
    self.selection = selection
  }

  /// The rows of some handles and all that belongs with them, resolved; nil where only reading
  /// everything can say.
  mutating func resolution(of handles: [LogHandle]) throws -> Resolution? {
    for handle in handles { want(handle) }
    repeat {
      while let handle = waiting.popLast() {
        guard known.count <= Self.handlesMax, try take(handle) else { return nil }
      }
      guard try takeEvidence(), try takeDevices() else { return nil }
    } while !waiting.isEmpty
    var projector = Projector(selection)
    for commit in found.keys.sorted() {
      for run in runs(of: commit) { projector.add(run) }
    }
    return projector.resolution()
  }

  /// What was found in a commit, as batches of consecutive rows.
  private func runs(of commit: Int) -> [EventColumns] {
    guard let batch = columns[commit], let rows = found[commit]?.sorted() else { return [] }
    var ranges: [Range<Int>] = []
    for row in rows {
      if let last = ranges.last, last.upperBound == row {
        ranges[ranges.count - 1] = last.lowerBound..<(row + 1)
      } else {
        ranges.append(row..<(row + 1))
      }
    }
    return ranges.map { range in batch.rows(range) { lookup.subject($0, in: commit) } }
  }

  /// Names in the window that begin so in any case; nil where some cannot be read.
  mutating func activities(beginning typed: String) throws -> [LogHandle]? {
    let beginning = typed.lowercased()
    let begun = try lookup.subjects { kind, name, _ in
      kind == .activity && name.lowercased().hasPrefix(beginning)
    }
    return begun.map { subjects in
      Set(subjects.compactMap(\.name)).sorted().map { .activity($0) }
    }
  }

  private mutating func want(_ handle: LogHandle) {
    if known.insert(handle).inserted { waiting.append(handle) }
  }

  // MARK: By handle

  /// Takes every row under a handle; false where that cannot be done.
  private mutating func take(_ handle: LogHandle) throws -> Bool {
    guard let commits = try lookup.commits(of: handle) else { return false }
    for commit in commits {
      guard let batch = try decoded(commit), try lookup.readNames(for: commit) else {
        return false
      }
      let ordinals = Set(lookup.ordinals(of: handle, in: commit))
      guard !ordinals.isEmpty else { continue }
      for row in batch.rows(naming: ordinals) {
        if case .channel = handle {
          // Other cards that listen to a channel have nothing to do with one another.
          guard let isForListeners = isForListeners(row, batch, commit) else { return false }
          if !isForListeners { continue }
        }
        guard take(row, of: commit, batch) else { return false }
      }
    }
    return true
  }

  mutating func decoded(_ commit: Int) throws -> EventColumns? {
    if let batch = columns[commit] { return batch }
    decodedRows += lookup.commits[commit].facts.count
    guard decodedRows <= Self.rowsMax,
      let batch = try lookup.columns(of: commit, LogSelection.window(of: selection).members ?? [])
    else { return nil }
    columns[commit] = batch
    return batch
  }

  /// Whether a channel's row concerns whoever listens; an answer that only names the channel is
  /// that of the latest push to it, which may be any card's.
  private func isForListeners(_ row: Int, _ batch: EventColumns, _ commit: Int) -> Bool? {
    guard lookup.kind(batch.subject[row], in: commit) == .channel else { return false }
    let isAnswer = batch.kind[row] == .response || batch.kind[row] == .failure
    return isAnswer && batch.value(.apnsID, row) == nil ? nil : true
  }

  /// Adds a row and wants everything it names; false where a name is missing.
  mutating func take(_ row: Int, of commit: Int, _ batch: EventColumns) -> Bool {
    guard batch.isSelected(row, selection), found[commit, default: []].insert(row).inserted
    else { return true }
    guard let subject = lookup.subject(batch.subject[row], in: commit) else { return false }
    want(subject)
    facts.take(row, of: batch, subject)
    for member in [Member.token, .channel, .key, .replaces] {
      guard let ordinal = batch.value(member, row) else { continue }
      guard let other = lookup.subject(Int32(truncatingIfNeeded: ordinal), in: commit) else {
        return false
      }
      want(other)
      facts.noteFirst(other, at: batch.countedAt(row))
    }
    for entry in batch.inventory where Int(entry.row) == row {
      guard let listed = lookup.subject(entry.subject, in: commit) else { return false }
      want(listed)
      facts.noteFirst(listed, at: batch.countedAt(row))
    }
    if batch.kind[row] == .start, let channel = batch.text(.inputPushChannel, row) {
      want(.channel(channel))
    }
    return true
  }

  private mutating func want(_ subject: SubjectDirectory.Subject) {
    guard let name = subject.name else { return }
    switch subject.kind {
    case .app: break
    case .activity: want(.activity(name))
    case .token: want(.token(name))
    case .channel: want(.channel(name))
    case .key: want(.key(name))
    }
  }

  /// A start without an id may have become any card of its device: all of them are wanted then.
  /// False where some name cannot be read.
  private mutating func takeDevices() throws -> Bool {
    let devices = facts.devices.subtracting(devicesRead)
    guard facts.hasStartWithoutID, !devices.isEmpty else { return true }
    devicesRead.formUnion(devices)
    let subjects = try lookup.subjects { $2.map(devices.contains) ?? false }
    guard let subjects else { return false }
    for subject in subjects { want(subject) }
    return true
  }
}

extension EventColumns {
  /// Whether a row is one of a selection's.
  func isSelected(_ row: Int, _ selection: Selection) -> Bool {
    selection.takes(
      seq: firstSeq + Int64(row), at: countedAt(row), recordedAt: recordedAt[row])
  }

  /// The rows that name one of these ordinals in any way, ascending.
  fileprivate func rows(naming ordinals: Set<Int32>) -> [Int] {
    let most = Int(ordinals.max() ?? 0)
    var marks = [Bool](repeating: false, count: most + 1)
    for ordinal in ordinals where ordinal >= 0 { marks[Int(ordinal)] = true }
    var rows = subject.indices.filter { row in
      let ordinal = Int(subject[row])
      return ordinal >= 0 && ordinal <= most && marks[ordinal]
    }
    for member in [Member.token, .channel, .key, .replaces] {
      let column = self[member]
      for row in column.indices where column[row] >= 0 && column[row] <= Int64(most) {
        if marks[Int(column[row])] { rows.append(row) }
      }
    }
    rows += inventory.filter { ordinals.contains($0.subject) }.map { Int($0.row) }
    return Set(rows).sorted()
  }
}

internal import ActivityCore
internal import ActivityStore

/// What the rows found so far say that rows under other handles may be about.
struct RelatedFacts {
  /// A start without an id is among them.
  private(set) var hasStartWithoutID = false
  private(set) var devices: Set<String> = []
  private(set) var types: Set<String> = []
  /// The earliest `at`, µs.
  private(set) var earliest = Int64.max
  /// By activity or token: the earliest `at` of a row that names it.
  private(set) var firsts: [String: Int64] = [:]
  private(set) var pushes: Set<PushID> = []
  /// The earliest `at` of a push whose row does not say how it was answered.
  private(set) var earliestUnanswered = Int64.max

  mutating func take(_ row: Int, of batch: EventColumns, _ subject: SubjectDirectory.Subject) {
    let at = batch.countedAt(row)
    earliest = min(earliest, at)
    if let device = subject.device { devices.insert(device) }
    if let type = batch.text(.attributesType, row) { types.insert(type) }
    noteFirst(subject, at: at)
    let isStart = batch.kind[row] == .start && subject.kind == .token
    if isStart { hasStartWithoutID = true }
    guard batch.kind[row].isAct, let code = batch.value(.apnsID, row) else { return }
    pushes.insert(CommitGlance.push(batch.texts, Int(code)))
    // Attempts of one start share an id, and may lie before it.
    if isStart { earliestUnanswered = .min }
    if batch.value(.status, row) == nil { earliestUnanswered = min(earliestUnanswered, at) }
  }

  mutating func noteFirst(_ subject: SubjectDirectory.Subject, at: Int64) {
    guard subject.kind == .activity || subject.kind == .token, let name = subject.name else {
      return
    }
    firsts[name] = min(firsts[name] ?? .max, at)
  }
}

/// What of one commit may be evidence about others' cards, looked at once.
struct CommitGlance {
  /// Inventories and authorizations.
  private(set) var speakers: [Int] = []
  private(set) var starts: [Int] = []
  private(set) var pushes: [(row: Int, id: PushID)] = []
  let batch: EventColumns

  init(_ batch: EventColumns) {
    self.batch = batch
    for row in 0..<batch.count {
      switch batch.kind[row] {
      case .inventory, .authorization: speakers.append(row)
      case .start: starts.append(row)
      default: break
      }
    }
    let ids = batch[.apnsID]
    for row in ids.indices where ids[row] != EventColumns.absent {
      pushes.append((row, CommitGlance.push(batch.texts, Int(ids[row]))))
    }
  }

  /// A push by its `apns-id`, UUIDs in any case; of ids that are none, two may look alike.
  static func push(_ texts: TextTable, _ code: Int) -> PushID {
    texts.uuid(code) ?? PushID(high: .max - 1, low: texts.hash(code))
  }
}

extension RelatedRows {
  private static let claimReach = SystemLimits().typeReach.microseconds

  /// Takes what other rows say of those found: answers by `apns-id`, inventories and authorizations
  /// of their devices, and starts without an id that may have become one of their cards. False
  /// where evidence may speak of anything, or does not verify.
  mutating func takeEvidence() throws -> Bool {
    var before = -1
    while before != count {
      before = count
      for commit in lookup.commits.indices where isWorthALook(lookup.commits[commit].facts) {
        guard let glance = try glance(at: commit), try takeEvidence(of: commit, glance) else {
          return false
        }
      }
    }
    return true
  }

  private var count: Int { found.values.reduce(0) { $0 + $1.count } }

  private static func bits(_ kinds: [EventKind]) -> UInt32 {
    kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
  }

  private static let answers = bits([.response, .failure, .start, .update, .alert, .end])

  private func isWorthALook(_ commit: CommitFacts) -> Bool {
    let has = { (kinds: [EventKind]) in commit.kinds & RelatedRows.bits(kinds) != 0 }
    if has([.inventory, .authorization]), commit.atMax >= facts.earliest { return true }
    if commit.kinds & RelatedRows.answers != 0, commit.atMax >= facts.earliestUnanswered {
      return true
    }
    if has([.failure]), !facts.pushes.isEmpty { return true }
    return has([.start])
      && facts.firsts.values.contains { first in
        commit.atMin <= first && commit.atMax >= first - RelatedRows.claimReach
      }
  }

  private mutating func glance(at commit: Int) throws -> CommitGlance? {
    if let known = glances[commit] { return known }
    guard try lookup.readNames(for: commit),
      let batch = try lookup.columns(of: commit, [.apnsID, .attributesType])
    else { return nil }
    let glance = CommitGlance(batch)
    glances[commit] = glance
    return glance
  }

  private mutating func takeEvidence(of commit: Int, _ glance: CommitGlance) throws -> Bool {
    var rows = glance.pushes.filter { facts.pushes.contains($0.id) }.map(\.row)
    for row in glance.speakers where glance.batch.isSelected(row, selection) {
      guard glance.batch.countedAt(row) >= facts.earliest else { continue }
      guard let device = lookup.subject(glance.batch.subject[row], in: commit)?.device else {
        return false
      }
      if facts.devices.contains(device) { rows.append(row) }
    }
    rows += glance.starts.filter { mayHaveBecomeOne($0, glance.batch, commit) }
    rows.removeAll { found[commit]?.contains($0) ?? false }
    guard !rows.isEmpty else { return true }
    guard let batch = try decoded(commit) else { return false }
    for row in rows.sorted() {
      guard take(row, of: commit, batch) else { return false }
    }
    return true
  }

  /// I7, by type: whether a start without an id may have claimed one of the cards found. By key it
  /// is found by its key.
  private func mayHaveBecomeOne(_ row: Int, _ batch: EventColumns, _ commit: Int) -> Bool {
    guard let type = batch.text(.attributesType, row), facts.types.contains(type),
      let subject = lookup.subject(batch.subject[row], in: commit), subject.kind == .token,
      subject.device.map(facts.devices.contains) ?? true
    else { return false }
    let at = batch.countedAt(row)
    return facts.firsts.values.contains { $0 >= at && $0.subtractingClamped(at) <= Self.claimReach }
  }
}

internal import ActivityCore

/// What one recorder sent over the whole log, as far as rules compare with it: the many that are as
/// they should be, so that rules need only look at the others. One row is one push, however many
/// cards it reached.
package struct SenderCounts: Sendable {
  /// Updates with a stale date in seconds, not refused.
  private(set) var dated = 0
  /// Updates by push without an alert that state a priority, and those of priority 10 or more.
  private(set) var silent = 0
  private(set) var loud = 0
  /// Pushes that APNs took.
  private var taken = 0
  /// Rows of pushes that were refused, each with how many had been taken before; of use only where
  /// rows lie in order.
  private(set) var refused: [(seq: Int64, taken: Int)] = []
  private var versioned = PerKind()
  private var withContent = PerKind()
  private var withAttributes = 0
  private var withType = 0

  /// Starts, updates and ends.
  private struct PerKind: Sendable {
    var starts = 0
    var updates = 0
    var ends = 0

    mutating func add(_ kind: EventKind) {
      switch kind {
      case .start: starts += 1
      case .update: updates += 1
      default: ends += 1
      }
    }

    func of(_ kind: EventKind) -> Int {
      switch kind {
      case .start: starts
      case .update: updates
      default: ends
      }
    }
  }

  /// Takes in an act.
  mutating func count(_ row: PackedRow, _ headers: HeaderFlags.Flags, _ facts: Facts) {
    if row.kind == .update, row.staleDate != EventColumns.absent, !row.answer.refuses,
      DateUnit.wrong(row.staleDate, at: row.at) == nil
    {
      dated += 1
    }
    guard row.isByPush else { return }
    answer(row)
    guard row.kind.isContentAct else { return }
    if row.marks.contains(.versioned) { versioned.add(row.kind) }
    if row.flags.contains(.content) { withContent.add(row.kind) }
    if row.kind == .start {
      if row.flags.contains(.attributes) { withAttributes += 1 }
      if facts.attributesType >= 0 { withType += 1 }
    } else if row.kind == .update, !row.flags.contains(.alert), headers.contains(.stated) {
      silent += 1
      if headers.contains(.loud) { loud += 1 }
    }
  }

  private mutating func answer(_ row: PackedRow) {
    if row.answer == .accepted {
      taken += 1
    } else if row.answer.refuses, row.answer != .gone {
      refused.append((row.seq, taken))
    }
  }

  /// How many pushes of a kind carry a member: `timestamp`, `content-state`, and of starts
  /// `attributes` and `attributes-type`.
  func carried(_ member: String, by kind: EventKind) -> Int {
    switch member {
    case "timestamp": versioned.of(kind)
    case "content-state": withContent.of(kind)
    case "attributes": kind == .start ? withAttributes : 0
    case "attributes-type": kind == .start ? withType : 0
    default: 0
    }
  }
}

/// Activities whose ids the system's log had hidden, and their rows: nothing of them is judged.
struct Hidden: Sendable {
  private var activities: Set<Int> = []
  /// By row; empty when no id was hidden.
  private var rows: [Bool] = []

  init(_ resolution: Resolution) {
    let prefix = Array(Timeline.redactedPrefix.utf8)
    let texts = resolution.set.texts
    for (activity, name) in resolution.names.enumerated() {
      guard case .activity(let id) = name, texts[Int(id)].starts(with: prefix) else { continue }
      activities.insert(activity)
    }
    guard !activities.isEmpty else { return }
    rows = [Bool](repeating: false, count: resolution.set.rows.count)
    for activity in activities {
      for index in resolution.members[activity] { rows[Int(index)] = true }
    }
  }

  func contains(row index: Int) -> Bool { !rows.isEmpty && rows[index] }
  func contains(activity: Int) -> Bool { !activities.isEmpty && activities.contains(activity) }
}

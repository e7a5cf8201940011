package import ActivityCore

/// What a commit header says of its rows, so that readers can pass over commits.
package struct CommitSummary: Equatable {
  /// A start-date counts as at most this long after its row's `at`.
  package static let startDateReach: Int64 = 30 * 86_400 * 1_000_000

  package var count = 0
  /// First and last `recorded-at`, and `at` as it counts; `Int64.max` and `.min` without rows.
  package var recordedMin = Int64.max
  package var recordedMax = Int64.min
  package var atMin = Int64.max
  package var atMax = Int64.min
  /// The latest start-date of a start, as it counts.
  package var latestStartDate: Int64?
  /// The earliest `at`, as it counts, of a row with a start-date.
  package var earliestAtOfStartDate: Int64?
  /// Bit n for kind number n.
  package var kinds: UInt32 = 0
  /// Whether resolving identities needs a look at its rows.
  package var mattersToResolution = false

  /// `subjectKinds` by the batch's own ordinals.
  package init(_ batch: EventColumns, subjectKinds: [HandleKind]) {
    count = batch.count
    for row in 0..<count {
      let at = batch.countedAt(row)
      recordedMin = min(recordedMin, batch.recordedAt[row])
      recordedMax = max(recordedMax, batch.recordedAt[row])
      atMin = min(atMin, at)
      atMax = max(atMax, at)
      kinds |= 1 << UInt32(batch.kind[row].rawValue)
    }
    noteStartDates(batch)
    mattersToResolution =
      kinds & CommitSummary.resolvingKinds != 0
      || CommitSummary.hasSecondHandle(batch)
      || CommitSummary.hasUnnamedStart(batch, subjectKinds)
  }

  private static let resolvingKinds: UInt32 =
    [EventKind.response, .failure, .inventory, .authorization]
    .reduce(0) { $0 | 1 << UInt32($1.rawValue) }

  private mutating func noteStartDates(_ batch: EventColumns) {
    let dates = batch[.startDate]
    for row in dates.indices where dates[row] != EventColumns.absent {
      let at = batch.countedAt(row)
      earliestAtOfStartDate = min(earliestAtOfStartDate ?? at, at)
      guard batch.kind[row] == .start else { continue }
      let (reach, overflow) = at.addingReportingOverflow(CommitSummary.startDateReach)
      let date = overflow ? dates[row] : min(dates[row], reach)
      latestStartDate = max(latestStartDate ?? date, date)
    }
  }

  /// Whether a row has a handle besides its subject, or replaces a token.
  private static func hasSecondHandle(_ batch: EventColumns) -> Bool {
    if batch[.replaces].contains(where: { $0 != EventColumns.absent }) { return true }
    for member in [Member.token, .channel, .key] {
      let column = batch[member]
      for row in column.indices
      where column[row] != EventColumns.absent && column[row] != Int64(batch.subject[row]) {
        return true
      }
    }
    return false
  }

  private static func hasUnnamedStart(_ batch: EventColumns, _ kinds: [HandleKind]) -> Bool {
    batch.kind.indices.contains { row in
      guard batch.kind[row] == .start else { return false }
      let subject = Int(batch.subject[row])
      return !kinds.indices.contains(subject) || kinds[subject] != .activity
    }
  }
}

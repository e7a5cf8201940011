internal import ActivityCore
internal import ActivityStore

/// What a replay shows, in time order: rows by (`at`, `seq`), and what the clock brought.
///
/// Costs 16 bytes a row of the range beside the fold.
struct ReplayPlan {
  /// A row of the log, or a step the clock took.
  enum Item {
    case row(at: Int64, seq: Int64)
    case clock(DerivedEvents.Event)

    var at: Int64 {
      switch self {
      case .row(let at, _): at
      case .clock(let event): event.at.microseconds
      }
    }
  }

  /// What a row did to an activity.
  struct Change {
    var name: String
    var step: Step
  }

  private var rows: [(at: Int64, seq: Int64)] = []
  private(set) var changes: [Int64: [Change]] = [:]
  private var derived: [DerivedEvents.Event] = []
  private let range: Range<Int64>

  init(range: Range<Int64>) { self.range = range }

  /// How many rows there are to show.
  var count: Int { rows.count }

  mutating func add(_ batch: EventColumns, _ selection: Selection) {
    for row in 0..<batch.count {
      let seq = batch.firstSeq + Int64(row)
      let at = batch.countedAt(row)
      let isSelected = selection.takes(seq: seq, at: at, recordedAt: batch.recordedAt[row])
      if isSelected, range.contains(at) { rows.append((at, seq)) }
    }
  }

  /// Takes the transitions that rows and clock caused, resolved once over everything.
  mutating func fold(_ resolution: Resolution, view: LogView) {
    rows.sort { ($0.at, $0.seq) < ($1.at, $1.seq) }
    for activity in resolution.names.indices {
      let fold = Fold(
        activity, of: resolution, view: view, until: resolution.set.selection.until,
        keepsSteps: true)
      let name = resolution.names[activity].printed(resolution.set.texts)
      for (life, steps) in fold.lives {
        let who = resolution.set.text(life.key) ?? name
        for step in steps.observedForDerived(in: resolution.set.rows)
        where range.contains(step.at) { take(step, name: name, who: who) }
      }
    }
    derived.sort { ($0.at, $0.seq, $0.who) < ($1.at, $1.seq, $1.who) }
  }

  private mutating func take(_ step: Step, name: String, who: String) {
    switch step.cause {
    case .clock(let kind):
      derived.append(
        DerivedEvents.Event(
          step: kind, at: Timestamp(microseconds: step.at), who: who, seq: step.seq))
    case .row:
      guard step.before != step.after || !step.outcome.isApplied && step.outcome != .noted else {
        return
      }
      changes[step.seq, default: []].append(Change(name: name, step: step))
    }
  }

  /// Rows and clock in one order: what the clock brings at an instant comes before its rows (C4).
  func items() -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(rows.count + derived.count)
    var next = 0
    for row in rows {
      while next < derived.count, derived[next].at.microseconds <= row.at {
        items.append(.clock(derived[next]))
        next += 1
      }
      items.append(.row(at: row.at, seq: row.seq))
    }
    for event in derived[next...] { items.append(.clock(event)) }
    return items
  }
}

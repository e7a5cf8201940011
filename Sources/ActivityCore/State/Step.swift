/// One thing that happened to an activity: a row, or the clock.
package struct Step: Sendable {
  package enum Cause: Sendable, Equatable {
    /// Index of the row in the row set.
    case row(Int32)
    case clock(ClockStep)
  }

  package var cause: Cause
  package var at: Int64
  /// The row's seq, or that of the row whose date or absence of an end the clock ran into.
  package var seq: Int64
  package var outcome: Outcome
  package var before: Phase
  package var after: Phase

  package init(
    cause: Cause, at: Int64, seq: Int64, outcome: Outcome, before: Phase, after: Phase
  ) {
    self.cause = cause
    self.at = at
    self.seq = seq
    self.outcome = outcome
    self.before = before
    self.after = after
  }

  /// A row that moved nothing.
  package init(noting row: Row, _ index: Int32) {
    self.init(
      cause: .row(index), at: row.at, seq: row.seq, outcome: .noted, before: .none, after: .none)
  }
}

extension [Step] {
  /// The steps as people read them: what a device was seen to show replaces what the clock had
  /// just derived. Folding keeps both, since the derived one is when it really changed.
  package func observedForDerived(in rows: RowList) -> [Step] {
    var steps: [Step] = []
    for step in self {
      guard let last = steps.last, case .clock = last.cause, case .row(let index) = step.cause,
        step.outcome == .noted || step.before == last.after && step.after == last.after,
        step.before == last.after, Step.shows(rows.packed[Int(index)], last.after)
      else {
        steps.append(step)
        continue
      }
      steps.removeLast()
      var observed = step
      observed.before = last.before
      observed.outcome = .applied
      steps.append(observed)
    }
    return steps
  }
}

extension Step {
  /// Whether a row is a device's own word for a phase.
  fileprivate static func shows(_ row: PackedRow, _ phase: Phase) -> Bool {
    switch row.kind {
    case .state: row.shown == phase
    case .stale: phase == .stale
    case .dismiss: phase == .dismissed
    case .unknown, .start, .update, .alert, .end, .inventory, .response, .failure, .token,
      .authorization, .channel, .work, .coverage:
      false
    }
  }
}

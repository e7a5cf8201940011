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
}

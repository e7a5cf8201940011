/// What a run tells its caller; the numbers are a promise.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// It ran, and nothing tripped a gate. An empty answer is fine.
  case fine = 0
  /// It ran, and what was asked to fail the run is there.
  case gate = 1
  /// It could not run: usage, input or output.
  case couldNotRun = 2
  /// Damage was met, or more input was refused than allowed.
  case damage = 3
  /// The window asked for is not covered.
  case uncovered = 4
  /// The reader of the output went away; what a shell reports for the same.
  case closedPipe = 141

  /// From the one that hides all others to the one that hides none.
  private static let ranking: [ExitStatus] = [
    .closedPipe, .couldNotRun, .damage, .uncovered, .gate, .fine,
  ]

  /// One status for two: could not run, then damage, then coverage, then the gate.
  package func and(_ other: ExitStatus) -> ExitStatus {
    Self.ranking.first { $0 == self || $0 == other } ?? .fine
  }
}

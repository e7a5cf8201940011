/// How sure a finding is. A card of which nothing can be said yet is *live*, and no finding.
public enum Verdict: String, Sendable, CaseIterable {
  /// The device or the recorded work shows it.
  case confirmed
  /// It follows from what is not in the log, where the log reaches far enough to say so.
  case inferred
}

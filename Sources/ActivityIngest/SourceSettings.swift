/// What a caller says about a source beside its bytes.
public struct SourceSettings: Sendable {
  /// The instant, in microseconds UTC, of a time of day that names no zone, given as microseconds
  /// as if it were UTC; nil when nobody said which zone such times are in.
  public var zone: (@Sendable (Int64) -> Int64)?
  /// Members that events get where they do not name them themselves, in order.
  public var constants: [(name: String, value: String)] = []
  /// What log lines say, beside what the built-in table knows; its patterns are tried first.
  public var patterns: PatternTable?
  /// How records become events, where the caller says it; the dialects `json` and `csv` read by it.
  public var map: EventMap?

  /// Nothing is said.
  public init() {}
}

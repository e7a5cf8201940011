/// An instant, in microseconds since 1970-01-01T00:00:00Z.
///
/// What a device reads may be any number of seconds up to 9.2e12 either way; an `at` lies in the
/// years 0001–9999, which is where text in RFC 3339 exists.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Since 1970-01-01T00:00:00Z.
  public var microseconds: Int64

  /// An instant, microseconds since 1970.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// An instant, seconds since 1970; at most 9.2e12 either way.
  public init(seconds: Int64) {
    self.microseconds = seconds * 1_000_000
  }

  /// The whole second at or before this instant.
  public var wholeSeconds: Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }
  public static func + (a: Timestamp, b: Span) -> Timestamp {
    Timestamp(microseconds: a.microseconds &+ b.microseconds)
  }
  public static func - (a: Timestamp, b: Span) -> Timestamp {
    Timestamp(microseconds: a.microseconds &- b.microseconds)
  }
  public static func - (a: Timestamp, b: Timestamp) -> Span {
    Span(microseconds: a.microseconds &- b.microseconds)
  }

  /// A length of time in microseconds.
  public struct Span: Hashable, Comparable, Sendable {
    /// May be negative.
    public var microseconds: Int64
    /// A length in microseconds.
    public init(microseconds: Int64) { self.microseconds = microseconds }
    /// A length in whole units.
    public static func seconds(_ n: Int64) -> Span { Span(microseconds: n * 1_000_000) }
    /// A length in whole minutes.
    public static func minutes(_ n: Int64) -> Span { .seconds(n * 60) }
    /// A length in whole hours.
    public static func hours(_ n: Int64) -> Span { .seconds(n * 3600) }
    public static func < (a: Span, b: Span) -> Bool { a.microseconds < b.microseconds }
  }
}

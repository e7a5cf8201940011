/// An instant, in microseconds since 1970-01-01T00:00:00Z.
///
/// What a device reads may be any number of seconds up to 9.2e12 either way; an `at` lies in the
/// years 0001–9999, which is where text in RFC 3339 exists.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

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
    public var microseconds: Int64
    public init(microseconds: Int64) { self.microseconds = microseconds }
    public static func seconds(_ n: Int64) -> Span { Span(microseconds: n * 1_000_000) }
    public static func minutes(_ n: Int64) -> Span { .seconds(n * 60) }
    public static func hours(_ n: Int64) -> Span { .seconds(n * 3600) }
    public static func < (a: Span, b: Span) -> Bool { a.microseconds < b.microseconds }
  }
}

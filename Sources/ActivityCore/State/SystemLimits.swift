/// Every limit of the system that the meaning of a log rests on, as one value a caller can change.
///
/// Sources: Apple's ActivityKit and APNs documentation for the documented ones; the others are
/// project decisions (EVENTS and <doc:Meaning>).
public struct SystemLimits: Sendable, Equatable {
  /// How long an activity may be active before the system ends it.
  public var active = Timestamp.Span.hours(8)
  /// How long an ended activity may stay on the Lock Screen.
  public var lingering = Timestamp.Span.hours(4)
  /// A content version further ahead of its `at` than this is dropped by the device.
  public var future = Timestamp.Span.hours(8)
  /// Bytes of a push to one device.
  public var pushBytes: Int64 = 4096
  /// Bytes of a broadcast.
  public var broadcastBytes: Int64 = 5120
  /// Bytes of attributes and content-state together.
  public var contentBytes: Int64 = 4096
  /// How far back state is folded from; nothing lives longer.
  public var window = Timestamp.Span.hours(36)
  /// A scheduled start counts as at most this far ahead.
  public var schedule = Timestamp.Span.hours(24 * 30)
  /// Silence after which a row of the same name is another activity.
  public var silence = Timestamp.Span.hours(24)
  /// Two recorders' starts this close are one start.
  public var witness = Timestamp.Span.seconds(120)
  /// How long after it a push start may become an activity of its key, and how long after a
  /// beginning an act on a key or channel still reaches it.
  public var keyReach = Timestamp.Span.hours(12)
  /// How long after it a push start may become an activity of its type on its device.
  public var typeReach = Timestamp.Span.seconds(120)
  /// Life shown this soon after an end does not contradict it.
  public var afterglow = Timestamp.Span.seconds(120)
  /// An end seen this close to the system's limit was the system's.
  public var systemEnd = Timestamp.Span.minutes(5)
  /// Whether a push without `stale-date` keeps the former one; undocumented.
  public var pushKeepsStaleDate = false

  /// The limits of today's systems.
  public init() {}
}

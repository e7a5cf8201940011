internal import ActivityCore

/// How long to wait before each event of a replay: recorded gaps, divided by a speed, capped.
struct ReplayPace: Sendable {
  /// How many recorded seconds pass in one; nil waits for nothing.
  let speed: Double?
  /// No wait is longer, after the speed.
  let idleLimit: Timestamp.Span?
  private var last: Int64?

  init(speed: Double?, idleLimit: Timestamp.Span?) {
    self.speed = speed
    self.idleLimit = idleLimit
  }

  /// The wait before something that happened at an instant; zero before the first.
  mutating func wait(before at: Int64) -> Timestamp.Span {
    defer { last = max(at, last ?? at) }
    guard let speed, let last, at > last else { return Timestamp.Span(microseconds: 0) }
    let gap = Timestamp.Span(microseconds: Int64(Double(at - last) / speed))
    guard let idleLimit else { return gap }
    return min(gap, idleLimit)
  }

  /// The speed of a word: `1x`, `0.5x`, `60x`, or `max` for no waits.
  static func speed(_ word: String) throws(UsageError) -> Double? {
    if word == "max" { return nil }
    guard word.hasSuffix("x"), let speed = Double(word.dropLast()), speed > 0, speed.isFinite
    else {
      throw UsageError("--speed: '\(word)' is no speed", hint: "1x, 60x, 0.5x or max")
    }
    return speed
  }
}

/// A rule, how often it is broken in a day, and how.
struct StoryKind: Sendable {
  /// Tells one story that begins at an instant; its number, from 0 on, chooses among variants.
  typealias Telling = @Sendable (_ plot: inout Plot, _ start: Int64, _ number: Int) -> Void

  /// How many stories a day, at least as many as there are variants.
  let times: Range<Int64>
  /// In which hours of the day they begin, so that all is certain before the day is over.
  let hours: Range<Int64>
  let tell: Telling

  init(_ times: Range<Int64>, hours: Range<Int64> = 1..<20, _ tell: @escaping Telling) {
    (self.times, self.hours, self.tell) = (times, hours, tell)
  }

  /// Early enough for the system's own end, eight hours later, to lie within the day.
  static let leakHours: Range<Int64> = 1..<14

  static let all: [StoryKind] =
    leaks + delivery + tokens + starts + order + keys + schedules + senders + dates + contents
    + quality + channels
}

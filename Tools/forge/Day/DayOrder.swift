/// What the command line asks of a day.
struct DayOrder {
  var events: Int64 = 2_640_000
  var seed: UInt64 = 1
  var start = UTC.days(year: 2026, month: 11, day: 1) * UTC.day
  var isClean = false
  var isStrange = false
  /// Whether stories of every rule are told in it; the day itself is clean then.
  var hasStories = false
  var truth: String?

  /// Nil when an option is unknown, lacks its value, or has one that cannot be.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--clean": isClean = true
      case "--strange": isStrange = true
      case "--faults": (isClean, hasStories) = (true, true)
      default:
        guard let value = rest.popFirst(), set(option, value) else { return nil }
      }
    }
  }

  private mutating func set(_ option: String, _ value: String) -> Bool {
    switch option {
    case "--events":
      guard let count = Int64(value), (100...50_000_000).contains(count) else { return false }
      events = count
    case "--seed":
      guard let number = UInt64(value) else { return false }
      seed = number
    case "--start":
      guard let instant = UTC.parse(value) else { return false }
      start = instant
    case "--truth": truth = value
    default: return false
    }
    return true
  }
}

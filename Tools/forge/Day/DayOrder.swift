/// What the command line asks of a day.
struct DayOrder {
  var events: Int64 = 2_640_000
  var seed: UInt64 = 1
  var start = UTC.days(year: 2026, month: 11, day: 1) * UTC.day
  var isClean = false
  var isStrange = false
  var truth: String?

  /// Nil when an option is unknown, lacks its value, or has one that cannot be.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--clean" || option == "--strange" {
        if option == "--clean" { isClean = true } else { isStrange = true }
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--events":
        guard let count = Int64(value), (100...50_000_000).contains(count) else { return nil }
        events = count
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--start":
        guard let instant = UTC.parse(value) else { return nil }
        start = instant
      case "--truth": truth = value
      default: return nil
      }
    }
  }
}

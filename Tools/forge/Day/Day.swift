struct DayOrder {
  var truth: String?
  init?(_ a: [String]) { return nil }
}
struct Day {
  init(_ order: DayOrder) {}
  func write(to: ByteSink) -> [String] { [] }
}

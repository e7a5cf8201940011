/// One synthetic day: a plan, spelled out line by line.
struct Day {
  private let order: DayOrder
  private let plan: DayPlan

  init(_ order: DayOrder) {
    self.order = order
    plan = DayPlan(order)
  }

  /// Writes every line and returns what was planted, by start of the activity.
  func write(to sink: ByteSink) -> [String] {
    let lines = DayLines(sink, dayStart: order.start)
    var refusedStarts: [Int: Int] = [:]
    plan.activities.withUnsafeBufferPointer { activities in
      for (index, event) in plan.events.enumerated() {
        lines.write(event, of: activities[Int(event.activity)])
        if event.kind == .pushStart { refusedStarts[Int(event.activity)] = index + 1 }
      }
    }
    return plan.activities.compactMap { activity in
      guard let fault = activity.fault else { return nil }
      let name = refusedStarts[activity.index].map { "start:\($0)" } ?? activity.name
      let rule = fault.rawValue
      return "{\"rule\":\"\(rule)\",\"name\":\"\(name)\",\"key\":\"\(activity.key)\"}"
    }
  }
}

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
    var stories = Stories(order)
    var refusedStarts: [Int: Int] = [:]
    var count = 0
    plan.activities.withUnsafeBufferPointer { activities in
      for event in plan.events {
        count += stories.write(until: order.start + event.recorded, after: count, to: sink)
        lines.write(event, of: activities[Int(event.activity)])
        count += 1
        if event.kind == .pushStart { refusedStarts[Int(event.activity)] = count }
      }
    }
    _ = stories.write(until: .max, after: count, to: sink)
    let faults = plan.activities.compactMap { activity -> String? in
      guard let fault = activity.fault else { return nil }
      let name = refusedStarts[activity.index].map { "start:\($0)" } ?? activity.name
      let rule = fault.rawValue
      return "{\"rule\":\"\(rule)\",\"name\":\"\(name)\",\"key\":\"\(activity.key)\"}"
    }
    return faults + stories.truth
  }
}

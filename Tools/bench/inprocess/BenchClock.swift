/// Repeats a piece of work and says how long each run took.
struct BenchClock {
  private let runs: Int
  private let isOnce: Bool
  private let clock = ContinuousClock()

  init(_ order: BenchOrder) {
    runs = order.runs
    isOnce = order.isOnce
  }

  /// What one run went over.
  struct Amount {
    var events = 0
    var bytes = 0
    /// Seconds of the run that belong to the task, where only a part of it does.
    var seconds: Double?
  }

  /// Seconds that `work` takes.
  func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = clock.now
    try work()
    return Self.seconds(clock.now - start)
  }

  /// Runs a task once to warm up, then as often as was asked, and prints its line.
  func report(_ task: String, _ work: () throws -> Amount) rethrows {
    var amount = Amount()
    var seconds: [Double] = []
    for run in 0..<(isOnce ? 1 : runs + 1) {
      let whole = try self.seconds { amount = try work() }
      if isOnce || run > 0 { seconds.append(amount.seconds ?? whole) }
    }
    Self.say(task, "\"events\": \(amount.events), \"bytes\": \(amount.bytes)", seconds)
  }

  /// One JSON line.
  static func say(_ task: String, _ members: String, _ seconds: [Double]) {
    let list = seconds.map { "\($0)" }.joined(separator: ", ")
    Outside.say("{\"task\": \"\(task)\", \(members), \"seconds\": [\(list)], \"cpu\": []}\n")
  }

  static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}

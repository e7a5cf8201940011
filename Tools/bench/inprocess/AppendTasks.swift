internal import ActivityCore
internal import ActivityStore

/// Durable appends through the library, beside bare ones of the same size.
struct AppendTasks {
  private let folder: String
  private let count: Int
  private let clock = ContinuousClock()
  private static let rounds = 10
  private static let appenders = 64
  private static let line = """
    {"event":"update","activity-id":"bench","source":"app","content-state":{"left":1}}
    """

  init(_ folder: String, count: Int) {
    self.folder = folder
    self.count = max(Self.rounds, count)
  }

  /// One event as a batch.
  private static func batch() -> EventColumns {
    var reader = LineReader()
    _ = reader.read(Array(line.utf8)[...], number: 1)
    return reader.finish()
  }

  /// Measures and leaves the process. The others stay without a task: Callgrind, which counts
  /// their instructions, does not bear the threads of Swift's pool.
  func run() -> Never {
    Task.detached {
      do {
        try await together(try single())
        Outside.leave(code: 0)
      } catch {
        Outside.leave(saying: "bench: \(error)\n", code: 2)
      }
    }
    Outside.waitForever()
  }

  private func single() throws -> Int {
    let log = "\(folder)/single"
    let writer = try LogWriter.create(path: log, id: LogID(high: 1, low: 2), clock: Outside.now)
    for _ in 0..<50 { _ = try writer.append(Self.batch()) }
    let before = try size(of: log)
    for _ in 0..<100 { _ = try writer.append(Self.batch()) }
    let bytes = [UInt8](repeating: 120, count: max(1, (try size(of: log) - before) / 100))
    let bare = Outside.openToAppend("\(folder)/bare")
    var ours: [Double] = []
    var theirs: [Double] = []
    // In turns, so that the disk is in the same mood for both.
    for _ in 0..<Self.rounds {
      for _ in 0..<(count / Self.rounds) {
        ours.append(try seconds { _ = try writer.append(Self.batch()) })
      }
      for _ in 0..<(count / Self.rounds) {
        theirs.append(seconds { Outside.appendDurably(bytes, to: bare) })
      }
    }
    BenchClock.say("append", "\"bytes\": \(bytes.count)", ours)
    BenchClock.say("bare append", "\"bytes\": \(bytes.count)", theirs)
    return bytes.count
  }

  /// As many appenders as wait for one another; seconds an event, of a few rounds.
  private func together(_ bytes: Int) async throws {
    let log = "\(folder)/together"
    let recorder = LogRecorder(
      try LogWriter.create(path: log, id: LogID(high: 1, low: 2), clock: Outside.now))
    var each: [Double] = []
    for _ in 0..<5 {
      let share = max(1, count / Self.appenders)
      let start = clock.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.appenders {
          group.addTask {
            for _ in 0..<share { _ = try await recorder.append(Self.batch()) }
          }
        }
        try await group.waitForAll()
      }
      let took = BenchClock.seconds(clock.now - start)
      each.append(took / Double(share * Self.appenders))
    }
    BenchClock.say("64 appenders", "\"bytes\": \(bytes)", each)
  }

  private func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = clock.now
    try work()
    return BenchClock.seconds(clock.now - start)
  }

  private func size(of log: String) throws -> Int {
    let names = try PosixFiles(path: log).list().filter { $0.hasSuffix(".alog") }
    return names.reduce(0) { $0 + Outside.read("\(log)/\($1)").count }
  }
}

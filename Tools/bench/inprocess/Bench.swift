/// Measures parts of the library inside one process.
enum Bench {
  static let usage = """
    bench: parts of the library, measured inside one process; a JSON line each

      bench TASK… LINES          split, scan, parse, encode: over lines of NDJSON
      bench TASK… LOG            crc, skeleton, decode, fold, states, audit: over a log
      bench append FOLDER        durable single appends through the library, and 64 at once
      bench command -- WORDS…    a command of activitylog, run again and again
        --runs N                 how often each is measured (5); the first run is not counted
        --once                   one run each and no other: for counting instructions
        --count N                appends measured (2000)

    """

  /// Runs one command line and leaves the process: 0 done, 2 not understood or not readable.
  static func main(_ words: [String]) -> Never {
    guard let order = BenchOrder(words) else { Outside.leave(saying: usage, code: 2) }
    do {
      for task in order.tasks { try run(task, order) }
    } catch {
      Outside.leave(saying: "bench: \(error)\n", code: 2)
    }
    Outside.leave(code: 0)
  }

  private static func run(_ task: String, _ order: BenchOrder) throws {
    let clock = BenchClock(order)
    switch task {
    case "split": LineTasks(order.place).split(clock)
    case "scan": LineTasks(order.place).scan(clock)
    case "parse": LineTasks(order.place).parse(clock)
    case "crc": try LogTasks(order.place).crc(clock)
    case "skeleton": try LogTasks(order.place).skeleton(clock)
    case "decode": try LogTasks(order.place).decode(clock)
    case "encode": try LineTasks(order.place).encode(clock)
    case "fold": try LogTasks(order.place).fold(clock)
    case "states": try LogTasks(order.place).states(clock)
    case "audit": try LogTasks(order.place).audit(clock)
    case "append": AppendTasks(order.place, count: order.count).run()
    case "command": CommandTask(order.words).measure(clock)
    default: Outside.leave(saying: usage, code: 2)
    }
  }
}

/// What was asked for.
struct BenchOrder {
  private(set) var tasks: [String] = []
  private(set) var place = ""
  /// Of a command, behind `--`.
  private(set) var words: [String] = []
  private(set) var runs = 5
  private(set) var count = 2000
  private(set) var isOnce = false

  init?(_ arguments: [String]) {
    var arguments = arguments[...]
    while let word = arguments.popFirst() {
      switch word {
      case "--runs":
        guard let value = arguments.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
        runs = value
      case "--count":
        guard let value = arguments.popFirst().flatMap({ Int($0) }), value > 0 else { return nil }
        count = value
      case "--once": isOnce = true
      case "--":
        words = Array(arguments)
        arguments = []
      default: tasks.append(word)
      }
    }
    if tasks == ["command"] {
      if words.isEmpty { return nil }
    } else {
      guard tasks.count > 1, let last = tasks.popLast() else { return nil }
      place = last
    }
  }
}

internal import ActivityCommands

/// A command of `activitylog` without the start of a process: what a second one would cost a
/// program that is already there.
struct CommandTask {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  func measure(_ clock: BenchClock) {
    clock.report(words.first ?? "") {
      let environment = Environment.live()
      let console = Console(out: Nowhere(), err: Nowhere(), environment)
      let status = Program.run(words, console, environment)
      guard status == .fine else {
        Outside.leave(saying: "bench: \(words.joined(separator: " ")): \(status)\n", code: 2)
      }
      return BenchClock.Amount()
    }
  }
}

/// Takes everything and keeps nothing.
private final class Nowhere: OutputSink {
  func write(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
}

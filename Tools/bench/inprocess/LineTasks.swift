internal import ActivityCore

/// What happens to lines before they are a log.
struct LineTasks {
  private let bytes: [UInt8]

  init(_ path: String) { bytes = Outside.read(path) }

  /// Finding the ends of the lines, and no more.
  func split(_ clock: BenchClock) {
    clock.report("split") { amount { _, _ in } }
  }

  /// Checking every line whole and finding its members.
  func scan(_ clock: BenchClock) {
    var members: [JSONMember] = []
    clock.report("scan") {
      amount { line, _ in _ = JSONScanner.members(of: line, into: &members) }
    }
  }

  /// Lines to batches of columns.
  func parse(_ clock: BenchClock) {
    clock.report("parse") {
      var reader = LineReader()
      let amount = amount { line, number in
        if reader.isFull { _ = reader.finish() }
        if case .full = reader.read(line, number: number) {
          _ = reader.finish()
          _ = reader.read(line, number: number)
        }
      }
      _ = reader.finish()
      return amount
    }
  }

  private func amount(
    _ take: (UnsafeRawBufferPointer, Int) -> Void
  ) -> BenchClock.Amount {
    var events = 0
    bytes.withUnsafeBytes { all in
      var start = 0
      while start < all.count {
        let end = Outside.lineEnd(all, from: start)
        events += 1
        take(UnsafeRawBufferPointer(rebasing: all[start..<end]), events)
        start = end + 1
      }
    }
    return BenchClock.Amount(events: events, bytes: bytes.count)
  }
}

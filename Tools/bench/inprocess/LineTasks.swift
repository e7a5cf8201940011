internal import ActivityCore
internal import ActivityStore

/// What happens to lines before they are a log.
struct LineTasks {
  private let path: String
  private let bytes: [UInt8]

  init(_ path: String) {
    self.path = path
    bytes = Outside.read(path)
  }

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
    clock.report("parse") { batches { _ in } }
  }

  /// Batches of columns to a log's bytes; its files are written, not synced.
  func encode(_ clock: BenchClock) throws {
    let folder = "\(path).bench"
    try clock.report("encode") {
      let writer = try LogWriter.create(
        path: folder, id: LogID(high: 1, low: 2), policy: .operatingSystem, clock: Outside.now)
      defer { Outside.remove(folder, (try? PosixFiles(path: folder).list()) ?? []) }
      var spent = 0.0
      var amount = try batches { batch in
        spent += try clock.seconds { _ = try writer.append(batch) }
      }
      amount.seconds = spent
      return amount
    }
  }

  /// In runs, and each line that a run leaves by itself, as `ingest` reads them.
  private func batches(_ take: (EventColumns) throws -> Void) rethrows -> BenchClock.Amount {
    var reader = LineReader()
    var events = 0
    try bytes.withUnsafeBytes { all in
      var start = 0
      while start < all.count {
        let run = reader.readRun(all, from: start)
        events += run.rows
        start = run.end
        if reader.isFull {
          try take(reader.finish())
          continue
        }
        guard start < all.count else { break }
        let end = Outside.lineEnd(all, from: start)
        events += 1
        let line = UnsafeRawBufferPointer(rebasing: all[start..<end])
        if case .full = reader.read(line, number: events) {
          try take(reader.finish())
          _ = reader.read(line, number: events)
        }
        start = end + 1
      }
    }
    try take(reader.finish())
    return BenchClock.Amount(events: events, bytes: bytes.count)
  }

  private func amount(
    _ take: (UnsafeRawBufferPointer, Int) throws -> Void
  ) rethrows -> BenchClock.Amount {
    var events = 0
    try bytes.withUnsafeBytes { all in
      var start = 0
      while start < all.count {
        let end = Outside.lineEnd(all, from: start)
        events += 1
        try take(UnsafeRawBufferPointer(rebasing: all[start..<end]), events)
        start = end + 1
      }
    }
    return BenchClock.Amount(events: events, bytes: bytes.count)
  }
}

internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// What happens to a log.
struct LogTasks {
  private let path: String
  /// All rows, up to the last.
  private let everything: Selection

  init(_ path: String) throws {
    self.path = path
    let end = try LogFacts(path: path).extent?.occurred.upperBound
    everything = Selection(clock: .occurred, allUntil: end ?? 0)
  }

  /// Checksums of all bytes of the log's files.
  func crc(_ clock: BenchClock) throws {
    let names = try PosixFiles(path: path).list().filter { $0.hasSuffix(".alog") }
    let segments = names.map { Outside.read("\(path)/\($0)") }
    clock.report("crc") {
      var amount = BenchClock.Amount()
      for segment in segments {
        _ = CRC32C.of(segment)
        amount.bytes += segment.count
      }
      return amount
    }
  }

  /// The columns of everything, without content.
  func skeleton(_ clock: BenchClock) throws {
    try clock.report("skeleton") { try amount(.columns) { _ in } }
  }

  /// Columns and content.
  func decode(_ clock: BenchClock) throws {
    try clock.report("decode") { try amount(LogSelection()) { _ in } }
  }

  /// Rows to activities and how they stand at the log's end.
  func fold(_ clock: BenchClock) throws {
    try clock.report("fold") {
      var projector = Projector(everything)
      var spent = 0.0
      var amount = try self.amount(.columns) { batch in
        spent += clock.seconds { projector.add(batch) }
      }
      spent += clock.seconds { _ = projector.states(view: .device) }
      amount.seconds = spent
      return amount
    }
  }

  /// The same, the decoding of columns included.
  func states(_ clock: BenchClock) throws {
    try clock.report("states") {
      var projector = Projector(everything)
      let amount = try self.amount(.columns) { projector.add($0) }
      _ = projector.states(view: .device)
      return amount
    }
  }

  /// All rules, content and the decoding included.
  func audit(_ clock: BenchClock) throws {
    try clock.report("audit") {
      var projector = Projector(everything)
      var contents = Contents()
      let amount = try self.amount(LogSelection()) { batch in
        projector.add(batch)
        contents.add(batch)
      }
      _ = Audit.report(of: projector, contents: contents)
      return amount
    }
  }

  private func amount(
    _ selection: LogSelection, _ take: (EventColumns) throws -> Void
  ) throws -> BenchClock.Amount {
    var amount = BenchClock.Amount()
    var reader = try LogReader(path: path, selection)
    while let batch = try reader.next() {
      amount.events += batch.count
      try take(batch)
    }
    return amount
  }
}

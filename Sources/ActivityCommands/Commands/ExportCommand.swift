internal import ActivityCore
internal import ActivityStore

/// Writes a log's events as lines that `ingest --restore` makes the same log of.
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "Write events as NDJSON that ingest --restore reads"
  static let group = CommandGroup.keep
  static let examples = [
    "activitylog export orders > orders.ndjson",
    "activitylog export orders --since 18:00 --until 18:40 --where event=end",
  ]
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log), .option(ReadingOptions.since), .option(ReadingOptions.until),
      .option(ReadingOptions.clock), .option(ReadingOptions.filter),
    ] + ReadingOptions.sources + [
      .flag(ReadingOptions.utc)
    ]

  private let logs: NamedLogs
  private let range: TypedRange
  private let clock: LogClock
  private let filter: EventFilter
  private let isUTC: Bool

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    range = try TypedRange(given)
    clock = try given.choice(ReadingOptions.clock, of: LogClock.self) ?? .occurred
    filter = try EventFilter(given)
    isUTC = given.isSet(ReadingOptions.utc)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    var log = try logs.open(console, environment)
    let instants = try instants(of: log, environment)
    var names = RowReader()
    var lost = LostRows()
    let writer = LineWriter()
    var (events, bytes) = (0, 0)
    var lines: [UInt8] = []
    // What was read into memory is not in the order it was recorded in, which a restore demands.
    let isLoaded = log.loaded != nil
    var floor = Int64.min
    try log.forEach(selection(of: instants)) { batch in
      lines.removeAll(keepingCapacity: true)
      for row in names.rows(of: isLoaded ? Self.raised(batch, to: &floor) : batch) {
        let time = clock == .occurred ? batch.countedAt(row.row) : batch.recordedAt[row.row]
        guard instants.contains(time), filter.isEmpty || filter.matches(row) else { continue }
        guard writer.append(row, to: &lines) else {
          lost.add(row.seq)
          continue
        }
        lines.append(UInt8(ascii: "\n"))
        events += 1
      }
      bytes += lines.count
      try console.write(lines)
    }
    try console.flush()
    let status = log.status(console)
    if lost.count > 0 {
      console.note(
        "\(logs.name): left out \(Quantity.count(lost.count, "damaged event")): \(lost.text)")
    }
    console.note(
      "\(logs.name): exported \(Quantity.count(events, "event")), \(Quantity.bytes(bytes))")
    return status.and(lost.count > 0 ? .damage : .fine)
  }

  /// The batch with no `recorded-at` before an earlier one.
  private static func raised(_ batch: EventColumns, to floor: inout Int64) -> EventColumns {
    var raised = batch
    for row in raised.recordedAt.indices {
      floor = max(floor, raised.recordedAt[row])
      raised.recordedAt[row] = floor
    }
    return raised
  }

  /// The range typed; its relative times count from the end of the log on the clock chosen.
  private func instants(
    of log: LogAccess, _ environment: Environment
  ) throws -> Range<Int64> {
    guard range.since != nil || range.until != nil else { return Int64.min..<Int64.max }
    let span = log.extent?.span(clock)
    let now = environment.now()
    return try range.resolved(
      Moment(
        anchor: span.map { Timestamp(microseconds: $0.upperBound) } ?? now, now: now,
        zone: environment.zone(utc: isUTC)), first: span?.lowerBound)
  }

  private func selection(of instants: Range<Int64>) -> LogSelection {
    var selection = LogSelection()
    switch clock {
    case .occurred:
      selection.atNoEarlierThan = instants.lowerBound
      selection.atNoLaterThan = instants.upperBound
    case .recorded: selection.recordedNoLaterThan = instants.upperBound
    }
    return selection
  }
}

/// Rows that could not be written, as ranges.
private struct LostRows {
  private(set) var count = 0
  private var ranges: [ClosedRange<Int64>] = []

  mutating func add(_ seq: Int64) {
    count += 1
    if let last = ranges.last, last.upperBound + 1 == seq {
      ranges[ranges.count - 1] = last.lowerBound...seq
    } else {
      ranges.append(seq...seq)
    }
  }

  var text: String {
    ranges.map { range in
      range.count == 1
        ? "seq \(range.lowerBound)" : "seq \(range.lowerBound) to \(range.upperBound)"
    }.joined(separator: ", ")
  }
}

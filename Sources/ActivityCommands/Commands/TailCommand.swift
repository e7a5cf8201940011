internal import ActivityCore
internal import ActivityStore

/// `tail`: the last events, and those that come.
struct TailCommand: Command {
  static let name = "tail"
  static let summary = "The last events, and new ones as they are appended"
  static let group = CommandGroup.look
  static let examples = [
    "activitylog tail LOG", "activitylog tail LOG -n all --where key=A-1042",
    "activitylog tail LOG -f --cursor-file seen.cursor",
  ]

  enum Format: String, CaseIterable { case text, jsonl }
  static let output = ReadingOptions.output(Format.self)
  static let lines = Option("lines", short: "n", value: "N|all", help: "How many; default 10")
  static let follow = Flag("follow", short: "f", help: "Go on with what is appended")
  static let cursorFile = Option(
    "cursor-file", value: "FILE", help: "Begin after the event it names, and keep it current",
    isPath: true)
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log), .option(lines), .flag(follow), .option(cursorFile),
      .option(ReadingOptions.filter),
    ] + ReadingOptions.sources + [
      .flag(ReadingOptions.utc),
      .option(output),
    ]

  private let logs: NamedLogs
  /// Nil for all.
  private let count: Int?
  private let follows: Bool
  private let cursorPath: String?
  private let filter: EventFilter
  private let utc: Bool
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    cursorPath = given.value(Self.cursorFile)
    if given.value(Self.lines) == "all" {
      count = nil
    } else {
      count = try given.integer(Self.lines) ?? 10
    }
    follows = given.isSet(Self.follow)
    filter = try EventFilter(given)
    utc = given.isSet(ReadingOptions.utc)
    format = try given.choice(Self.output, of: Format.self) ?? .text
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    try checkPlace()
    var log = try logs.open(console, environment)
    let printer = EventPrinter(
      text: EventText(time: TimeText(environment.zone(utc: utc))), asLines: format == .jsonl,
      console: console)
    if follows { console.flushesEachLine = true }
    var cursor = try cursorPath.map { try CursorFile($0, log: log) }
    var next: Int64
    if let seen = cursor?.seq {
      next = seen + 1
      try printRange(next...Int64.max, last: nil, &log, printer)
    } else {
      next = 1
      try printRange(firstSeq(of: log)...Int64.max, last: count, &log, printer)
    }
    next = max(next, (log.extent?.lastSeq ?? 0) + 1)
    try cursor?.advance(to: next - 1, in: &log)
    let status = log.status(console)
    guard follows else { return status }
    try console.flush()
    return try follow(from: next, &log, &cursor, printer, environment).and(status)
  }

  /// Without a filter the last rows are found by their seq alone.
  private func firstSeq(of log: LogAccess) -> Int64 {
    guard let extent = log.extent else { return 1 }
    guard let count, filter.isEmpty else { return extent.firstSeq }
    return log.firstSeq(ofLast: count)
  }

  /// Only a log with an identity of its own can be followed, and remembered in a cursor.
  private func checkPlace() throws(CommandError) {
    guard !logs.isOneStored else { return }
    if follows {
      throw CommandError(
        "\(logs.name): tail -f follows one log, and no files",
        hint: "activitylog ingest LOG FILE takes files into one; tail -f LOG follows it")
    }
    if cursorPath != nil {
      throw CommandError(
        "\(logs.name): a cursor is a place in one log, and files have none",
        hint: "activitylog ingest LOG FILE remembers how far a file was taken")
    }
  }

  private func printRange(
    _ seqs: ClosedRange<Int64>, last: Int?, _ log: inout LogAccess, _ printer: EventPrinter
  ) throws {
    let end = log.extent?.lastSeq ?? 0
    guard seqs.lowerBound <= end else { return }
    var selection = LogSelection()
    selection.seqs = seqs.lowerBound...end
    var names = RowReader()
    var kept: [[UInt8]] = []
    try log.forEach(selection) { batch in
      for row in names.rows(of: batch) where selection.seqs.contains(row.seq) {
        guard filter.matches(row) else { continue }
        guard let last else {
          try printer.show(row)
          continue
        }
        guard last > 0 else { continue }
        kept.append(printer.bytes(row))
        if kept.count >= 2 * last { kept.removeFirst(kept.count - last) }
      }
    }
    for line in kept.suffix(last ?? 0) { try printer.console.write(line) }
  }

  private func follow(
    from seq: Int64, _ log: inout LogAccess, _ cursor: inout CursorFile?,
    _ printer: EventPrinter, _ environment: Environment
  ) throws -> ExitStatus {
    let changes = ChangeWait([.log(logs.paths[0])], printer.console, environment)
    var tail = try LogTail(path: logs.paths[0], from: seq)
    var names = RowReader()
    var derived = try format == .text ? DerivedEvents(&log, environment.now()) : nil
    var next = seq
    var ahead: Timestamp.Span?
    repeat {
      while let batch = try tail.poll() {
        derived?.add(batch)
        for row in names.rows(of: batch) where row.seq >= next {
          if filter.matches(row) { try printer.show(row) }
        }
        next = max(next, batch.firstSeq + Int64(batch.count))
        try cursor?.advance(to: next - 1, recordedAt: batch.recordedAt[batch.count - 1], log: log)
      }
      if filter.isEmpty, let due = derived?.due(by: environment.now()) {
        for event in due { try printer.show(event) }
        ahead = derived?.untilNext(environment.now())
      }
      try printer.console.flush()
    } while changes.wait(atMost: ahead)
    var report = DamageReport(of: logs.paths[0])
    report.add(tail.damage)
    return report.say(on: printer.console)
  }
}

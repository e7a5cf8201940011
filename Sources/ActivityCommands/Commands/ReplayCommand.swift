internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// `replay`: what happened, in time order, with the transition each event caused.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "Events in time order with the change each caused"
  static let group = CommandGroup.look
  static let examples = [
    "activitylog replay LOG --since 18:00 --until 18:40 --speed 60x",
    "activitylog replay LOG --where key=A-1042 --speed max",
  ]

  enum Format: String, CaseIterable { case text, jsonl }
  static let output = ReadingOptions.output(Format.self)
  static let speed = Option(
    "speed", value: "1x|60x|max", help: "Default: in 60 s on a terminal, max in a pipe")
  static let idleLimit = Option(
    "idle-limit", value: "DURATION", help: "Never wait longer than this")
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log), .option(ReadingOptions.since), .option(ReadingOptions.until),
      .option(ReadingOptions.at), .option(ReadingOptions.clock), .option(ReadingOptions.view),
      .option(ReadingOptions.filter),
    ] + ReadingOptions.sources + [
      .option(speed),
      .option(idleLimit), .flag(ReadingOptions.utc), .option(output),
    ]

  /// The rules whose findings are cards left on a screen.
  static let leakRules: Set<String> = [
    "end-not-delivered", "ended-by-system-limit", "never-ended", "late-end", "stale-while-live",
  ]
  /// Rows read from the log at a time.
  private static let chunk = 20_000

  private let logs: NamedLogs
  private let instant: TypedInstant
  private let range: TypedRange
  private let view: LogView
  private let filter: EventFilter
  private let speed: Double?
  private let speedIsGiven: Bool
  private let idleLimit: Timestamp.Span?
  private let utc: Bool
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    instant = try TypedInstant(given)
    range = try TypedRange(given)
    view = try given.choice(ReadingOptions.view, of: LogView.self) ?? .device
    filter = try EventFilter(given)
    speedIsGiven = given.value(Self.speed) != nil
    speed = try given.value(Self.speed).map(ReplayPace.speed) ?? nil
    idleLimit = try given.duration(Self.idleLimit)
    utc = given.isSet(ReadingOptions.utc)
    format = try given.choice(Self.output, of: Format.self) ?? .text
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    var log = try logs.open(console, environment)
    let moment = log.moment(environment, utc: utc)
    let now = try instant.now(log, moment)
    let window = try range.resolved(moment, first: log.extent?.occurred.lowerBound)
    let selection = Selection(clock: instant.clock, allUntil: now)
    var plan = ReplayPlan(range: window)
    var projector = Projector(selection)
    try log.forEach(.window(of: selection)) { batch in
      plan.add(batch, selection)
      projector.add(batch)
    }
    let unnamed = projector.unnamedRows
    let resolution = projector.resolution()
    plan.fold(resolution, view: view)
    let finished = try play(plan, &log, moment, console, environment)
    if finished {
      var options = AuditOptions()
      options.rules = Self.leakRules
      if window.lowerBound != .min { options.since = window.lowerBound.stamp }
      if window.upperBound != .max { options.until = window.upperBound.stamp }
      let report = Audit.report(of: resolution, unnamedRows: unnamed, options: options)
      try printEnd(report, moment, window, console)
    }
    return log.status(console)
  }

  private func printEnd(
    _ report: AuditReport, _ moment: Moment, _ window: Range<Int64>, _ console: Console
  ) throws {
    switch format {
    case .text:
      try console.line("")
      let isWhole = window.lowerBound == .min && window.upperBound == .max
      let text = ReportText(
        time: TimeText(moment.zone), console: console, command: "activitylog audit \(logs.words)",
        asked: isWhole ? nil : window, isNarrowed: true)
      try text.show(report, all: false)
    case .jsonl:
      var json = JSONText()
      FindingJSON.write(report, into: &json)
      json.newline()
      try console.write(json.bytes)
    }
  }

  /// False when somebody ended it before the last event.
  private func play(
    _ plan: ReplayPlan, _ log: inout LogAccess, _ moment: Moment, _ console: Console,
    _ environment: Environment
  ) throws -> Bool {
    let items = plan.items()
    var pace = ReplayPace(speed: chosenSpeed(items, environment), idleLimit: idleLimit)
    let text = EventText(time: TimeText(moment.zone), dated: spansDays(items))
    let printer = EventPrinter(text: text, asLines: format == .jsonl, console: console)
    var next = 0
    while next < items.count {
      let part = items[next..<min(next + Self.chunk, items.count)]
      let rows = try read(part, &log)
      for item in part {
        let wait = pace.wait(before: item.at)
        if wait.microseconds > 0 {
          try console.flush()
          guard environment.pause(wait) else { return false }
        }
        try show(item, rows, plan, printer)
      }
      next += part.count
    }
    return true
  }

  private func read(
    _ items: ArraySlice<ReplayPlan.Item>, _ log: inout LogAccess
  ) throws -> [Int64: EventRow] {
    var seqs: [Int64] = []
    for case .row(_, let seq) in items { seqs.append(seq) }
    var rows: [Int64: EventRow] = [:]
    try log.rows(at: seqs) { rows[$0.seq] = $0 }
    return rows
  }

  private func show(
    _ item: ReplayPlan.Item, _ rows: [Int64: EventRow], _ plan: ReplayPlan,
    _ printer: EventPrinter
  ) throws {
    switch item {
    case .clock(let event):
      if filter.isEmpty { try printer.show(event) }
    case .row(_, let seq):
      guard let row = rows[seq], filter.matches(row) else { return }
      guard format == .text else { return try printer.show(row) }
      var line = printer.text.line(row)
      for change in plan.changes[seq] ?? [] { line += StoryText.change(change.step) }
      try printer.console.line(line)
    }
  }

  private func chosenSpeed(
    _ items: [ReplayPlan.Item], _ environment: Environment
  ) -> Double? {
    if speedIsGiven { return speed }
    guard environment.outputIsTerminal, let first = items.first, let last = items.last else {
      return nil
    }
    let length = Double(last.at.subtractingClamped(first.at)) / 1_000_000
    return length > 60 ? length / 60 : 1
  }

  private func spansDays(_ items: [ReplayPlan.Item]) -> Bool {
    guard let first = items.first, let last = items.last else { return false }
    return last.at.subtractingClamped(first.at) >= 24 * 3_600_000_000
  }
}

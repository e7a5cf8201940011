internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// `audit`: which cards told people something wrong, how sure that is, and what to do.
struct AuditCommand: Command {
  static let name = "audit"
  static let summary = "Leaked and lying activities, with evidence and advice"
  static let group = CommandGroup.judge
  static let examples = [
    "activitylog audit LOG --since 18:00 --until 18:40",
    "activitylog audit LOG --complete --fail-on error",
  ]

  enum Format: String, CaseIterable {
    case text, json, jsonl, ids
    case endPayloads = "end-payloads"
  }
  enum Gate: String, CaseIterable { case error, warning, info }
  static let output = ReadingOptions.output(Format.self)
  static let rule = Option("rule", value: "RULE", help: "Only this rule", repeats: true)
  static let skip = Option("skip", value: "RULE", help: "Not this rule", repeats: true)
  static let complete = Flag("complete", help: "All recorded work is over: tests, closed logs")
  static let finished = Option(
    "finished", value: "POINTER=VALUE", help: "Content that says the work is over",
    repeats: true)
  static let threshold = Option(
    "threshold", value: "RULE.NAME=VALUE", help: "A limit of a rule; see rules RULE",
    repeats: true)
  static let live = Flag("live", help: "List the cards nothing can be said of yet")
  static let all = Flag("all", short: "a", help: "List every finding")
  static let failOn = Option(
    "fail-on", choices: Gate.self, help: "Exit 1 if there is a finding this bad")
  static let dismissal = Option(
    "dismissal", value: "immediate|15m|default",
    help: "When cards that payloads end leave")
  static let arguments: [Argument] = [
    .operand(ReadingOptions.log), .option(ReadingOptions.at), .option(ReadingOptions.since),
    .option(ReadingOptions.until), .option(ReadingOptions.clock),
    .option(ReadingOptions.filter), .option(rule), .option(skip), .option(threshold),
    .flag(complete),
    .option(finished), .flag(live), .flag(all), .option(failOn), .flag(ReadingOptions.utc),
    .option(output), .option(dismissal),
  ]

  private let path: String
  private let instant: TypedInstant
  private let range: TypedRange
  private let filter: FindingFilter
  private let finished: FinishedContent
  private let showsAll: Bool
  private let isNarrowed: Bool
  /// The selection as typed, for commands to go on with.
  private let typed: String
  private let gate: Severity?
  private let utc: Bool
  private let format: Format
  private let dismissal: EndPayloads.Dismissal
  private var options = AuditOptions()

  init(_ given: Arguments) throws(UsageError) {
    path = try given.operand(ReadingOptions.log)
    instant = try TypedInstant(given)
    range = try TypedRange(given)
    filter = try FindingFilter(given)
    finished = try FinishedContent(given.pairs(Self.finished))
    showsAll = given.isSet(Self.all)
    isNarrowed = !given.all(Self.rule).isEmpty || !given.all(Self.skip).isEmpty || !filter.isEmpty
    let selecting = [ReadingOptions.at, ReadingOptions.since, ReadingOptions.until]
    typed = selecting.compactMap { option in
      given.value(option).map { " --\(option.name) '\($0)'" }
    }.joined()
    gate = try given.choice(Self.failOn, of: Gate.self).flatMap { Severity(rawValue: $0.rawValue) }
    utc = given.isSet(ReadingOptions.utc)
    format = try given.choice(Self.output, of: Format.self) ?? .text
    if given.value(Self.dismissal) != nil, format != .endPayloads {
      throw UsageError("--dismissal is of -o end-payloads alone")
    }
    dismissal = try EndPayloads.Dismissal(given.value(Self.dismissal) ?? "immediate")
    options.remedy = format == .endPayloads
    let known = AuditRules.all.map { $0.info }
    for id in given.all(Self.rule) {
      options.rules = (options.rules ?? []).union([try RulesCommand.rule(id, among: known).id])
    }
    for id in given.all(Self.skip) {
      options.skip.insert(try RulesCommand.rule(id, among: known).id)
    }
    options.thresholds = try RuleThresholds.read(given.pairs(Self.threshold))
    options.complete = given.isSet(Self.complete)
    options.live = given.isSet(Self.live)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    var log = try LogAccess(path: path)
    let moment = log.moment(environment, utc: utc)
    let now = try instant.now(log, moment)
    let window = try range.resolved(moment, first: log.extent?.occurred.lowerBound)
    var options = options
    if window.lowerBound != .min { options.since = window.lowerBound.stamp }
    if window.upperBound != .max { options.until = window.upperBound.stamp }
    let selection = Selection(clock: instant.clock, allUntil: now)
    let rows = try finished.rows(in: &log, selection)
    options.finishedRows = rows
    var projector = Projector(selection)
    var contents = Contents(keyPath: log.keyPath)
    try log.forEach(.audited(selection)) { batch in
      projector.add(batch)
      contents.add(batch)
    }
    var report = Audit.report(of: projector, contents: contents, options: options)
    if !filter.isEmpty {
      report = report.choosing(filter.matches, examplesMax: options.examplesMax)
    }
    if format == .endPayloads {
      let payloads = EndPayloads(
        dismissal: dismissal, now: report.coverage.now, time: TimeText(moment.zone))
      let remedies = filter.remedies(
        of: report, byRule: options.rules != nil || !options.skip.isEmpty, options: options)
      try payloads.write(remedies, &log, console)
    }
    try render(report, moment, window, console)
    let damage = log.status(console)
    let tripped = gate.map { report.fails(on: $0) } ?? false
    return damage.and(tripped ? .gate : .fine)
  }

  private func render(
    _ report: AuditReport, _ moment: Moment, _ window: Range<Int64>, _ console: Console
  ) throws {
    switch format {
    case .endPayloads: break
    case .text:
      let isWhole = window.lowerBound == .min && window.upperBound == .max
      let text = ReportText(
        time: TimeText(moment.zone), console: console, command: "activitylog audit \(path)\(typed)",
        asked: isWhole ? nil : window, isNarrowed: isNarrowed || !isWhole)
      try text.show(report, all: showsAll)
    case .json:
      var json = JSONText()
      FindingJSON.write(report, into: &json)
      json.newline()
      try console.write(json.bytes)
    case .jsonl:
      for finding in report.findings {
        var json = JSONText()
        FindingJSON.write(finding, into: &json)
        json.newline()
        try console.write(json.bytes)
      }
    case .ids:
      var said: Set<String> = []
      for finding in report.findings where finding.name != FindingScope.unnamed {
        if said.insert(finding.name).inserted { try console.line(finding.name) }
      }
      for state in report.live where said.insert(state.name).inserted {
        try console.line(state.name)
      }
    }
  }
}

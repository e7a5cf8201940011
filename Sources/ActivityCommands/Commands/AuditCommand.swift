internal import ActivityAudit
internal import ActivityCore
internal import ActivityStore

/// `audit`: which cards told people something wrong, how sure that is, and what to do.
struct AuditCommand: Command {
  static let name = "audit"
  static let summary = "Leaked and lying activities, with evidence and advice"
  static let group = CommandGroup.judge
  static let examples = [
    "activitylog audit push.ndjson phone.ndjson --since 18:00 --until 18:40",
    "activitylog audit push.log orders.csv --map orders.map.json",
    "activitylog audit LOG --complete --fail-on error",
    "activitylog audit LOG --baseline REPORT.json --fail-on worse",
  ]

  static let output = ReadingOptions.output(AuditFormat.self)
  static let rule = Option("rule", value: "RULE", help: "Only this rule", repeats: true)
  static let skip = Option("skip", value: "RULE", help: "Not this rule", repeats: true)
  static let complete = Flag("complete", help: "All recorded work is over: tests, closed logs")
  static let finished = Option(
    "finished", value: "POINTER=VALUE", help: "Content that says the work is over",
    repeats: true)
  static let threshold = Option(
    "threshold", value: "RULE.NAME=VALUE", help: "A limit of a rule; see rules RULE",
    repeats: true)
  static let assume = Option(
    "assume", value: "WHAT", help: "stale-date=+15m or retry-ends: what would have changed",
    repeats: true)
  static let dismissal = Option(
    "dismissal", value: "immediate|15m|default",
    help: "When cards that payloads end leave")
  static let live = Flag("live", help: "List the cards nothing can be said of yet")
  static let all = Flag("all", short: "a", help: "List every finding")
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log), .option(ReadingOptions.at), .option(ReadingOptions.since),
      .option(ReadingOptions.until), .option(ReadingOptions.clock),
      .option(ReadingOptions.filter),
    ] + ReadingOptions.sources + [
      .option(rule), .option(skip),
      .option(threshold),
      .flag(complete), .option(finished), .option(assume), .flag(live), .flag(all),
    ] + JudgingOptions.arguments
    + [.flag(ReadingOptions.utc), .option(output), .option(dismissal)]

  private let logs: NamedLogs
  private let instant: TypedInstant
  private let range: TypedRange
  private let filter: FindingFilter
  private let finished: FinishedContent
  private let showsAll: Bool
  private let isNarrowed: Bool
  /// The selection as typed, for commands to go on with.
  private let typed: String
  private let judging: JudgingOptions
  private let utc: Bool
  private let format: AuditFormat
  private let dismissal: EndPayloads.Dismissal
  private let assumptions: [Assumption]
  private var options = AuditOptions()

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    instant = try TypedInstant(given)
    range = try TypedRange(given)
    filter = try FindingFilter(given)
    finished = try FinishedContent(given.pairs(Self.finished))
    showsAll = given.isSet(Self.all)
    isNarrowed = !given.all(Self.rule).isEmpty || !given.all(Self.skip).isEmpty || !filter.isEmpty
    typed = AuditCommand.typed(given)
    utc = given.isSet(ReadingOptions.utc)
    format = try given.choice(Self.output, of: AuditFormat.self) ?? .text
    judging = try JudgingOptions(given, format)
    try Self.checkPlace(given, format)
    dismissal = try EndPayloads.Dismissal(given.value(Self.dismissal) ?? "immediate")
    options.remedy = format == .endPayloads || format == .text
    assumptions = try AssumedText.read(given.all(Self.assume))
    guard assumptions.isEmpty || format == .text || format == .json else {
      throw UsageError("--assume is told by -o text and json")
    }
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
    options.groupBy = judging.grouping
    let filter = filter
    if !filter.isEmpty { options.keepsCard = { filter.mayMatch($0) } }
  }

  /// What chose the cards, as a shell reads it.
  private static func typed(_ given: Arguments) -> String {
    let options = [
      ReadingOptions.at, ReadingOptions.since, ReadingOptions.until, ReadingOptions.clock,
      ReadingOptions.filter, rule, skip, threshold, finished, JudgingOptions.suppress,
    ]
    let words = options.flatMap { option in
      given.all(option).map { " --\(option.name) \(ShellWord.quoted($0))" }
    }
    let flags = [complete, ReadingOptions.utc].filter { given.isSet($0) }.map { " --\($0.name)" }
    return (words + flags).joined()
  }

  /// Options that the chosen output has no place for.
  private static func checkPlace(_ given: Arguments, _ format: AuditFormat) throws(UsageError) {
    if given.isSet(live), ![.text, .json, .ids, .keys].contains(format) {
      throw UsageError(
        "--live has no place in -o \(format.rawValue)", hint: "-o text, json, ids or keys")
    }
    if given.isSet(all), format != .text, format != .markdown {
      throw UsageError(
        "--all is of -o text and markdown; -o \(format.rawValue) leaves nothing out")
    }
    if given.value(dismissal) != nil, format != .endPayloads {
      throw UsageError("--dismissal is of -o end-payloads alone")
    }
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let judge = try Judge(judging)
    var log = try logs.open(console, environment)
    let moment = log.moment(environment, utc: utc)
    let now = try instant.now(log, moment)
    let window = try range.resolved(moment, first: log.extent?.occurred.lowerBound)
    var options = options
    if window.lowerBound != .min { options.since = window.lowerBound.stamp }
    if window.upperBound != .max { options.until = window.upperBound.stamp }
    let selection = Selection(clock: instant.clock, allUntil: now)
    let rows = try finished.rows(in: &log, selection)
    options.finishedRows = rows
    let (resolution, contents, unnamed) = try log.audited(selection)
    var report = judge.suppressions.apply(
      to: Audit.report(
        of: resolution, contents: contents, unnamedRows: unnamed, options: options), console)
    if !filter.isEmpty {
      report = report.choosing(filter.matches, examplesMax: options.examplesMax)
    }
    var assumed: AssumedText?
    if !assumptions.isEmpty {
      let after = Audit.report(
        assuming: assumptions, of: resolution, contents: contents, unnamedRows: unnamed,
        options: options)
      assumed = AssumedText(
        assumptions: assumptions, before: report,
        after: judge.suppressions.quietly(after).choosing(
          filter.matches, examplesMax: options.examplesMax))
    }
    if format == .endPayloads {
      let payloads = EndPayloads(
        dismissal: dismissal, now: report.coverage.now, time: TimeText(moment.zone))
      let byRule =
        options.rules != nil || !options.skip.isEmpty || !judging.suppressions.isEmpty
      let remedies = filter.remedies(of: report, byRule: byRule, options: options)
      try payloads.write(remedies, &log, console)
    }
    var page = page(report, judge, moment, window, options)
    page.assumed = assumed
    try format.show(page, console)
    let status = judge.status(of: page, format, console)
    return log.status(console).and(status)
  }

  private func page(
    _ report: AuditReport, _ judge: Judge, _ moment: Moment, _ window: Range<Int64>,
    _ options: AuditOptions
  ) -> AuditPage {
    let isWhole = window.lowerBound == .min && window.upperBound == .max
    let time = TimeText(moment.zone)
    let rules = AuditRules.all.map { $0.info }.filter { rule in
      options.rules?.contains(rule.id) ?? true && !options.skip.contains(rule.id)
    }
    return AuditPage(
      report: report, time: time, path: logs.paths[0],
      command: "activitylog audit \(logs.words)\(typed)",
      asked: isWhole ? nil : window, isNarrowed: isNarrowed || !isWhole, showsAll: showsAll,
      rules: rules, comparison: judging.grouping.map { Comparison(report, by: $0) },
      change: judge.baseline?.change(
        to: report, factor: judging.gate?.factor, rules: Set(rules.map(\.id)),
        isWhole: isWhole && filter.isEmpty),
      suppresses: !judging.suppressions.isEmpty,
      uncovered: judging.required.missing(
        from: report.coverage, since: options.since, until: options.until, time))
  }
}

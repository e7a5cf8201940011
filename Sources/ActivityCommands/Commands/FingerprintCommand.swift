internal import ActivityAudit
internal import ActivityCore

/// `fingerprint`: what the log keeps of raw tokens, to find one's own devices in a finding, and the
/// raw token behind a payload. A raw token is never printed.
struct FingerprintCommand: Command {
  static let name = "fingerprint"
  static let summary = "Raw tokens on standard input to what a log keeps of them"
  static let group = CommandGroup.judge
  static let examples = [
    "activitylog fingerprint < tokens.tsv > fingerprints.tsv",
    "activitylog fingerprint LOG -o jsonl < tokens.tsv | jq .activities",
  ]

  enum Format: String, CaseIterable { case text, jsonl }
  static let output = ReadingOptions.output(Format.self)
  static let log = Operand(
    "LOG", .anyNumber, help: "Also say which activities they are, and their findings")
  static let arguments: [Argument] =
    [
      .operand(log), .option(ReadingOptions.at), .option(ReadingOptions.clock),
    ] + ReadingOptions.sources + [
      .flag(ReadingOptions.utc), .option(output),
    ]

  /// Nil when no LOG was named.
  private let logs: NamedLogs?
  private let instant: TypedInstant
  private let utc: Bool
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    logs = given.all(Self.log).isEmpty ? nil : try NamedLogs(given, Self.log)
    instant = try TypedInstant(given)
    utc = given.isSet(ReadingOptions.utc)
    format = try given.choice(Self.output, of: Format.self) ?? .text
    let options = [ReadingOptions.at, ReadingOptions.clock, ReadingOptions.keyPath]
    let isOfLog = utc || options.contains { given.value($0) != nil }
    let sources = try SourceOptions(given)
    guard logs != nil || sources.isEmpty else {
      throw UsageError("\(sources.names) is said of a file of lines: LOG is missing")
    }
    guard logs != nil || !isOfLog else { throw UsageError("a time is a log's: LOG is missing") }
    if logs?.paths.contains("-") ?? false {
      throw UsageError("standard input is the tokens: name LOG by its path")
    }
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let table = try TokenTable(environment)
    var status = ExitStatus.fine
    if let logs {
      var log = try logs.open(console, environment)
      let found = try findings(of: table, log.moment(environment, utc: utc), &log)
      for line in table.lines { try write(line, found.activities[line.fingerprint] ?? [], console) }
      status = log.status(console)
    } else {
      for line in table.lines { try write(line, nil, console) }
    }
    for number in table.refused.prefix(Self.saidMax) {
      console.note("line \(number) is no token: neither hex nor base64 of 32 bytes or more")
    }
    guard !table.refused.isEmpty else { return status }
    let all = table.lines.count + table.refused.count
    console.note("\(table.refused.count) of \(Quantity.count(all, "line")) refused")
    return status.and(.damage)
  }

  /// How many refused lines are named.
  private static let saidMax = 5

  private func findings(
    of table: TokenTable, _ moment: Moment, _ log: inout LogAccess
  ) throws -> TokenFindings {
    let selection = Selection(clock: instant.clock, allUntil: try instant.now(log, moment))
    let (resolution, contents, unnamed) = try log.audited(selection)
    var rules: [String: [String]] = [:]
    let report = Audit.report(
      of: resolution, contents: contents, unnamedRows: unnamed, options: AuditOptions())
    for finding in report.findings where rules[finding.name]?.contains(finding.rule) != true {
      rules[finding.name, default: []].append(finding.rule)
    }
    return TokenFindings(Set(table.lines.map(\.fingerprint)), in: resolution, rules: rules)
  }

  /// With LOG a line for each activity, or one with dashes: key, name, rules. What stood behind the
  /// token comes last.
  private func write(
    _ line: TokenLine, _ activities: [TokenFindings.Activity]?, _ console: Console
  ) throws {
    switch format {
    case .text:
      let rest = line.rest.map { [$0] } ?? []
      guard let activities else { return try put([line.fingerprint] + rest, console) }
      if activities.isEmpty { try put([line.fingerprint, "-", "-", "-"] + rest, console) }
      for activity in activities {
        let rules = activity.rules.isEmpty ? "-" : activity.rules.joined(separator: ",")
        let cells = [line.fingerprint, activity.key ?? "-", activity.name, rules]
        try put(cells + rest, console)
      }
    case .jsonl:
      var json = JSONText()
      json.object {
        $0.member("schema", "activitylog.fingerprint/1")
        $0.member("token", line.fingerprint)
        $0.member("rest", line.rest)
        if let activities { FingerprintCommand.write(activities, members: &$0) }
      }
      json.newline()
      try console.write(json.bytes)
    }
  }

  private static func write(
    _ activities: [TokenFindings.Activity], members json: inout JSONText
  ) {
    json.array("activities") {
      for activity in activities {
        $0.object {
          $0.member("activity-id", activity.activityID)
          $0.member("name", activity.name)
          $0.member("key", activity.key)
          $0.array("rules") { for rule in activity.rules { $0.value(rule) } }
        }
      }
    }
  }

  /// Cells with tabs between them; whatever could move a cursor is spelled out, tabs in the rest of
  /// a line stay.
  private func put(_ cells: [String], _ console: Console) throws {
    let escaped = cells.flatMap { $0.split(separator: "\t", omittingEmptySubsequences: false) }
      .map { Escape.text(String($0)) }
    try console.write(Array((escaped.joined(separator: "\t") + "\n").utf8))
  }
}

internal import ActivityCore
internal import ActivityStore

/// Says what a log is: its files, its events, how durable it is, and what it can judge.
struct InfoCommand: Command {
  enum Format: String, CaseIterable {
    case text
    case json
  }

  static let name = "info"
  static let summary = "Show a log's files, events and what it can judge"
  static let group = CommandGroup.keep
  static let examples = ["activitylog info orders", "activitylog info orders -o json"]
  static let output = ReadingOptions.output(Format.self)
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log)
    ] + ReadingOptions.sources + [
      .option(output),
      .flag(ReadingOptions.utc),
    ]

  private let logs: NamedLogs
  private let format: Format
  private let isUTC: Bool

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    format = try given.choice(Self.output, of: Format.self) ?? .text
    isUTC = given.isSet(ReadingOptions.utc)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    // Before the events, so that no more is promised than what is then read.
    let survey = logs.isOneStored ? try LogSurvey(path: logs.paths[0]) : nil
    var log = try logs.open(console, environment)
    var selection = LogSelection.columns
    selection.members = LogCensus.members
    var census = LogCensus()
    try log.forEach(selection) { census.add($0) }
    let zone = environment.zone(utc: isUTC)
    if let survey {
      try show(survey, census, zone, console)
    } else if let loaded = log.loaded {
      let info = LoadedInfo(loaded: loaded, census: census, zone: zone)
      switch format {
      case .text: for line in info.lines { try console.line(line) }
      case .json: try console.write(info.bytes)
      }
    }
    return log.status(console)
  }

  private func show(
    _ survey: LogSurvey, _ census: LogCensus, _ zone: Zone, _ console: Console
  ) throws {
    switch format {
    case .text:
      let text = InfoText(log: logs.name, survey: survey, census: census, zone: zone)
      for line in text.lines { try console.line(line) }
    case .json: try console.write(InfoJSON.bytes(survey, census))
    }
  }
}

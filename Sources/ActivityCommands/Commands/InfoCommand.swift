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
  static let arguments: [Argument] = [
    .operand(ReadingOptions.log), .option(output), .flag(ReadingOptions.utc),
  ]

  private let log: String
  private let format: Format
  private let isUTC: Bool

  init(_ given: Arguments) throws(UsageError) {
    log = try given.operand(ReadingOptions.log)
    format = try given.choice(Self.output, of: Format.self) ?? .text
    isUTC = given.isSet(ReadingOptions.utc)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let survey = try LogSurvey(path: log)
    var selection = LogSelection.columns
    selection.members = LogCensus.members
    var reader = try LogReader(path: log, selection)
    var census = LogCensus()
    while let batch = try reader.next() { census.add(batch) }
    switch format {
    case .text:
      let text = InfoText(
        log: log, survey: survey, census: census, zone: environment.zone(utc: isUTC))
      for line in text.lines { try console.line(line) }
    case .json: try console.write(InfoJSON.bytes(survey, census))
    }
    return DamageReport(of: log, reader.end).say(on: console)
  }
}

internal import ActivityCore

/// `state`: what was on people's screens at an instant.
struct StateCommand: Command {
  static let name = "state"
  static let summary = "What was visible at a time, or of one activity"
  static let group = CommandGroup.look
  static let examples = [
    "activitylog state LOG --at 18:25",
    "activitylog state LOG A-1042 --at 18:25 -o jsonl | jq .phase",
  ]

  enum Format: String, CaseIterable { case text, json, jsonl, ids }
  static let output = ReadingOptions.output(Format.self)
  static let id = Operand(
    "ID", .optional, help: "An id, the beginning of one, or a key; no file's name",
    isPath: false)
  static let all = Flag("all", short: "a", help: "Also what was not on screen")
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log), .operand(id), .option(ReadingOptions.at),
      .option(ReadingOptions.atSeq), .option(ReadingOptions.clock), .option(ReadingOptions.view),
      .option(ReadingOptions.filter),
    ] + ReadingOptions.sources + [
      .flag(all),
      .flag(ReadingOptions.utc), .option(output),
    ]

  private let logs: NamedLogs
  private let instant: TypedInstant
  private let view: LogView
  private let filter: ActivityFilter
  private let showsAll: Bool
  private let utc: Bool
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    instant = try TypedInstant(given)
    view = try given.choice(ReadingOptions.view, of: LogView.self) ?? .device
    filter = try ActivityFilter(given)
    showsAll = given.isSet(Self.all)
    utc = given.isSet(ReadingOptions.utc)
    format = try given.choice(Self.output, of: Format.self) ?? .text
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    let (logs, id) = logs.splittingID()
    let match = id.map(ActivityMatch.init)
    var log = try logs.open(console, environment)
    let moment = log.moment(environment, utc: utc)
    let selection = try instant.selection(of: &log, moment)
    let (resolution, lost) = try resolve(match, selection, &log)
    let some = try match?.activities(in: resolution)
    var states = Projector.states(resolution, view: view, until: selection.until, of: some)
      .filter(filter.matches)
    if match == nil, !showsAll { states = states.filter(\.isVisible) }
    states.sort { StateCommand.rank($0) < StateCommand.rank($1) }
    if states.isEmpty, let match {
      try explainAbsence(of: match, logs, selection, moment, &log, console)
    } else {
      try render(states, isOne: match != nil, selection, moment, &log, console)
    }
    if lost > 0 { console.note("\(lost) events have lost their activity's name to damage") }
    return log.status(console)
  }

  /// The rows the answer rests on, and how many have lost their name: for one activity, those that
  /// can have to do with it, where they can be looked up.
  private func resolve(
    _ match: ActivityMatch?, _ selection: Selection, _ log: inout LogAccess
  ) throws -> (Resolution, lost: Int) {
    if let match, let resolution = try log.resolution(of: match, selection) {
      return (resolution, 0)
    }
    var projector = Projector(selection)
    try log.forEach(.window(of: selection)) { projector.add($0) }
    let lost = projector.unnamedRows
    return (projector.resolution(), lost)
  }

  /// Stale first, then active, then what lingers: what worries comes first.
  private static func rank(_ state: ActivityState) -> (Int, String, String, Int64) {
    let order: [Phase] = [.stale, .active, .pending, .ended, .dismissed, .none]
    return (
      order.firstIndex(of: state.phase) ?? 0, state.key ?? "~", state.name, state.firstSeq
    )
  }

  private func render(
    _ states: [ActivityState], isOne: Bool, _ selection: Selection, _ moment: Moment,
    _ log: inout LogAccess, _ console: Console
  ) throws {
    if format == .ids {
      for state in states { try console.line(state.activityID ?? state.name) }
      return
    }
    let contents = try log.contents(of: states)
    let text = StateText(time: TimeText(moment.zone))
    switch format {
    case .ids: break
    case .text:
      let at = Timestamp(microseconds: selection.until)
      let clock = "\(selection.clock.rawValue) clock, \(view.rawValue) view"
      if !isOne {
        try console.line(text.summary(states, at: at, clock))
      } else {
        try console.line("At \(TimeText(moment.zone).instant(at)) (\(clock)):")
      }
      for line in text.table(states, contents).lines(width: console.width) {
        try console.line(line)
      }
    case .jsonl:
      for state in states {
        var json = JSONText()
        StateText.json(state, contents, into: &json)
        json.newline()
        try console.write(json.bytes)
      }
    case .json:
      try console.write(document(states, selection, contents))
    }
  }

  private func document(
    _ states: [ActivityState], _ selection: Selection, _ contents: [Int64: RowContent]
  ) -> [UInt8] {
    var json = JSONText()
    json.object {
      $0.member("schema", "activitylog.states/1")
      $0.member("at", Timestamp(microseconds: selection.until).rfc3339)
      $0.member("clock", selection.clock.rawValue)
      $0.member("view", view.rawValue)
      $0.array("activities") {
        for state in states { StateText.json(state, contents, into: &$0) }
      }
    }
    json.newline()
    return json.bytes
  }

  /// An activity with no row in the window: `none`, and when its last row was.
  private func explainAbsence(
    of match: ActivityMatch, _ logs: NamedLogs, _ selection: Selection, _ moment: Moment,
    _ log: inout LogAccess, _ console: Console
  ) throws {
    guard let last = try log.lastRow(naming: match.typed, until: selection.until) else {
      // Damage may be why: it is said before the error.
      _ = log.status(console)
      throw CommandError(
        "no activity in this log is called '\(match.typed)'",
        hint: "activitylog state \(logs.words) --all -o ids")
    }
    switch format {
    case .text: try console.line("none")
    case .json: try console.write(document([], selection, [:]))
    case .jsonl, .ids: break
    }
    console.note(
      "'\(match.typed)' has no event in the 36 h before; its last is event \(last.seq) at "
        + TimeText(moment.zone).instant(Timestamp(microseconds: last.at)))
  }
}

internal import ActivityCore
internal import ActivityStore

/// `diff`: what changed between two instants, or where the sender's belief and the device differ.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary = "What differs between two times, or between the two views"
  static let group = CommandGroup.look
  static let examples = [
    "activitylog diff LOG --from 18:00 --to 18:40",
    "activitylog diff LOG --views --at now -o payloads",
  ]

  enum Format: String, CaseIterable { case text, json, jsonl, ids, payloads }
  static let output = ReadingOptions.output(Format.self)
  static let from = Option("from", value: "TIME", help: "The first time")
  static let to = Option("to", value: "TIME", help: "The second; default the log's end")
  static let views = Flag("views", help: "The sender's belief against the device, at --at")
  static let all = Flag("all", short: "a", help: "Also what was not on screen at either")
  static let exitCode = Flag("exit-code", help: "Exit 1 if anything differs")
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log), .option(from), .option(to), .flag(views),
      .option(ReadingOptions.at), .option(ReadingOptions.clock), .option(ReadingOptions.view),
      .option(ReadingOptions.filter),
    ] + ReadingOptions.sources + [
      .flag(all), .flag(exitCode),
      .flag(ReadingOptions.utc), .option(output),
    ]

  /// What is compared.
  private enum Sides {
    case times(from: TypedInstant, to: TypedInstant, LogView)
    case views(TypedInstant)
  }

  private let logs: NamedLogs
  private let sides: Sides
  private let filter: ActivityFilter
  private let showsAll: Bool
  private let failsOnDifference: Bool
  private let utc: Bool
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    format = try given.choice(Self.output, of: Format.self) ?? .text
    sides = try DiffCommand.sides(given, format)
    filter = try ActivityFilter(given)
    showsAll = given.isSet(Self.all)
    failsOnDifference = given.isSet(Self.exitCode)
    utc = given.isSet(ReadingOptions.utc)
    if showsAll, format == .payloads {
      throw UsageError("--all says nothing of pushes: they are for cards on a screen")
    }
  }

  private static func sides(_ given: Arguments, _ format: Format) throws(UsageError) -> Sides {
    let clock = try given.choice(ReadingOptions.clock, of: LogClock.self) ?? .occurred
    let times = [try given.time(from), try given.time(to), try given.time(ReadingOptions.at)]
    let view = try given.choice(ReadingOptions.view, of: LogView.self)
    if given.isSet(views) {
      guard times[0] == nil, times[1] == nil else {
        throw UsageError("--views compares at one time", hint: "--views --at TIME")
      }
      guard view == nil else { throw UsageError("--views compares both views") }
      return .views(TypedInstant(at: times[2], clock: clock))
    }
    guard times[0] != nil || times[1] != nil else {
      throw UsageError(
        "what to compare is missing", hint: "--from TIME, --from TIME --to TIME, or --views")
    }
    guard times[0] != nil else {
      throw UsageError("--to needs --from", hint: "--from TIME --to TIME")
    }
    guard times[2] == nil else {
      throw UsageError("--at goes with --views", hint: "--from TIME --to TIME")
    }
    guard format != .payloads else { throw UsageError("-o payloads goes with --views") }
    return .times(
      from: TypedInstant(at: times[0], clock: clock), to: TypedInstant(at: times[1], clock: clock),
      view ?? .device)
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    var log = try logs.open(console, environment)
    let moment = log.moment(environment, utc: utc)
    var title: DiffTitle
    var pairs: [ActivityPair]
    switch sides {
    case .times(let from, let to, let view):
      let first = try states(from, view, moment, &log)
      let second = try states(to, view, moment, &log)
      title = DiffTitle(clock: to.clock, sides: .times(first.until, second.until, view))
      pairs = ActivityPair.pairs(first.states, second.states)
    case .views(let instant):
      let selection = try instant.selection(of: &log, moment)
      let resolution = try resolve(selection, &log)
      let views = ViewPair.all(of: resolution, until: selection.until).filter(matches)
      let now = Timestamp(microseconds: selection.until)
      if format == .payloads {
        return try writePushes(views, resolution, selection, &log, console)
      }
      title = DiffTitle(clock: instant.clock, sides: .views(now))
      // A sender that never asked for anything believes nothing.
      let believing = showsAll ? views : views.filter { $0.sent != nil }
      pairs = believing.map { ActivityPair(before: $0.sentState, after: $0.deviceState) }
    }
    pairs = pairs.filter { (showsAll || $0.isVisible) && matches($0.before, $0.after) }
    let differences = try compared(pairs, &log)
    try render(differences, title, TimeText(moment.zone), console)
    let isDifferent = failsOnDifference && !differences.isEmpty
    return log.status(console).and(isDifferent ? .gate : .fine)
  }

  private func matches(_ views: ViewPair) -> Bool { matches(views.sentState, views.deviceState) }

  private func matches(_ before: ActivityState?, _ after: ActivityState?) -> Bool {
    before.map(filter.matches) ?? false || after.map(filter.matches) ?? false
  }

  private func resolve(_ selection: Selection, _ log: inout LogAccess) throws -> Resolution {
    var projector = Projector(selection)
    try log.forEach(.window(of: selection)) { projector.add($0) }
    return projector.resolution()
  }

  private func states(
    _ instant: TypedInstant, _ view: LogView, _ moment: Moment, _ log: inout LogAccess
  ) throws -> (states: [ActivityState], until: Timestamp) {
    let selection = try instant.selection(of: &log, moment)
    let resolution = try resolve(selection, &log)
    return (
      Projector.states(resolution, view: view, until: selection.until),
      Timestamp(microseconds: selection.until)
    )
  }

  /// Most worrying first: what is new on screen, then what is shown otherwise, then what is gone.
  private func compared(
    _ pairs: [ActivityPair], _ log: inout LogAccess
  ) throws -> [ActivityDifference] {
    let contents = try log.contents(at: pairs.flatMap(\.contentSeqs))
    let order: [ActivityDifference.Change] = [.appeared, .changed, .gone]
    func rank(_ difference: ActivityDifference) -> (Int, String, String, Int64) {
      let state = difference.pair.present
      return (
        order.firstIndex(of: difference.change) ?? 0, state?.key ?? "~", state?.name ?? "",
        state?.firstSeq ?? 0
      )
    }
    return pairs.compactMap { ActivityDifference($0, contents) }.sorted { rank($0) < rank($1) }
  }

  private func render(
    _ differences: [ActivityDifference], _ title: DiffTitle, _ time: TimeText, _ console: Console
  ) throws {
    switch format {
    case .payloads: break
    case .ids:
      var said: Set<String> = []
      for state in differences.compactMap(\.pair.present) where said.insert(state.name).inserted {
        try console.line(state.activityID ?? state.name)
      }
    case .text:
      try console.line(title.text(time) + ": " + title.summary(differences))
      let text = DiffText(time: time, day: title.last)
      for difference in differences {
        for line in text.lines(difference) { try console.line(line) }
      }
    case .jsonl:
      for difference in differences {
        var json = JSONText()
        DiffJSON.write(difference, into: &json)
        json.newline()
        try console.write(json.bytes)
      }
    case .json:
      var json = JSONText()
      title.write(differences, into: &json)
      try console.write(json.bytes)
    }
  }
}

extension DiffCommand {
  /// The pushes, and what they would come to: the log folded once more with their rows in it.
  private func writePushes(
    _ views: [ViewPair], _ resolution: Resolution, _ selection: Selection,
    _ log: inout LogAccess, _ console: Console
  ) throws -> ExitStatus {
    var contents: [Int64: PushContent] = [:]
    try log.rows(at: BeliefPlan.contentSeqs(views)) { contents[$0.seq] = PushContent($0) }
    let plan = BeliefPlan(
      views, of: resolution, now: Timestamp(microseconds: selection.until), contents: contents)
    for push in plan.pushes {
      var json = JSONText()
      push.write(into: &json)
      try console.write(json.bytes)
    }
    let lastSeq = log.extent?.lastSeq ?? 0
    var projector = Projector(selection)
    try log.forEach(.window(of: selection)) { projector.add($0) }
    try plan.addRows(to: &projector, after: lastSeq)
    let after = ViewPair.all(of: projector.resolution(), until: selection.until)
    plan.say(wrong: plan.wrongCards(after, after: lastSeq), console)
    let isDifferent = failsOnDifference && plan.wrong > 0
    return log.status(console).and(isDifferent ? .gate : .fine)
  }
}

extension TypedInstant {
  /// An instant that another option names; the log's end when none does.
  fileprivate init(at: TimeExpression?, clock: LogClock) {
    self.at = at
    atSeq = nil
    self.clock = clock
  }
}

internal import ActivityAudit
internal import ActivityCore

/// `show`: one activity's timeline, both views, its findings, and what this customer saw.
struct ShowCommand: Command {
  static let name = "show"
  static let summary = "One activity's timeline and what its person saw"
  static let group = CommandGroup.look
  static let examples = [
    "activitylog show LOG A-1042", "activitylog show LOG 5e1c7a --at 18:45",
  ]

  enum Format: String, CaseIterable { case text, jsonl }
  static let output = ReadingOptions.output(Format.self)
  static let id = Operand("ID", help: "An id, the beginning of one, or a key", isPath: false)
  static let arguments: [Argument] =
    [
      .operand(ReadingOptions.log), .operand(id), .option(ReadingOptions.at),
      .option(ReadingOptions.clock),
    ] + ReadingOptions.sources + [
      .flag(ReadingOptions.utc),
      .option(output),
    ]

  private let logs: NamedLogs
  private let match: ActivityMatch
  private let instant: TypedInstant
  private let utc: Bool
  private let format: Format

  init(_ given: Arguments) throws(UsageError) {
    logs = try NamedLogs(given)
    match = ActivityMatch(typed: try given.operand(Self.id))
    instant = try TypedInstant(given)
    utc = given.isSet(ReadingOptions.utc)
    format = try given.choice(Self.output, of: Format.self) ?? .text
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    var log = try logs.open(console, environment)
    let moment = log.moment(environment, utc: utc)
    let now = try instant.now(log, moment)
    let selection = Selection(clock: instant.clock, allUntil: now)
    let (resolution, contents, unnamed) = try log.audited(selection)
    let activities = try match.activities(in: resolution)
    guard !activities.isEmpty else {
      // Damage may be why: it is said before the error.
      _ = log.status(console)
      throw CommandError(
        "no activity in this log is called '\(match.typed)'"
          + (instant.at != nil
            ? " at \(TimeText(moment.zone).instant(now.stamp ?? moment.now))" : ""),
        hint: instant.at != nil ? "leave out --at" : "activitylog state \(logs.words) --all -o ids")
    }
    let stories = try ActivityStory.stories(
      of: activities, in: resolution, until: now, &log)
    let names = Set(stories.map(\.device.name))
    let findings = Audit.report(
      of: resolution, contents: contents, unnamedRows: unnamed, options: AuditOptions()
    ).findings.filter { names.contains($0.name) }
    switch format {
    case .text: try printText(stories, findings, now, TimeText(moment.zone), console)
    case .jsonl: try printLines(stories, console)
    }
    return log.status(console)
  }

  private func printText(
    _ stories: [ActivityStory], _ findings: [Finding], _ now: Int64, _ time: TimeText,
    _ console: Console
  ) throws {
    let text = StoryText(time: time, console: console)
    try console.line(
      Styled("As known at \(time.instant(Timestamp(microseconds: now))):", .dim))
    for (number, story) in stories.enumerated() {
      if number > 0 { try console.line("") }
      // A name may have several lives; what is said of two cards rests on rows of both.
      let seqs = story.device.firstSeq...max(story.device.lastSeq, story.device.firstSeq)
      let own = findings.filter { finding in
        finding.name == story.device.name
          && (stories.count == 1 || finding.evidence.contains(where: seqs.contains))
      }
      try text.show(story, findings: own)
    }
  }

  private func printLines(_ stories: [ActivityStory], _ console: Console) throws {
    for story in stories {
      for moment in story.moments {
        var json = JSONText()
        json.object {
          $0.member("schema", "activitylog.step/1")
          $0.member("name", story.device.name)
          $0.member("at", Timestamp(microseconds: moment.step.at).rfc3339)
          $0.member("seq", moment.step.seq)
          switch moment.step.cause {
          case .clock(let step): $0.member("event", "~" + step.rawValue)
          case .row: $0.member("event", moment.row?.kindWord)
          }
          $0.member("outcome", moment.step.outcome.word)
          $0.member("before", moment.step.before.word)
          $0.member("after", moment.step.after.word)
          if let content = moment.content {
            $0.member("content-state", raw: content.contentState)
            if content.isDamaged { $0.member("content-damaged", true) }
          }
        }
        json.newline()
        try console.write(json.bytes)
      }
    }
  }
}

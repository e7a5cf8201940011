internal import ActivityCommands
internal import ActivityCore

/// A command that says what it was given; with `--fail KIND` it fails in that way.
struct Probe: Command {
  enum Output: String, CaseIterable {
    case text
    case json
    case ids
  }

  static let name = "probe"
  static let summary = "Print what was given"
  static let group = CommandGroup.look
  static let examples = ["activitylog probe -f -n 5 orders"]
  static let log = Operand("LOG", help: "A log")
  static let files = Operand("FILE", .anyNumber, help: "More of them, or - for standard input")
  static let follow = Flag("follow", short: "f", help: "Keep waiting for more")
  static let quiet = Flag("quiet", short: "q", help: "Say less")
  static let lines = Option("lines", short: "n", value: "N", help: "Start with the last N")
  static let pairs = Option(
    "where", short: "w", value: "NAME=VALUE", help: "Only what matches", repeats: true)
  static let output = Option("output", short: "o", choices: Output.self, help: "How to print")
  static let since = Option("since", value: "TIME", help: "From then on")
  static let idle = Option("idle-limit", value: "TIME", help: "Longest wait")
  static let fail = Option("fail", value: "KIND", help: "Fail that way")
  static let arguments: [Argument] = [
    .operand(log), .operand(files), .flag(follow), .flag(quiet), .option(lines),
    .option(pairs), .option(output), .option(since), .option(idle), .option(fail),
  ]

  private let given: Arguments
  private let facts: [String]

  init(_ given: Arguments) throws(UsageError) {
    self.given = given
    let pairs = try given.pairs(Self.pairs).map { "\($0.name) is \($0.value)" }
    facts = [
      try given.operand(Self.log),
      "files \(given.all(Self.files))",
      "follow \(given.isSet(Self.follow)) quiet \(given.isSet(Self.quiet))",
      "lines \(try given.integer(Self.lines, in: 0...1_000).map(String.init) ?? "none")",
      "where \(pairs)",
      "output \(try given.choice(Self.output, of: Output.self)?.rawValue ?? "none")",
      "since \(try given.time(Self.since) == nil ? "none" : "given")",
      "idle \(try given.duration(Self.idle)?.microseconds ?? -1)",
    ]
  }

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    for fact in facts { try console.line(fact) }
    switch given.value(Self.fail) {
    case "explained":
      throw CommandError("orders: damaged", hint: "activitylog verify", status: .damage)
    case "plain": throw Unexplained.storm
    case "colour": try console.line(Styled("red", .red))
    default: break
    }
    return .fine
  }

  private enum Unexplained: Error {
    case storm
  }
}

/// What one run printed and how it ended.
struct Outcome {
  let status: ExitStatus
  let out: [String]
  let err: [String]
}

/// Runs a command line in memory.
func run(_ words: String...) -> Outcome { run(words) }

/// Runs a command line in memory.
func run(
  _ words: [String], in environment: Environment = .still,
  commands: [any Command.Type] = [Probe.self, CompletionCommand.self, ManualCommand.self]
) -> Outcome {
  let out = MemorySink()
  let err = MemorySink()
  let console = Console(out: out, err: err, environment)
  let status = Program.run(words, console, environment, commands: commands)
  return Outcome(status: status, out: out.lines, err: err.lines)
}

extension Environment {
  /// 2026-11-20T18:30:00Z, no terminal, no variables.
  static var still: Environment { Environment(now: Timestamp(seconds: 1_795_199_400)) }
}

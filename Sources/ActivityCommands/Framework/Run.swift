#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The program: words in, exit status out.
package enum Program {
  /// What `--version` prints.
  package static let version = "0.1.0"

  /// Runs what the process was asked for and ends it.
  package static func main() -> Never {
    signal(SIGPIPE, SIG_IGN)
    let environment = Environment.live()
    let console = Console(
      out: DescriptorSink(STDOUT_FILENO), err: DescriptorSink(STDERR_FILENO), environment)
    let words = Array(CommandLine.arguments.dropFirst())
    exit(run(words, console, environment).rawValue)
  }

  /// Runs one command line. Every error ends here, as a line on standard error and a status.
  package static func run(
    _ words: [String], _ console: Console, _ environment: Environment,
    commands: [any Command.Type] = Commands.all + Commands.builtIn
  ) -> ExitStatus {
    var status: ExitStatus
    do {
      status = try dispatch(words, console, environment, commands)
    } catch {
      status = report(error, console)
    }
    console.endProgress()
    do {
      try console.flush()
    } catch  where error.status != status {
      status = status.and(report(error, console))
    } catch {}
    return status
  }

  private static func dispatch(
    _ words: [String], _ console: Console, _ environment: Environment,
    _ commands: [any Command.Type]
  ) throws -> ExitStatus {
    var words = words[...]
    guard let first = words.popFirst() else {
      for line in Help.overview(commands) { console.note(line) }
      return .couldNotRun
    }
    switch first {
    case "--version":
      try console.line("activitylog \(version)")
      return .fine
    case "--help", "-h", "help":
      guard first == "help", let name = words.first else {
        return try show(Help.overview(commands), console)
      }
      return try show(Help.page(of: command(name, commands), .full), console)
    default:
      return try run(command(first, commands), Array(words), console, environment)
    }
  }

  private static func run(
    _ command: any Command.Type, _ words: [String], _ console: Console,
    _ environment: Environment
  ) throws -> ExitStatus {
    let given = try ArgumentScanner.scan(
      words, command: command.name, declared: command.arguments + SharedArguments.all)
    if let length = given.help { return try show(Help.page(of: command, length), console) }
    let choice = try given.choice(SharedArguments.colour, of: ColourChoice.self) ?? .auto
    console.showsColours = choice.isOn(environment)
    return try command.init(given).run(console, environment)
  }

  private static func command(
    _ name: String, _ commands: [any Command.Type]
  ) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let nearest = Spelling.nearest(to: name, among: commands.map { $0.name })
    let kind = name.hasPrefix("-") ? "option" : "command"
    throw UsageError(
      "unknown \(kind) '\(name)'", hint: "activitylog \(nearest ?? "--help")")
  }

  private static func show(_ lines: [String], _ console: Console) throws -> ExitStatus {
    for line in lines { try console.line(line) }
    return .fine
  }

  /// The one place where an error becomes text.
  private static func report(_ error: any Error, _ console: Console) -> ExitStatus {
    guard let explained = error as? any ExplainedError else {
      console.note("activitylog: \(error)")
      return .couldNotRun
    }
    guard explained.status != .closedPipe else { return .closedPipe }
    console.note("activitylog: \(explained.message)")
    if let hint = explained.hint { console.note("try: \(hint)") }
    return explained.status
  }
}

/// What every command takes besides its own arguments; `--help` is the scanner's.
enum SharedArguments {
  static let colour = Option(
    "color", choices: ColourChoice.self, help: "Colours: on a terminal, always or never")
  static let all: [Argument] = [.option(colour)]
}

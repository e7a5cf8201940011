import ActivityCommands
import ActivityCore
import Testing

@Suite("A run")
struct RunTests {
  @Test("Several statuses at once give the gravest: 2, then 3, then 4, then 1")
  func statuses() {
    #expect(ExitStatus.fine.and(.fine) == .fine)
    #expect(ExitStatus.gate.and(.uncovered) == .uncovered)
    #expect(ExitStatus.uncovered.and(.damage) == .damage)
    #expect(ExitStatus.damage.and(.couldNotRun) == .couldNotRun)
    #expect(ExitStatus.allCases.reduce(ExitStatus.fine) { $0.and($1) } == .closedPipe)
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 141])
  }

  @Test("An error that explains itself gives its line, its hint and its status")
  func explained() {
    let outcome = run("probe", "x", "--fail", "explained")
    #expect(outcome.status == .damage)
    #expect(outcome.out.count == 8)
    #expect(outcome.err == ["activitylog: orders: damaged", "try: activitylog verify"])
  }

  @Test("Any other error gives one line and could not run")
  func unexplained() {
    let outcome = run("probe", "x", "--fail", "plain")
    #expect(outcome.status == .couldNotRun)
    #expect(outcome.err == ["activitylog: storm"])
  }

  @Test("Without words the overview goes to standard error and nothing has run")
  func nothing() {
    let outcome = run()
    #expect(outcome.status == .couldNotRun)
    #expect(outcome.out == [])
    #expect(outcome.err == run("--help").out)
  }

  @Test("The version is one line", arguments: [["--version"]])
  func version(_ words: [String]) {
    #expect(run(words).out == ["activitylog \(Program.version)"])
  }

  @Test(
    "Colours follow the option, then NO_COLOR, then FORCE_COLOR, then the terminal",
    arguments: [
      ([:], false, "auto", false), ([:], true, "auto", true),
      (["TERM": "dumb"], true, "auto", false), (["NO_COLOR": "1"], true, "auto", false),
      (["NO_COLOR": ""], true, "auto", true), (["FORCE_COLOR": "1"], false, "auto", true),
      (["FORCE_COLOR": "1", "NO_COLOR": "1"], true, "auto", false),
      (["NO_COLOR": "1"], false, "always", true), ([:], true, "never", false),
    ] as [([String: String], Bool, String, Bool)])
  func colours(
    _ variables: [String: String], _ isTerminal: Bool, _ choice: String, _ shown: Bool
  ) {
    var environment = Environment.still
    environment.variables = variables
    environment.outputIsTerminal = isTerminal
    let outcome = run(
      ["probe", "x", "--fail", "colour", "--color", choice], in: environment)
    #expect(outcome.out.last == (shown ? "\u{1B}[31mred\u{1B}[0m" : "red"))
  }

  @Test("A full disk under standard output is an error with status 2")
  func fullDisk() {
    let err = MemorySink()
    let console = Console(out: FailingSink(.refused(28)), err: err, .still)
    #expect(Program.run(["probe", "x"], console, .still, commands: [Probe.self]) == .couldNotRun)
    #expect(err.lines.first == "activitylog: cannot write standard output: No space left on device")
  }

  @Test("A full disk hides the damage the command met, but both are told")
  func fullDiskAfterDamage() {
    let err = MemorySink()
    let console = Console(out: FailingSink(.refused(28)), err: err, .still)
    let words = ["probe", "x", "--fail", "explained"]
    #expect(Program.run(words, console, .still, commands: [Probe.self]) == .couldNotRun)
    #expect(err.lines.count == 4)
  }

  @Test("A closed pipe ends quietly with the status a shell gives it")
  func closedPipe() {
    let err = MemorySink()
    let console = Console(out: FailingSink(.closedPipe), err: err, .still)
    #expect(Program.run(["probe", "x"], console, .still, commands: [Probe.self]) == .closedPipe)
    #expect(err.bytes == [])
  }

  @Test("Input in memory comes in pieces and ends")
  func input() throws {
    let environment = Environment(now: Timestamp(seconds: 0), input: [1, 2, 3])
    #expect(try environment.readInput(2) == [1, 2])
    #expect(try environment.readInput(2) == [3])
    #expect(try environment.readInput(2) == [])
  }

  @Test("The zone is UTC unless TZ names another and nobody asked for UTC")
  func zone() {
    var environment = Environment.still
    #expect(environment.zone(utc: false) == .utc)
    environment.variables["TZ"] = "Europe/Berlin"
    #expect(environment.zone(utc: false) == .local)
    #expect(environment.zone(utc: true) == .utc)
  }
}

/// A sink that never takes a byte.
final class FailingSink: OutputSink {
  private let error: OutputError
  init(_ error: OutputError) { self.error = error }
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) -> Int { throw error }
}

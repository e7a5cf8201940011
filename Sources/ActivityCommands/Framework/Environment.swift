package import ActivityCore
package import ActivityStore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Everything outside the arguments that a run may look at, so that a test can decide it all.
///
/// It stays on the thread of the run; only its clock and its random bytes may travel.
package struct Environment {
  /// The wall clock.
  package var now: @Sendable () -> Timestamp
  /// That many unpredictable bytes.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// Waits that long; false when a person or the system asked the run to end.
  package var pause: (Timestamp.Span) -> Bool
  /// Begins to watch places on disk. What it gives waits until one of them has changed, or that
  /// long where a longest wait is given, and says what `pause` says; nil where nothing tells of
  /// changes, so that one pauses and looks.
  package var watch: ([WatchedPlace]) throws(LogError) -> ((Timestamp.Span?) -> Bool)?
  /// The next bytes of standard input, at most that many; empty at its end.
  package var readInput: (Int) throws(CommandError) -> [UInt8]
  /// The directory that relative paths start from.
  package var directory: String
  /// Those of `variablesRead` that are set.
  package var variables: [String: String]
  package var inputIsTerminal: Bool
  package var outputIsTerminal: Bool
  package var errorIsTerminal: Bool
  /// Columns of the terminal, 80 when unknown.
  package var terminalWidth: Int

  /// The only variables a run looks at.
  package static let variablesRead = ["NO_COLOR", "FORCE_COLOR", "TERM", "TZ", "COLUMNS"]

  /// An environment in which nothing happens by itself: the clock stands, no terminal, no input.
  package init(now: Timestamp, variables: [String: String] = [:], input: [UInt8] = []) {
    var rest = input[...]
    self.now = { now }
    self.randomBytes = { [UInt8](repeating: 0, count: $0) }
    self.pause = { _ in false }
    self.watch = { _ in nil }
    self.readInput = { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    self.directory = "."
    self.variables = variables
    self.inputIsTerminal = false
    self.outputIsTerminal = false
    self.errorIsTerminal = false
    self.terminalWidth = 80
  }

  /// The process this runs in.
  package static func live() -> Environment {
    var live = Environment(now: Process.now())
    live.now = Process.now
    live.randomBytes = Process.randomBytes
    live.pause = Process.pause
    live.watch = ChangeWait.system
    live.readInput = Process.readInput
    live.directory = Process.directory()
    for name in variablesRead {
      if let value = getenv(name) { live.variables[name] = String(cString: value) }
    }
    live.inputIsTerminal = isatty(STDIN_FILENO) == 1
    live.outputIsTerminal = isatty(STDOUT_FILENO) == 1
    live.errorIsTerminal = isatty(STDERR_FILENO) == 1
    live.terminalWidth = Process.terminalWidth(columns: live.variables["COLUMNS"])
    return live
  }

  /// The zone times are read and printed in: UTC when asked for or when `TZ` names nothing else.
  package func zone(utc: Bool) -> Zone {
    let named = variables["TZ"] ?? ""
    let isUTC = ["", "UTC", "UTC0", "GMT", "GMT0", "Z", "Etc/UTC", ":UTC"].contains(named)
    return utc || isUTC ? .utc : .local
  }
}

/// One verb of `activitylog`: what it takes is data, what it does is `run`.
///
/// A command is a file in `Commands/` and a line in `Commands.all`.
package protocol Command: Sendable {
  /// The verb as typed.
  static var name: String { get }
  /// One sentence without a full stop, at most 60 characters.
  static var summary: String { get }
  /// Where the overview lists it.
  static var group: CommandGroup { get }
  /// Full command lines without the prompt, the most useful one first; never empty.
  static var examples: [String] { get }
  /// What it takes, in the order help shows it.
  static var arguments: [Argument] { get }

  /// Reads what was given; every check that needs no file happens here.
  init(_ given: Arguments) throws(UsageError)

  /// Does the work. An error thrown becomes one line on stderr and its status.
  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus
}

/// The heading of a command in the overview.
package enum CommandGroup: String, CaseIterable, Sendable {
  case record = "Record"
  case look = "Look"
  case judge = "Judge"
  case keep = "Keep"
  case shell = "Shell"
}

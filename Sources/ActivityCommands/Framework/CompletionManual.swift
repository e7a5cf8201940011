/// The manual page, written from the declarations in roff.
enum Manual {
  static func page(_ commands: [any Command.Type]) -> [String] {
    var lines = [
      ".TH ACTIVITYLOG 1 \"\" \"activitylog \(Program.version)\"",
      ".SH NAME",
      "activitylog \\- record Live Activities and find the ones that leaked",
      ".SH SYNOPSIS",
      ".B activitylog",
      "COMMAND [OPTION]... LOG...",
      ".SH COMMANDS",
    ]
    for command in commands {
      lines.append(".SS \(roff(String(Help.usage(of: command).dropFirst("usage: ".count))))")
      lines.append("\(roff(command.summary)).")
      for argument in command.arguments {
        let (spelling, help) = Help.entry(argument)
        lines += [".TP", ".B \(roff(spelling))", roff(help)]
      }
      for example in command.examples { lines += [".PP", ".RS", roff("$ \(example)"), ".RE"] }
    }
    lines += [".SH EXIT STATUS"]
    for (status, meaning) in statuses {
      lines += [".TP", ".B \(status.rawValue)", meaning]
    }
    return lines
  }

  private static let statuses: [(ExitStatus, String)] = [
    (.fine, "It ran; an empty answer is fine."),
    (.gate, "A gate that was asked for tripped."),
    (.couldNotRun, "It could not run: usage, input or output."),
    (.damage, "Damage was met, or more input was refused than allowed."),
    (.uncovered, "The window asked for is not covered."),
  ]

  /// Roff reads a leading dot or quote as a command, and a bare hyphen as a typographic one.
  private static func roff(_ text: String) -> String {
    let spelled = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return spelled.hasPrefix(".") || spelled.hasPrefix("'") ? "\\&\(spelled)" : spelled
  }
}

/// `activitylog man`.
struct ManualCommand: Command {
  static let name = "man"
  static let summary = "Print the manual page in roff"
  static let group = CommandGroup.shell
  static let arguments: [Argument] = []
  static let examples = ["activitylog man | man -l -"]

  init(_ given: Arguments) throws(UsageError) {}

  func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    for line in Manual.page(Commands.all + Commands.builtIn) { try console.line(line) }
    return .fine
  }
}

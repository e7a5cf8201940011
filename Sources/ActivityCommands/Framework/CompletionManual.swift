/// The manual page, written from the declarations in roff.
package enum Manual {
  package static func page(_ commands: [any Command.Type]) -> [String] {
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
package struct ManualCommand: Command {
  package static let name = "man"
  package static let summary = "Print the manual page in roff"
  package static let group = CommandGroup.shell
  package static let arguments: [Argument] = []
  package static let examples = ["activitylog man | man -l -"]

  package init(_ given: Arguments) throws(UsageError) {}

  package func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    for line in Manual.page(Commands.all + Commands.builtIn) { try console.line(line) }
    return .fine
  }
}

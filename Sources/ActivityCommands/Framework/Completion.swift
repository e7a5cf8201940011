/// Completion scripts, written from the declarations.
package enum Completion {
  /// The shells that can be served.
  package enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish
  }

  package static func script(for shell: Shell, _ commands: [any Command.Type]) -> [String] {
    switch shell {
    case .bash: bash(commands)
    case .zsh:
      ["#compdef activitylog", "autoload -U +X bashcompinit && bashcompinit"] + bash(commands)
    case .fish: fish(commands)
    }
  }

  private static func bash(_ commands: [any Command.Type]) -> [String] {
    var lines = [
      "_activitylog() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=",
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
      "    words=\"\(commands.map { $0.name }.joined(separator: " ")) help --help --version\"",
      "  else case ${COMP_WORDS[1]} in",
      "    help) words=\"\(commands.map { $0.name }.joined(separator: " "))\" ;;",
    ]
    for command in commands {
      lines.append("    \(command.name))")
      lines.append("      case $before in")
      for option in options(of: command) {
        let names = (option.short.map { "-\($0)|" } ?? "") + "--\(option.name)"
        let offer =
          option.isPath ? "return" : "words=\"\(option.choices.joined(separator: " "))\""
        lines.append("        \(names)) \(offer) ;;")
      }
      lines.append("        *) case $word in -*) words=\"\(spellings(of: command))\" ;;")
      lines.append("          *) \(operandOffer(command)) ;; esac ;;")
      lines.append("      esac ;;")
    }
    return lines + [
      "  esac; fi",
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))",
      "}",
      "complete -o default -F _activitylog activitylog",
    ]
  }

  private static func fish(_ commands: [any Command.Type]) -> [String] {
    let start = "complete -c activitylog"
    var lines: [String] = []
    for command in commands {
      lines.append(
        "\(start) -f -n __fish_use_subcommand -a \(command.name) -d '\(quoted(command.summary))'")
      let when = "-n '__fish_seen_subcommand_from \(command.name)'"
      for argument in command.arguments + SharedArguments.all {
        switch argument {
        case .operand(let operand):
          let words = operand.choices.joined(separator: " ")
          if !words.isEmpty { lines.append("\(start) \(when) -f -a '\(words)'") }
        case .flag(let flag):
          lines.append(
            "\(start) \(when) \(names(flag.name, flag.short)) -d '\(quoted(flag.help))'")
        case .option(let option):
          let offer = option.isPath ? "-r" : "-x -a '\(option.choices.joined(separator: " "))'"
          lines.append(
            "\(start) \(when) \(names(option.name, option.short)) \(offer)"
              + " -d '\(quoted(option.help))'")
        }
      }
    }
    return lines
  }

  private static func options(of command: any Command.Type) -> [Option] {
    (command.arguments + SharedArguments.all).compactMap {
      if case .option(let option) = $0 { option } else { nil }
    }
  }

  private static func spellings(of command: any Command.Type) -> String {
    let names = (command.arguments + SharedArguments.all).compactMap { argument -> String? in
      switch argument {
      case .operand: nil
      case .flag(let flag): "--\(flag.name)"
      case .option(let option): "--\(option.name)"
      }
    }
    return (names + ["--help"]).joined(separator: " ")
  }

  private static func operandOffer(_ command: any Command.Type) -> String {
    let words = Help.operands(of: command).flatMap(\.choices)
    return words.isEmpty ? "return" : "words=\"\(words.joined(separator: " "))\""
  }

  private static func names(_ name: String, _ short: Character?) -> String {
    (short.map { "-s \($0) " } ?? "") + "-l \(name)"
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("'", with: "\\'")
  }
}

/// `activitylog completion SHELL`.
package struct CompletionCommand: Command {
  package static let name = "completion"
  package static let summary = "Print a completion script for a shell"
  package static let group = CommandGroup.shell
  static let shell = Operand(
    "SHELL", help: "bash, zsh or fish", choices: Completion.Shell.allCases.map(\.rawValue))
  package static let arguments: [Argument] = [.operand(shell)]
  package static let examples = ["source <(activitylog completion bash)"]

  private let shell: Completion.Shell

  package init(_ given: Arguments) throws(UsageError) {
    shell = Completion.Shell(rawValue: try given.operand(Self.shell)) ?? .bash
  }

  package func run(_ console: Console, _ environment: Environment) throws -> ExitStatus {
    for line in Completion.script(for: shell, Commands.all + Commands.builtIn) {
      try console.line(line)
    }
    return .fine
  }
}

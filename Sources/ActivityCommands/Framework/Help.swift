/// Help text, written from the declarations: a page fits 80 columns and 24 lines.
package enum Help {
  /// How much to say.
  package enum Length: Sendable {
    case short
    case full
  }

  /// The list of commands, in groups.
  package static func overview(_ commands: [any Command.Type]) -> [String] {
    var lines = [
      "usage: activitylog COMMAND [OPTION]... LOG...",
      "Records what happens to Live Activities, and finds the ones that leaked.",
    ]
    let width = commands.map { $0.name.count }.max() ?? 0
    for group in CommandGroup.allCases {
      let members = commands.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      lines.append("\(group.rawValue):")
      lines += members.map { "  \(padded($0.name, width + 2))\($0.summary)" }
    }
    lines.append("activitylog help COMMAND says what it takes; --version says which this is")
    return lines
  }

  /// The page of one command.
  package static func page(of command: any Command.Type, _ length: Length) -> [String] {
    let head = [usage(of: command), "\(command.summary)."]
    switch length {
    case .short:
      return head + command.examples.prefix(1).map { "  $ \($0)" }
        + ["activitylog help \(command.name) lists its options"]
    case .full:
      return head + [""] + rows(command.arguments)
        + ["  -h, --help              This page (-h: shorter); --color auto|always|never"]
        + command.arguments.flatMap(choices)
        + ["", "examples:"] + command.examples.map { "  $ \($0)" }
    }
  }

  /// `usage: activitylog tail [OPTION]... LOG`.
  static func usage(of command: any Command.Type) -> String {
    var words = ["usage: activitylog", command.name]
    if command.arguments.contains(where: { !isOperand($0) }) { words.append("[OPTION]...") }
    words += operands(of: command).map(\.usage)
    return words.joined(separator: " ")
  }

  static func operands(of command: any Command.Type) -> [Operand] {
    command.arguments.compactMap {
      if case .operand(let operand) = $0 { operand } else { nil }
    }
  }

  /// How an argument is spelled, and what it does.
  static func entry(_ argument: Argument) -> (spelling: String, help: String) {
    switch argument {
    case .operand(let operand): (operand.name, operand.help)
    case .flag(let flag): (names(flag.name, flag.short), flag.help)
    case .option(let option):
      (
        "\(names(option.name, option.short)) \(option.value)",
        option.repeats ? "\(option.help); repeatable" : option.help
      )
    }
  }

  private static let helpColumn = 26
  private static let columns = 80

  private static func rows(_ arguments: [Argument]) -> [String] {
    arguments.flatMap { argument -> [String] in
      let (spelling, help) = entry(argument)
      let indent = isOperand(argument) || spelling.hasPrefix("-") && !spelling.hasPrefix("--")
      let left = (indent ? "  " : "      ") + spelling
      let lines = wrapped(help, columns - helpColumn)
      let fits = left.count <= helpColumn - 2
      let lead = fits ? padded(left, helpColumn) + (lines.first ?? "") : left
      let rest = (fits ? Array(lines.dropFirst()) : lines).map { padded("", helpColumn) + $0 }
      let roomBeside = left.count + 2 + help.count <= columns
      return !fits && roomBeside ? ["\(left)  \(help)"] : [lead] + rest
    }
  }

  /// What an option takes, where its own row has no room for all of it.
  private static func choices(_ argument: Argument) -> [String] {
    guard case .option(let option) = argument, option.choices.count > manyChoices,
      !option.value.contains("|")
    else { return [] }
    let text = "--\(option.name) takes \(option.choices.joined(separator: ", "))"
    return wrapped(text, columns - 2).enumerated().map { ($0 == 0 ? "" : "  ") + $1 }
  }

  private static let manyChoices = 10

  private static func names(_ name: String, _ short: Character?) -> String {
    short.map { "-\($0), --\(name)" } ?? "--\(name)"
  }

  private static func isOperand(_ argument: Argument) -> Bool {
    if case .operand = argument { true } else { false }
  }

  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// One thing a command takes, declared once: parsing, help, completion and the manual page all
/// read this declaration.
package enum Argument: Sendable {
  case operand(Operand)
  case option(Option)
  case flag(Flag)
}

/// A word that stands by its place: `LOG`.
package struct Operand: Sendable, ExpressibleByStringLiteral {
  /// How many words it takes.
  package enum Count: Sendable {
    case one
    case optional
    case many
    case anyNumber
  }

  package let name: String
  package let help: String
  package let count: Count
  /// False for words that are no paths, so that completion offers no files for them.
  package let isPath: Bool
  /// The only words allowed; empty when any word is.
  package let choices: [String]

  package init(
    _ name: String, _ count: Count = .one, help: String = "", isPath: Bool = true,
    choices: [String] = []
  ) {
    self.name = name
    self.help = help
    self.count = count
    self.isPath = isPath && choices.isEmpty
    self.choices = choices
  }

  package init(stringLiteral name: String) { self.init(name) }

  /// As it stands in the usage line.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many: "\(name)..."
    case .anyNumber: "[\(name)...]"
    }
  }
}

/// A named value: `--lines N`, `--lines=N`, `-n N`, `-nN`.
///
/// Given several times, a repeatable one collects and any other takes the last.
package struct Option: Sendable {
  package let name: String
  package let short: Character?
  /// What stands for the value in help: `N`, `TIME`.
  package let value: String
  package let help: String
  package let repeats: Bool
  /// The only values allowed; empty when the command itself checks.
  package let choices: [String]
  /// True when the value is a path, so that completion offers files.
  package let isPath: Bool

  package init(
    _ name: String, short: Character? = nil, value: String, help: String,
    repeats: Bool = false, choices: [String] = [], isPath: Bool = false
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
    self.repeats = repeats
    self.choices = choices
    self.isPath = isPath
  }

  /// An option whose values are the cases of an enum; help shows them in place of a value name.
  package init<Choice: CaseIterable & RawRepresentable<String>>(
    _ name: String, short: Character? = nil, choices: Choice.Type, help: String
  ) {
    let names = Choice.allCases.map(\.rawValue)
    self.init(
      name, short: short, value: names.joined(separator: "|"), help: help, choices: names)
  }
}

/// A switch that is off unless named: `--follow`, `-f`.
package struct Flag: Sendable {
  package let name: String
  package let short: Character?
  package let help: String

  package init(_ name: String, short: Character? = nil, help: String) {
    self.name = name
    self.short = short
    self.help = help
  }
}

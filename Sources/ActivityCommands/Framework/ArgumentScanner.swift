/// Words into arguments, the GNU way: options and operands in any order, `--opt VALUE`,
/// `--opt=VALUE`, `-n 5`, `-n5`, bundles such as `-fq`, and `--` before operands that look like
/// options. A lone `-` is an operand: standard input.
package struct ArgumentScanner {
  private let command: String
  private let options: [Option]
  private let flags: [Flag]
  private let operands: [Operand]
  private var given = Arguments()
  private var loose: [String] = []

  init(command: String, declared: [Argument]) {
    self.command = command
    var options: [Option] = []
    var flags: [Flag] = []
    var operands: [Operand] = []
    for argument in declared {
      switch argument {
      case .option(let option): options.append(option)
      case .flag(let flag): flags.append(flag)
      case .operand(let operand): operands.append(operand)
      }
    }
    self.options = options
    self.flags = flags
    self.operands = operands
  }

  /// What the words give, or the first thing about them that is wrong.
  package static func scan(
    _ words: [String], command: String, declared: [Argument]
  ) throws(UsageError) -> Arguments {
    var scanner = ArgumentScanner(command: command, declared: declared)
    return try scanner.scan(words[...])
  }

  private mutating func scan(_ words: ArraySlice<String>) throws(UsageError) -> Arguments {
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        loose += rest
        break
      } else if word.hasPrefix("--") {
        try long(word.dropFirst(2), &rest)
      } else if word.hasPrefix("-"), word.count > 1 {
        try bundle(word.dropFirst(), &rest)
      } else {
        loose.append(word)
      }
      if given.help != nil { return given }
    }
    try placeOperands()
    return given
  }

  private mutating func long(
    _ body: Substring, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = body.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if name == "help", attached == nil {
      given.help = .full
    } else if let option = options.first(where: { $0.name == name }) {
      try take(option, attached ?? rest.popFirst())
    } else if flags.contains(where: { $0.name == name }) {
      guard attached == nil else { throw UsageError("--\(name) takes no value") }
      given.flags.insert(name)
    } else {
      throw unknown("--\(name)", nearest: nearestLong(name))
    }
  }

  private mutating func bundle(
    _ letters: Substring, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      if let flag = flags.first(where: { $0.short == letter }) {
        given.flags.insert(flag.name)
      } else if let option = options.first(where: { $0.short == letter }) {
        try take(option, letters.isEmpty ? rest.popFirst() : String(letters))
        return
      } else if letter == "h" {
        given.help = .short
        return
      } else {
        throw unknown("-\(letter)", nearest: nil)
      }
    }
  }

  private mutating func take(_ option: Option, _ value: String?) throws(UsageError) {
    guard let value else { throw UsageError("--\(option.name) needs \(option.value)") }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw .notAChoice(value, of: "--\(option.name)", choices: option.choices)
    }
    given.values[option.name, default: []].append(value)
  }

  /// Left to right; one that takes several leaves enough words for those that must follow it.
  private mutating func placeOperands() throws(UsageError) {
    var rest = loose[...]
    for (index, operand) in operands.enumerated() {
      let reserved = operands[(index + 1)...].count { $0.count == .one || $0.count == .many }
      let free = max(0, rest.count - reserved)
      let taken =
        switch operand.count {
        case .one: min(1, rest.count)
        case .optional: min(1, free)
        case .many: max(min(1, rest.count), free)
        case .anyNumber: free
        }
      if taken == 0, operand.count == .one || operand.count == .many {
        throw UsageError("\(operand.name) is missing", hint: "activitylog \(command) --help")
      }
      let words = Array(rest.prefix(taken))
      for word in words where !operand.choices.isEmpty && !operand.choices.contains(word) {
        throw .notAChoice(word, of: operand.name, choices: operand.choices)
      }
      given.operands[operand.name] = words
      rest = rest.dropFirst(taken)
    }
    if let extra = rest.first {
      throw UsageError("unexpected word '\(extra)'", hint: "activitylog \(command) --help")
    }
  }

  private func nearestLong(_ name: String) -> String? {
    Spelling.nearest(to: name, among: options.map(\.name) + flags.map(\.name) + ["help"])
      .map { "--\($0)" }
  }

  private func unknown(_ word: String, nearest: String?) -> UsageError {
    UsageError("unknown option \(word)", hint: nearest ?? "activitylog \(command) --help")
  }
}

package import ActivityCore

/// What was given on the command line, checked against the declaration.
package struct Arguments: Sendable {
  /// Set when `-h` or `--help` was given; nothing else is checked then.
  package internal(set) var help: Help.Length?
  var flags: Set<String> = []
  var values: [String: [String]] = [:]
  var operands: [String: [String]] = [:]

  /// Whether the flag was given.
  package func isSet(_ flag: Flag) -> Bool { flags.contains(flag.name) }

  /// The word of an operand that must be there.
  package func operand(_ operand: Operand) throws(UsageError) -> String {
    guard let word = operands[operand.name]?.first else {
      throw UsageError("\(operand.name) is missing")
    }
    return word
  }

  /// The word of an optional operand.
  package func optional(_ operand: Operand) -> String? { operands[operand.name]?.first }

  /// All words of an operand that takes several.
  package func all(_ operand: Operand) -> [String] { operands[operand.name] ?? [] }

  /// The value of an option; the last one when given several times.
  package func value(_ option: Option) -> String? { values[option.name]?.last }

  /// Every value of a repeatable option, in order.
  package func all(_ option: Option) -> [String] { values[option.name] ?? [] }

  /// The value as a whole number within `range`.
  package func integer(
    _ option: Option, in range: ClosedRange<Int> = 0...Int.max
  ) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bound =
        range.upperBound == Int.max
        ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      throw UsageError("--\(option.name) takes a whole number, \(bound), not '\(text)'")
    }
    return number
  }

  /// The value as one of an enum's cases.
  package func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ option: Option, of type: Choice.Type
  ) throws(UsageError) -> Choice? {
    guard let text = value(option) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue)
      throw .notAChoice(text, of: "--\(option.name)", choices: known)
    }
    return choice
  }

  /// The value as a time; what it counts from is known only when the log is open.
  package func time(_ option: Option) throws(UsageError) -> TimeExpression? {
    guard let text = value(option) else { return nil }
    guard let time = TimeExpression(text) else {
      throw UsageError(
        "--\(option.name): '\(text)' is no time",
        hint: "2026-11-20T18:00:00Z, '2026-11-20 18:00', 18:00, -90m, @1700000000 or now")
    }
    return time
  }

  /// The value as a length of time that is not negative: `2s`, `1h30m`.
  package func duration(_ option: Option) throws(UsageError) -> Timestamp.Span? {
    guard let text = value(option) else { return nil }
    guard let span = DurationText.parse(text) else {
      throw UsageError(
        "--\(option.name): '\(text)' is no length of time", hint: "2s, 500ms, 90m or 1h30m")
    }
    return span
  }

  /// The values of a repeatable `NAME=VALUE` option, in order; the value may be empty.
  package func pairs(
    _ option: Option
  ) throws(UsageError) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for text in all(option) {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw UsageError("--\(option.name) takes \(option.value), not '\(text)'")
      }
      pairs.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
    }
    return pairs
  }
}

extension UsageError {
  static func notAChoice(_ text: String, of name: String, choices: [String]) -> UsageError {
    UsageError(
      "\(name): '\(text)' is none of \(choices.joined(separator: ", "))",
      hint: Spelling.nearest(to: text, among: choices))
  }
}

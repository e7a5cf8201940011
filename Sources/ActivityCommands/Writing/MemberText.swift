internal import ActivityCore

/// `NAME=TEXT` and `NAME:=JSON` as one event line.
enum MemberText {
  /// - Throws: For a word that is neither, and for JSON that is none.
  static func line(_ words: [String]) throws(UsageError) -> [UInt8] {
    var line: [UInt8] = [UInt8(ascii: "{")]
    for word in words {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw UsageError(
          "'\(word)' is no member", hint: "NAME=TEXT, NAME:=JSON, or - for lines on standard input")
      }
      var name = String(word[..<equals])
      let text = Array(word[word.index(after: equals)...].utf8)
      let isRaw = name.count > 1 && name.hasSuffix(":")
      if isRaw { name.removeLast() }
      if line.count > 1 { line.append(UInt8(ascii: ",")) }
      ActivityCore.JSONText.append(name.utf8, to: &line)
      line.append(UInt8(ascii: ":"))
      if isRaw {
        try check(text, name)
        // A line feed can only stand between tokens here.
        line += text.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
      } else if isLiteral(text, name) {
        line += text
      } else {
        ActivityCore.JSONText.append(text, to: &line)
      }
    }
    return line + [UInt8(ascii: "}")]
  }

  private static func check(_ json: [UInt8], _ name: String) throws(UsageError) {
    guard let failure = json.withUnsafeBytes({ JSONScanner.validate($0) }) else { return }
    throw UsageError(
      "\(name):= at byte \(failure.offset + 1): \(failure.reason.sentence)",
      hint: "\(name)=TEXT for plain text; put JSON in single quotes")
  }

  /// Whether a text goes in bare: a number where the member's column is one, or a flag's word.
  private static func isLiteral(_ text: [UInt8], _ name: String) -> Bool {
    guard let type = JSONSlice(text)?.type else { return false }
    if name == "at" { return type == .number }
    switch Member.allCases.first(where: { $0.name == name })?.storage {
    case .seconds, .whole: return type == .number
    case .flag: return type == .true || type == .false
    case .word, .text, .handle, .size, nil: return false
    }
  }
}

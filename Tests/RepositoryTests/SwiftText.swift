/// A Swift file with everything blanked that is no code, so that a search finds code only.
struct SwiftText {
  /// The file as it is, line by line.
  let lines: [String]
  /// The same lines with comments and the insides of strings replaced by spaces.
  let code: [String]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blanker = Blanker(Array(text.unicodeScalars))
    code = blanker.blanked().split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Functions, initialisers and accessors: where each begins (from 1) and how many lines it takes.
  var functions: [(line: Int, length: Int)] {
    code.indices.compactMap { index in
      let words = code[index].split { !$0.isLetter && $0 != "(" && $0 != "?" }
      let begins =
        words.contains("func") || words.contains { $0.hasPrefix("init(") }
        || words.contains { $0.hasPrefix("init?(") } || words.contains("subscript(")
      guard begins || isAccessor(code[index]) else { return nil }
      return bodyLength(from: index).map { (index + 1, $0) }
    }
  }

  private func isAccessor(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    return words.contains("var") && line.hasSuffix("{") && !line.contains("=")
  }

  /// Lines from a declaration to the brace that closes its body; nil when it has none.
  private func bodyLength(from start: Int) -> Int? {
    var depth = 0
    var parens = 0
    for index in start..<code.count {
      for character in code[index] {
        switch character {
        case "(": parens += 1
        case ")": parens -= 1
        case "{": depth += 1
        case "}":
          depth -= 1
          if depth <= 0 { return depth < 0 ? nil : index - start + 1 }
        default: break
        }
      }
      let nextContinues = index + 1 < code.count && continues(code[index + 1])
      if depth == 0, parens <= 0, !nextContinues { return nil }
    }
    return nil
  }

  private func continues(_ line: String) -> Bool {
    let text = line.drop { $0 == " " }
    return ["{", ")", "->", "where", "throws", "async"].contains { text.hasPrefix($0) }
  }
}

/// Walks a file once and blanks what is no code; interpolations inside strings are blanked too.
private struct Blanker {
  private let text: [Unicode.Scalar]
  private var index = 0
  private var out = String.UnicodeScalarView()

  init(_ text: [Unicode.Scalar]) { self.text = text }

  mutating func blanked() -> String {
    while index < text.count {
      if !["/", "#", "\""].contains(text[index]) {
        out.append(text[index])
        index += 1
      } else if starts("//") {
        blank { $0.starts("\n") }
      } else if starts("/*") {
        blank(through: "*/")
      } else if let hashes = stringStart() {
        let quote = starts("\"\"\"", after: hashes) ? "\"\"\"" : "\""
        string(quote, hashes)
      } else {
        out.append(text[index])
        index += 1
      }
    }
    return String(out)
  }

  private func starts(_ word: String, after skipped: Int = 0) -> Bool {
    let scalars = Array(word.unicodeScalars)
    let start = index + skipped
    return start + scalars.count <= text.count
      && text[start..<(start + scalars.count)].elementsEqual(scalars)
  }

  /// How many `#` stand before the quote that begins a string here; nil when none begins.
  private func stringStart() -> Int? {
    var hashes = 0
    while index + hashes < text.count, text[index + hashes] == "#" { hashes += 1 }
    return starts("\"", after: hashes) ? hashes : nil
  }

  private mutating func string(_ quote: String, _ hashes: Int) {
    let end = quote + String(repeating: "#", count: hashes)
    let escape = "\\" + String(repeating: "#", count: hashes)
    skip(hashes + quote.count)
    while index < text.count, !starts(end) {
      guard starts(escape) else {
        skip(1)
        continue
      }
      skip(escape.count)
      if starts("(") { interpolation() } else { skip(1) }
    }
    skip(end.count)
  }

  /// Blanks a parenthesised expression, strings in it included.
  private mutating func interpolation() {
    var depth = 0
    repeat {
      if let hashes = stringStart() {
        string(starts("\"\"\"", after: hashes) ? "\"\"\"" : "\"", hashes)
        continue
      }
      if starts("(") { depth += 1 }
      if starts(")") { depth -= 1 }
      skip(1)
    } while depth > 0 && index < text.count
  }

  private mutating func blank(until isEnd: (Blanker) -> Bool) {
    while index < text.count, !isEnd(self) { skip(1) }
  }

  private mutating func blank(through end: String) {
    blank { $0.starts(end) }
    skip(end.count)
  }

  private mutating func skip(_ count: Int) {
    for _ in 0..<count where index < text.count {
      out.append(text[index] == "\n" ? "\n" : " ")
      index += 1
    }
  }
}

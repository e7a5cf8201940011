import Testing

@Suite("Tidiness")
struct TidyTests {
  @Test("A file has at most 300 lines, a function 50, a line 100 columns")
  func sizes() throws {
    for path in Repository.swiftFiles {
      let file = try Repository.swift(path)
      for (index, line) in file.lines.enumerated() where line.count > 100 {
        Issue.record("\(path):\(index + 1) has \(line.count) columns")
      }
      guard path.hasPrefix("Sources/") else { continue }
      #expect(file.lines.count <= 301, "\(path) has \(file.lines.count - 1) lines")
      for function in file.functions where function.length > 50 {
        Issue.record("\(path):\(function.line) is a function of \(function.length) lines")
      }
    }
  }

  @Test("No construct that hides a failure or a race, and no note to self")
  func constructs() throws {
    let banned = [
      "try!", "as!", "fatalError", "@unchecked", "nonisolated(unsafe)", "Date()", "print(",
    ]
    let proved = [
      "DecodeAhead.swift", "EncodeBehind.swift", "LogRecorder.swift", "RowRoom.swift",
      "BothCores.swift",
    ]
    for path in Repository.files(below: "Sources", withSuffix: ".swift") {
      let file = try Repository.swift(path)
      for (index, line) in file.code.enumerated() {
        for word in banned where contains(line, word) {
          // These say in a comment why the compiler can be told so.
          let isProved = proved.contains { path.hasSuffix("/\($0)") }
          guard word != "@unchecked" || !isProved else { continue }
          Issue.record("\(path):\(index + 1) uses \(word)")
        }
      }
    }
    for path in Repository.swiftFiles {
      for (index, line) in try Repository.swift(path).lines.enumerated() {
        for word in ["TO" + "DO", "FIX" + "ME", "XX" + "X"] where contains(line, word) {
          Issue.record("\(path):\(index + 1) has a \(word)")
        }
      }
    }
  }

  @Test("What an app links runs on iOS 17 and macOS 14")
  func platformFloor() throws {
    let newer = ["InlineArray", "Mutex", "Atomic", "UTF8Span"]
    let libraries = ["Core", "Store", "Audit", "Ingest", "Log"].map { "Sources/Activity\($0)" }
    for path in libraries.flatMap({ Repository.files(below: $0, withSuffix: ".swift") }) {
      for (index, line) in try Repository.swift(path).code.enumerated() {
        for word in newer where contains(line, word) {
          Issue.record("\(path):\(index + 1) uses \(word), which needs a newer system")
        }
      }
    }
  }

  @Test("Type names say what a thing is")
  func typeNames() throws {
    let vague: Set = ["Manager", "Helper", "Util", "Utils", "Service", "Handler", "Base", "Impl"]
    for path in Repository.swiftFiles {
      for (index, line) in try Repository.swift(path).code.enumerated() {
        guard let name = declaredType(line) else { continue }
        for word in camelWords(name) where vague.contains(word) {
          Issue.record("\(path):\(index + 1) names a type \(name)")
        }
      }
    }
  }

  @Test("Every public declaration has a documentation comment")
  func documented() throws {
    for path in Repository.files(below: "Sources", withSuffix: ".swift") {
      let file = try Repository.swift(path)
      let bare = file.code.indices.filter {
        needsComment(file.code[$0]) && !isDocumented(file, $0)
      }
      #expect(bare == [], "\(path): public without a comment, lines \(bare.map { $0 + 1 })")
    }
  }

  @Test("No path of somebody's machine is in any file")
  func machinePaths() throws {
    let places = ["/ho" + "me/", "/Us" + "ers/", "/wo" + "rk/", "/ro" + "ot/"]
    let scripts = ["Tools/test", "Tools/quickstart", "Tools/install", ".ci/run", "README.md"]
    let pages = ["Sources", "Logs"].flatMap { Repository.files(below: $0, withSuffix: ".md") }
    let present = scripts.filter(Repository.exists)
    for path in Repository.swiftFiles + present + pages + ["Package.swift"] {
      let text = try Repository.text(path)
      for place in places where text.contains(place) {
        Issue.record("\(path) mentions \(place)")
      }
    }
  }

  /// A comment above it, or above the run of one-line properties it stands in.
  private func isDocumented(_ file: SwiftText, _ index: Int) -> Bool {
    var above = index - 1
    while above >= 0 {
      let line = file.lines[above].drop { $0 == " " }
      if line.hasPrefix("///") { return true }
      let isProperty = file.code[index].contains(#/\b(var|let) /#)
      let isRun = isProperty && line.contains(#/^public .*\b(var|let) [^{]*$/#)
      guard line.hasPrefix("@") || isRun else { return false }
      above -= 1
    }
    return false
  }

  private func needsComment(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    guard let first = words.firstIndex(of: "public"), words[..<first].allSatisfy(isModifier)
    else { return false }
    if words.contains("import") || words.contains("extension") { return false }
    let isOperator = words.contains { $0 == "func" } && line.contains(#/func [^A-Za-z_]+ ?\(/#)
    let isWitness = ["hash(into", "var description:", "let rawValue", "init(rawValue"]
      .contains { line.contains($0) }
    return !isOperator && !isWitness
  }

  private func isModifier(_ word: Substring) -> Bool {
    word.hasPrefix("@") || ["static", "final", "mutating", "override"].contains(word)
  }
}

/// Whether `word` is in `line` and no longer word begins or ends there.
func contains(_ line: some StringProtocol, _ word: String) -> Bool {
  func isPart(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }
  return line.ranges(of: word).contains { range in
    let before = line[..<range.lowerBound].last
    let after = line[range.upperBound...].first
    let beginsWord = isPart(word.first) && isPart(before)
    let endsWord = isPart(word.last) && isPart(after)
    return !beginsWord && !endsWord
  }
}

/// The type a line declares, if it declares one.
func declaredType(_ line: String) -> String? {
  let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
  let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
  guard let kind = words.firstIndex(where: { kinds.contains($0) }), kind + 1 < words.count,
    words[kind + 1].first?.isUppercase == true
  else { return nil }
  return String(words[kind + 1])
}

/// `LogReaderBase` → `Log`, `Reader`, `Base`.
func camelWords(_ name: String) -> [String] {
  name.reduce(into: []) { words, character in
    if character.isUppercase || words.isEmpty {
      words.append(String(character))
    } else {
      words[words.count - 1].append(character)
    }
  }
}

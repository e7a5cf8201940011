import Testing

/// What is added as one file and one line is never added as only one of them.
@Suite("Registries")
struct RegistryTests {
  @Test("Every command in its folder is in the list, and every entry of the list has its file")
  func commands() throws {
    try compare(
      folder: "Sources/ActivityCommands/Commands", suffix: "Command",
      registry: "Sources/ActivityCommands/Framework/Commands.swift", list: "all")
  }

  @Test("Every audit rule in its folder is in the list, and every entry has its file")
  func rules() throws {
    try compare(
      folder: "Sources/ActivityAudit/Rules", suffix: "",
      registry: "Sources/ActivityAudit/Rules/AuditRules.swift", list: "all")
  }

  @Test("Every dialect in its folder is in the list, and every entry has its file")
  func dialects() throws {
    try compare(
      folder: "Sources/ActivityIngest/Dialects", suffix: "",
      registry: "Sources/ActivityIngest/Dialects.swift", list: "all")
  }

  @Test("Every dialect has samples, and its row in the page of dialects")
  func samplesOfDialects() throws {
    let page = try Repository.text("Sources/ActivityIngest/ActivityIngest.docc/Dialects.md")
    let names = try Repository.files(
      below: "Sources/ActivityIngest/Dialects", withSuffix: ".swift"
    ).compactMap { path -> Substring? in
      let line = try Repository.text(path).split(separator: "\n").first {
        $0.contains("static let name = ")
      }
      return line?.split(separator: "\"").dropFirst().first
    }
    #expect(names.count > 20)
    for name in names {
      #expect(page.contains("`\(name)`"), "\(name) is not in the page of dialects")
      guard name != "ndjson" else { continue }
      let samples = Repository.files(below: "Logs/foreign/\(name)", withSuffix: "given.json")
      #expect(!samples.isEmpty, "there is no sample of \(name)")
    }
  }

  @Test("Every event kind has its file, and every file of the folder its kind")
  func events() throws {
    let folder = "Sources/ActivityCore/Events"
    let registries = Repository.files(below: folder, withSuffix: "EventKind.swift")
    guard let registry = registries.first else { return }
    let kinds = cases(of: "EventKind", in: try Repository.swift(registry))
    let declared = Set(
      try Repository.files(below: folder, withSuffix: ".swift").flatMap { path in
        try Repository.swift(path).code.flatMap(kindNames)
      })
    for kind in kinds where kind != "unknown" && !declared.isEmpty {
      #expect(declared.contains(kind), "no file of \(folder) declares .\(kind)")
    }
    for kind in declared { #expect(kinds.contains(kind), "EventKind has no case \(kind)") }
    #expect(!kinds.isEmpty)
  }

  /// The types named as the folder's files, against the words of `static let <list>`.
  private func compare(
    folder: String, suffix: String, registry: String, list: String
  ) throws {
    guard Repository.exists(registry) else { return }
    let types = try Set(
      Repository.files(below: folder, withSuffix: ".swift").filter { $0 != registry }
        .compactMap { path -> String? in
          let name = path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? ""
          let declares = try Repository.swift(path).code
            .contains { declaredType($0) == name }
          let isPart = name.contains("+") || !name.hasSuffix(suffix)
          return declares && !isPart ? name : nil
        })
    let listed = entries(of: list, in: try Repository.swift(registry))
    #expect(types.subtracting(listed) == [], "in \(folder), not in \(registry)")
    #expect(listed.subtracting(types) == [], "in \(registry), not in \(folder)")
  }

  /// Words that begin with a capital in the array literal of `static let <list>`.
  private func entries(of list: String, in file: SwiftText) -> Set<String> {
    let declaration = "static let \(list):"
    guard let start = file.code.firstIndex(where: { $0.contains(declaration) }) else { return [] }
    var words: Set<String> = []
    for (offset, line) in file.code[start...].enumerated() {
      let body = offset == 0 ? line.drop { $0 != "=" } : line[...]
      let found = body.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      words.formUnion(found.filter { $0.first?.isUppercase == true })
      if body.contains("]") { return words }
    }
    return words
  }

  private func cases(of type: String, in file: SwiftText) -> Set<String> {
    guard let start = file.code.firstIndex(where: { declaredType($0) == type }) else { return [] }
    var names: Set<String> = []
    for line in file.code[(start + 1)...] {
      if line.hasPrefix("}") { break }
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("case "), !text.contains(":") else { continue }
      for part in text.dropFirst(5).split(separator: ",") {
        let name = part.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "`" }
        names.insert(name.filter { $0 != "`" })
      }
    }
    return names
  }

  /// `static let kind = EventKind.start` names `start`.
  private func kindNames(_ line: String) -> [String] {
    guard line.contains("static let kind") else { return [] }
    return line.matches(of: #/(?:EventKind|=\s*)\.([a-z][A-Za-z]*)/#).map { String($0.1) }
  }
}

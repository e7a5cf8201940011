import Testing

@Suite("Which way the arrows point")
struct ArrowTests {
  /// What each module may import; siblings are not among it.
  private static let allowed: [String: Set<String>] = [
    "ActivityCore": ["CActivityLog", "CSodium", "CryptoKit", "Glibc", "Darwin", "Dispatch"],
    "ActivityStore": [
      "ActivityCore", "CActivityLog", "CLZ4", "Compression", "Glibc", "Darwin", "Dispatch",
    ],
    "ActivityAudit": ["ActivityCore"],
    "ActivityIngest": [
      "ActivityCore", "CLZ4", "CZlib", "FoundationEssentials", "Foundation", "ActivityKit",
      "Glibc", "Darwin",
    ],
    "ActivityLog": ["ActivityCore", "ActivityStore", "ActivityAudit", "ActivityIngest"],
    "ActivityCommands": [
      "ActivityCore", "ActivityStore", "ActivityAudit", "ActivityIngest", "FoundationEssentials",
      "Glibc", "Darwin",
    ],
    "ActivityLogTool": ["ActivityCommands"],
  ]

  @Test("A module imports only what stands below it", arguments: Self.allowed.keys.sorted())
  func imports(_ module: String) throws {
    let allowed = Self.allowed[module] ?? []
    let files = Repository.files(below: "Sources/\(module)", withSuffix: ".swift")
    #expect(!files.isEmpty)
    for path in files {
      for (index, line) in try Repository.swift(path).code.enumerated() {
        guard let name = importedModule(line) else { continue }
        #expect(allowed.contains(name), "\(path):\(index + 1) imports \(name)")
      }
    }
  }

  @Test("Every folder of Sources is a module this test knows, or C")
  func modules() {
    let known = Set(Self.allowed.keys).union(["CActivityLog", "CLZ4", "CSodium", "CZlib"])
    #expect(Set(Repository.names(in: "Sources")) == known)
  }

  @Test("Core, Store and Audit start tasks and queues in the files that may")
  func tasks() throws {
    let starts = #/\b(Task|withTaskGroup|withThrowingTaskGroup|DispatchQueue)\b *[({.]/#
    let mayStart = [
      "DecodeAhead.swift", "EncodeBehind.swift", "LogRecorder.swift", "BothCores.swift",
    ]
    for module in ["ActivityCore", "ActivityStore", "ActivityAudit"] {
      for path in Repository.files(below: "Sources/\(module)", withSuffix: ".swift")
      where !mayStart.contains(where: { path.hasSuffix("/\($0)") }) {
        for (index, line) in try Repository.swift(path).code.enumerated()
        where line.contains(starts) {
          Issue.record("\(path):\(index + 1) starts a task")
        }
      }
    }
  }

  /// The module a line imports, whatever stands before the word.
  private func importedModule(_ line: String) -> String? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { return nil }
    let kinds: Set<Substring> = ["struct", "class", "enum", "func", "var", "let", "protocol"]
    let name =
      kinds.contains(words[place + 1]) ? words.dropFirst(place + 2).first : words[place + 1]
    return name.map { String($0.prefix { $0 != "." }) }
  }
}

import ActivityAudit
import Foundation
import Testing

@Suite("Stories in the scenario folder")
struct ScenarioTests {
  static let folders: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: Logs.scenarios.path)
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }()

  /// All rules by name, the hidden ones too.
  static let options: AuditOptions = {
    var options = AuditOptions()
    options.rules = Set(RuleInfo.all.map(\.id))
    return options
  }()

  @Test("Some story tells of every rule")
  func complete() throws {
    var told: Set<String> = []
    for folder in ScenarioTests.folders {
      let file = Logs.scenarios.appending(path: folder).appending(path: "story.findings")
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      told.formUnion(
        try Logs.lines(file).compactMap { $0.split(separator: " ").first.map(String.init) })
    }
    #expect(RuleInfo.all.map(\.id).filter { !told.contains($0) } == [])
  }

  @Test("A story gives exactly the warnings and errors beside it", arguments: folders)
  func story(_ folder: String) throws {
    let path = Logs.scenarios.appending(path: folder)
    let story = path.appending(path: "story.jsonl")
    guard FileManager.default.fileExists(atPath: story.path) else {
      #expect(folder.hasPrefix("trap-"))
      return
    }
    let expected = try Logs.lines(path.appending(path: "story.findings"))
    let report = try Logs.report(Logs.lines(story), ScenarioTests.options)
    let rules = Set(expected.compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(Logs.summary(report, infosOf: rules) == expected)
  }

  @Test("The same story done right gives none", arguments: folders)
  func fixed(_ folder: String) throws {
    let path = Logs.scenarios.appending(path: folder).appending(path: "fixed.jsonl")
    let report = try Logs.report(Logs.lines(path), ScenarioTests.options)
    #expect(Logs.summary(report) == [])
  }
}

import ActivityAudit
import ActivityCore
import Foundation
import Testing

@Suite("Same lines, same findings")
struct OrderTests {
  /// A finding without what hangs on the order of import.
  struct Essence: Hashable {
    var text: String

    init(_ finding: Finding) {
      let span = { (at: Timestamp?) in at.map { String($0.microseconds) } ?? "-" }
      // An unnamed start is called by its seq.
      let name = finding.name.hasPrefix("start:") ? "start" : finding.name
      let parts = [
        finding.fingerprint, finding.rule, finding.severity.rawValue, finding.verdict.rawValue,
        name, span(finding.from), span(finding.until), span(finding.visibleUntil),
        String(finding.count), String(finding.devices), finding.message,
        String(finding.wrongCard.microseconds), finding.also.joined(separator: ","),
        finding.because.map(\.fingerprint).joined(separator: ","), finding.key ?? "-",
        finding.device ?? "-", finding.build ?? "-",
      ]
      text = parts.joined(separator: " ")
    }
  }

  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }

  static func everyStory() throws -> [String] {
    try ScenarioTests.folders.filter { !$0.hasPrefix("trap-") }.flatMap { folder in
      try Logs.lines(Logs.scenarios.appending(path: folder).appending(path: "story.jsonl"))
    }
  }

  static func incident() throws -> [String] {
    let folder = Logs.scenarios.deletingLastPathComponent().appending(path: "incident")
    return try Logs.lines(folder.appending(path: "incident.jsonl"))
  }

  @Test("The order of import does not matter", arguments: [1, 2, 3])
  func shuffled(_ seed: UInt64) throws {
    for lines in [try OrderTests.everyStory(), try OrderTests.incident()] {
      let straight = try Logs.report(lines)
      var generator = Generator(state: seed)
      let shuffled = try Logs.report(lines.shuffled(using: &generator))
      #expect(!straight.findings.isEmpty)
      #expect(straight.findings.map(Essence.init) == shuffled.findings.map(Essence.init))
      #expect(straight.headline == shuffled.headline)
      #expect(straight.liveCount == shuffled.liveCount)
    }
  }

  @Test("Nor does where a log is cut into segments", arguments: [1, 7, 100])
  func split(_ size: Int) throws {
    let lines = try OrderTests.everyStory()
    let whole = try Logs.report(lines)
    var projector = Projector(
      Selection(clock: .occurred, allUntil: whole.coverage.now.microseconds))
    var contents = Contents(keyPath: "/content-state/key")
    var first = 0
    while first < lines.count {
      var batch = try Logs.columns(Array(lines[first..<min(first + size, lines.count)]))
      batch.firstSeq = Int64(first + 1)
      batch.space = first
      projector.add(batch)
      contents.add(batch)
      first += size
    }
    let parts = Audit.report(of: projector, contents: contents)
    #expect(parts.findings == whole.findings)
    #expect(parts.headline == whole.headline)
    #expect(parts.coverage == whole.coverage)
  }

  @Test("Fingerprints stay when the log gets new lines in front, and differ between findings")
  func fingerprints() throws {
    let lines = try OrderTests.everyStory()
    let more = RuleScript.lines(
      """
      0m start X source=app content
      1m end X source=app
      """)
    let before = try Logs.report(lines).findings.map(\.fingerprint)
    let after = try Logs.report(more + lines).findings.map(\.fingerprint)
    #expect(before == after)
    #expect(Set(before).count == before.count)
    #expect(before.allSatisfy { $0.count == 16 })
  }

  @Test("A fingerprint is the same in every process and version")
  func golden() {
    #expect(Fingerprint.of("never-ended", ["A", "1"]) == "7bc90a57954119f5")
  }
}

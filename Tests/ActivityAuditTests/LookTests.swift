import ActivityAudit
import ActivityCore
import ActivityTestSupport
import Foundation
import Testing

/// Rules look only at lives with traits that they want; that must never show.
@Suite("Lives that rules do not look at")
struct LookTests {
  private static let all = ScenarioTests.options

  /// The same report with every rule looking at every life, and with traits deciding.
  private static func isSame(
    _ lines: [String], _ options: AuditOptions, _ about: Comment
  ) throws {
    var options = options
    options.remedy = true
    options.live = true
    let quick = try Logs.report(lines, options)
    options.looksAtAll = true
    let thorough = try Logs.report(lines, options)
    #expect(lacks(quick, thorough) == [], about)
    #expect(lacks(thorough, quick) == [], about)
    #expect(quick.findings == thorough.findings, about)
    #expect(quick.decided.total == thorough.decided.total, about)
    #expect(quick.liveCount == thorough.liveCount, about)
    #expect(quick.live.map(\.name) == thorough.live.map(\.name), about)
    #expect(quick.remedies == thorough.remedies, about)
    #expect(quick.coverage == thorough.coverage, about)
  }

  /// A rule's findings are the same whether it is asked for alone or with all others.
  private static func isSameAlone(_ lines: [String], _ about: Comment) throws {
    var options = LookTests.all
    options.rules = Set(RuleInfo.all.map(\.id))
    let together = try Logs.report(lines, options)
    for rule in Set(together.findings.map(\.rule)).union(["never-ended"]) {
      options.rules = [rule]
      let alone = try Logs.report(lines, options)
      let own = together.findings.filter { $0.rule == rule }
      #expect(alone.findings == own, "\(about), \(rule) alone")
      #expect(alone.liveCount == together.liveCount, about)
      #expect(alone.decided.total == together.decided.total, about)
    }
  }

  /// The findings of one report that the other does not have.
  private static func lacks(_ one: AuditReport, _ other: AuditReport) -> [String] {
    var rest: [String: [Finding]] = [:]
    for finding in one.findings { rest[finding.fingerprint, default: []].append(finding) }
    return other.findings.filter { !(rest[$0.fingerprint] ?? []).contains($0) }
      .map { "\($0.rule) \($0.name): \($0.message)" }
  }

  @Test("Examples of rules give the same findings", arguments: RuleInfo.all)
  func examples(_ rule: RuleInfo) throws {
    for example in rule.fires + rule.passes {
      try LookTests.isSame(
        example.lines, RuleExampleTests.options(example), "\(example.title)")
    }
  }

  @Test("Stories give the same findings", arguments: ScenarioTests.folders)
  func stories(_ folder: String) throws {
    for name in ["story.jsonl", "fixed.jsonl"] {
      let file = Logs.scenarios.appending(path: folder).appending(path: name)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      try LookTests.isSame(Logs.lines(file), LookTests.all, "\(folder) \(name)")
      try LookTests.isSameAlone(Logs.lines(file), "\(folder) \(name)")
    }
  }

  @Test("Logs of many cards, which two cores share, give the same findings")
  func crowds() throws {
    let logs = [
      ("stories", try OrderTests.everyStory()), ("incident", try OrderTests.incident()),
    ]
    for (name, lines) in logs {
      try LookTests.isSame(lines, LookTests.all, "\(name)")
    }
    try LookTests.isSameAlone(logs[0].1, "stories")
  }

  /// All lines of all examples, each with the time it says.
  private static let pool = RuleInfo.all.flatMap { $0.fires + $0.passes }.flatMap { example in
    example.script.split(separator: "\n").map(String.init)
  }

  @Test("Logs mixed of lines from all examples give the same findings", arguments: 0..<60)
  func mixtures(_ seed: Int) throws {
    var random = SplitMix(seed)
    let count = 20 + random.below(seed % 2 == 0 ? 60 : 300)
    let lines = (0..<count).map { _ in LookTests.pool[random.below(LookTests.pool.count)] }
    var options = LookTests.all
    options.complete = seed % 5 == 4
    if seed % 3 == 2 {
      // Limits that nobody meets, and limits that everything meets.
      for threshold in RuleInfo.all.flatMap(\.thresholds) where random.below(3) == 0 {
        options.thresholds[threshold.path] = [0, 1, threshold.value / 4][random.below(3)]
      }
    }
    let isInOrder = seed % 4 > 0
    let script = isInOrder ? lines.sorted { LookTests.time($0) < LookTests.time($1) } : lines
    let mixed = RuleScript.lines(script.joined(separator: "\n"))
    try LookTests.isSame(mixed, options, "seed \(seed)")
    if seed % 6 == 0 { try LookTests.isSameAlone(mixed, "seed \(seed)") }
  }

  @Test("One rule's lines many times over give the same findings", arguments: RuleInfo.all)
  func repetitions(_ rule: RuleInfo) throws {
    var random = SplitMix(rule.id.utf8.reduce(7) { $0 &* 31 &+ Int($1) })
    let own = (rule.fires + rule.passes).flatMap { example in
      example.script.split(separator: "\n").map(String.init)
    }
    let lines = (0..<60).map { _ in own[random.below(own.count)] }
    let script = lines.sorted { LookTests.time($0) < LookTests.time($1) }
    try LookTests.isSame(
      RuleScript.lines(script.joined(separator: "\n")), LookTests.all, "\(rule.id)")
  }

  private static func time(_ line: String) -> Int64 {
    line.split(separator: " ").first.flatMap { RuleScript.seconds($0) } ?? 0
  }
}

/// Numbers that are the same in every run.
private struct SplitMix {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func below(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ word >> 31) % UInt64(count))
  }
}

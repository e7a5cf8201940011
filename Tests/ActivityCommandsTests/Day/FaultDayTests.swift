import ActivityAudit
import Foundation
import Testing

@Suite("A day on which every rule is broken", .serialized)
struct FaultDayTests {
  @Test(
    "Every rule finds what was planted for it, and nothing else",
    arguments: [(21, 300_000), (22, 30_000)])
  func everyRule(seed: Int, events: Int) throws {
    let day = try ForgedDay(["--events", "\(events)", "--seed", "\(seed)", "--faults"])
    #expect(day.events > events * 9 / 10)
    let planted = try day.truth()
    let rules = Set(planted.map(\.rule))
    #expect(RuleInfo.all.map(\.id).filter { !rules.contains($0) } == [])
    let hidden = RuleInfo.all.filter(\.isHidden).map(\.id)
    let found = try day.findings() + hidden.flatMap { try day.findings(of: [$0]) }
    let difference = Self.difference(planted, found)
    #expect(difference.isEmpty, "\n\(difference.joined(separator: "\n"))")
  }

  @Test("The report of such a day fits two screens")
  func twoScreens() throws {
    let day = try ForgedDay(["--events", "30000", "--seed", "21", "--faults"])
    let lines = try day.audit([]).count { $0 == UInt8(ascii: "\n") }
    #expect(lines > 20)
    #expect(lines <= 100)
  }

  /// What is missing, with a minus, and what is too much, with a plus; each as often as it is.
  private static func difference(
    _ planted: [ForgedDay.Fault], _ found: [ForgedDay.Fault]
  ) -> [String] {
    // Activities are known by their names; only without one the device tells findings apart.
    let words = { (fault: ForgedDay.Fault) in
      var known = fault
      if known.name != "-" { known.device = nil }
      return known.words
    }
    var counts: [String: Int] = [:]
    for fault in planted { counts[words(fault), default: 0] -= 1 }
    for fault in found { counts[words(fault), default: 0] += 1 }
    return counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }.flatMap { words, count in
      Array(repeating: (count < 0 ? "- " : "+ ") + words, count: abs(count))
    }
  }
}

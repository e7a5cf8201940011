import ActivityCore
import ActivityTestSupport
import Foundation
import Testing

@Suite("States of a day with everything in it")
struct StrangeDayTests {
  /// Late events, future stamps, joins, refusals, restarts and revivals among 3 000 events.
  @Test(
    "The state at 1 000 random instants is the model's, both clocks, both views", arguments: 0..<8)
  func equalsModel(part: Int) throws {
    let lines = try Self.lines.get()
    let rows = try ModelRow.rows(lines)
    let batches = batches(of: lines, rows: 500)
    let first = rows.map(\.at).min() ?? 0
    let span = (rows.map(\.at).max() ?? 0) + 13 * 3_600_000_000 - first
    var random = SplitMix(seed: UInt64(part) + 100)
    for _ in 0..<125 {
      let instant = first + Int64(random.next() >> 1) % span
      for clock in LogClock.allCases {
        let selection = ModelComparison.selection(batches, clock: clock, at: instant)
        for view in LogView.allCases {
          let expected = model(
            rows, clock: try #require(ModelClock(rawValue: clock.rawValue)), at: instant,
            view: try #require(ModelView(rawValue: view.rawValue)))
          let found = ModelComparison.projected(batches, selection, view: view)
          #expect(
            found == expected, "at \(instant), \(clock.rawValue) clock, \(view.rawValue) view")
        }
      }
    }
  }

  static let lines = Result { try forge(["day", "--events", "3000", "--strange"]) }

  /// What forge writes, as lines.
  private static func forge(_ words: [String]) throws -> [String] {
    let program = try #require(Child.program).deletingLastPathComponent().appending(path: "forge")
    let forge = Process()
    forge.executableURL = program
    forge.arguments = words
    let output = Pipe()
    forge.standardOutput = output
    try forge.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    forge.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    var recorded = ""
    return lines.enumerated().map { number, line in
      // What a log would stamp: seq by order, recorded-at never going back. Times in one spelling
      // compare as text.
      let own = value("recorded-at", line)
      recorded = max(recorded, own ?? value("at", line) ?? "")
      let rest = own == nil ? line : line.replacing(",\"recorded-at\":\"\(own ?? "")\"", with: "")
      return "{\"seq\":\(number + 1),\"recorded-at\":\"\(recorded)\"," + rest.dropFirst()
    }
  }

  private static func value(_ name: String, _ line: String) -> String? {
    guard let start = line.ranges(of: "\"\(name)\":\"").first?.upperBound else { return nil }
    return String(line[start...].prefix { $0 != "\"" })
  }
}

/// A small seeded generator.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

import ActivityCore
import ActivityTestSupport
import Testing

@Suite("The projector against the independent model")
struct ProjectorModelTests {
  /// Days of every shape: joins, refusals, late rows, future stamps, several scopes of one id.
  @Test(
    "The state at random instants is the model's, on both clocks and in both views",
    arguments: 0..<60)
  func equalsModel(seed: Int) throws {
    let seed = UInt64(seed)
    let lines = ModelDay.lines(seed: seed, rows: 300)
    try compare(lines, seed: seed, instants: 10)
  }

  @Test("The state after any event is the model's", arguments: 100..<120)
  func equalsModelBySeq(seed: Int) throws {
    let lines = ModelDay.lines(seed: UInt64(seed), rows: 120)
    let rows = try ModelRow.rows(lines)
    let batches = batches(of: lines, rows: 50)
    for number in stride(from: 1, through: Int64(lines.count), by: 13) {
      let selection = ModelComparison.selection(batches, upTo: number)
      for view in LogView.allCases {
        let expected = model(rows, atSeq: number, view: ModelView(rawValue: view.rawValue)!)
        let found = ModelComparison.projected(batches, selection, view: view)
        report(expected, found, "seed \(seed) seq \(number) \(view)")
      }
    }
  }

  private func compare(_ lines: [String], seed: UInt64, instants: Int) throws {
    let rows = try ModelRow.rows(lines)
    let batches = batches(of: lines, rows: 97)
    let times = rows.map(\.at)
    let first = times.min() ?? 0
    let last = (times.max() ?? 0) + 14 * 3_600_000_000
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    for _ in 0..<instants {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let span: Int64 = max(1, last - first)
      let instant: Int64 = first + (Int64(state >> 33) &* 1000) % span
      for clock in LogClock.allCases {
        let selection = ModelComparison.selection(batches, clock: clock, at: instant)
        for view in LogView.allCases {
          let expected = model(
            rows, clock: ModelClock(rawValue: clock.rawValue)!, at: instant,
            view: ModelView(rawValue: view.rawValue)!)
          let found = ModelComparison.projected(batches, selection, view: view)
          report(expected, found, "seed \(seed) at \(instant) \(clock) \(view)")
        }
      }
    }
  }

  /// Names only what differs, so that a failure can be read.
  private func report(_ expected: [ModelActivity], _ found: [ModelActivity], _ label: String) {
    guard expected != found else { return #expect(expected == found) }
    let wanted = Set(expected.map(\.description))
    let got = Set(found.map(\.description))
    let missing = wanted.subtracting(got).sorted().prefix(3).joined(separator: "\n  ")
    let extra = got.subtracting(wanted).sorted().prefix(3).joined(separator: "\n  ")
    #expect(
      expected == found, "\(label)\n model:\n  \(missing)\n projector:\n  \(extra)")
  }
}

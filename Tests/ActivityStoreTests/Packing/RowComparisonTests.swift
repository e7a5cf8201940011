import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Comparing two readings row for row")
struct RowComparisonTests {
  private static let lines = (0..<4).flatMap { PackScript.lines($0) }

  /// Where two readings of lines, each cut into batches of its own size, first differ.
  private static func difference(
    _ one: [String], by rows: Int, _ two: [String], by others: Int
  ) -> Int64? {
    var (left, right) = (decoded(one, rows), decoded(two, others))
    var comparison = RowComparison()
    while true {
      if comparison.needsLeft, !left.isEmpty { comparison.setLeft(left.removeFirst()) }
      if comparison.needsRight, !right.isEmpty { comparison.setRight(right.removeFirst()) }
      if comparison.needsLeft, comparison.needsRight { return nil }
      guard comparison.step() else { return comparison.difference }
    }
  }

  /// Batches as a segment of commits of so many rows gives them: ordinals are the segment's.
  private static func decoded(_ lines: [String], _ rows: Int) -> [EventColumns] {
    let script = LogScript()
    do {
      let clock: @Sendable () -> Int64 = { 1_700_000_000_000_000 }
      let writer = try LogWriter(
        CommitWriter.create(in: script.files, id: Samples.id, options: Samples.options()),
        clock: clock)
      for start in stride(from: 0, to: lines.count, by: rows) {
        let part = Array(lines[start..<min(start + rows, lines.count)])
        _ = try writer.append(LogScript.batch(part))
      }
      var reader = try LogReader(script.files)
      var batches: [EventColumns] = []
      while let batch = try reader.next() { batches.append(batch) }
      return batches
    } catch {
      Issue.record(error)
      return []
    }
  }

  @Test("Equal rows are equal however they are cut", arguments: [1, 3, 7, 32])
  func equal(_ rows: Int) {
    for others in [1, 2, 5, 32] {
      #expect(Self.difference(Self.lines, by: rows, Self.lines, by: others) == nil)
    }
  }

  @Test(
    "A row that differs in one member is found",
    arguments: [
      ("\"step\":2", "\"step\":3"), ("\"status\":200", "\"status\":201"),
      ("\"key\":\"K-2\"", "\"key\":\"K-9\""), ("p2", "q2"), ("immediate", "default"),
      ("\"state\":\"ended\"", "\"state\":\"active\""), ("1700000012", "1700000022"),
      ("1700090012", "1700090013"), ("push-0", "push-7"), ("i-2", "i-two"),
      ("\"enabled\":true", "\"enabled\":false"), ("18.2", "18.22"), ("D2", "D22"),
      ("{\"x\":", "{\"y\":"), ("never heard of", "never heard off"),
      ("\"event\":\"end\"", "\"event\":\"stale\""),
    ])
  func different(_ old: String, _ new: String) throws {
    for number in Self.lines.indices where Self.lines[number].contains(old) {
      var changed = Self.lines
      changed[number] = changed[number].replacing(old, with: new)
      for (rows, others) in [(32, 32), (5, 3), (1, 32)] {
        // A subject under another name may have the same ordinal: names are compared elsewhere.
        if ["\"key\":", "D2"].contains(where: { old.hasPrefix($0) }) { continue }
        let found = Self.difference(Self.lines, by: rows, changed, by: others)
        let isNear = found.map { $0 <= Int64(number + 1) && $0 > Int64(number + 1) - 32 }
        #expect(isNear == true, "\(old) in line \(number)")
      }
    }
  }

  @Test("A reading that ends early differs")
  func shorter() {
    let short = Array(Self.lines.dropLast())
    #expect(Self.difference(Self.lines, by: 8, short, by: 5) == 32)
    #expect(Self.difference(short, by: 8, Self.lines, by: 5) == 32)
  }
}

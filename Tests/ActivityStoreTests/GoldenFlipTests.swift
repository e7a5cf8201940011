import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Golden segments, cut or with a bit flipped, as a reader of events sees them")
struct GoldenFlipTests {
  /// In release every bit; else only so many that every part is met.
  private static var step: Int {
    #if DEBUG
      61
    #else
      1
    #endif
  }

  @Test(
    "Every flipped bit costs at most one commit, says exactly which, and alters no event",
    arguments: Golden.all)
  func flips(golden: Golden) throws {
    let layout = try golden.layout()
    let whole = golden.linesBySeq
    var parts: Set<DamagedRange.Part> = []
    for bit in stride(from: 0, to: 8 * golden.bytes.count, by: Self.step) {
      var bytes = golden.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let files = golden.log(bytes)
      let reading = try LineReading(files)
      let verified = try LogVerifier.verify(files).end
      let hit = layout.commits.first { $0.bytes.contains(bit / 8) }?.seqs
      // An expectation for each of a hundred thousand bits would take longer than reading them.
      if let wrong = Self.wrong(verified, byte: bit / 8)
        ?? Self.wrong(reading, verified, whole, hit)
      {
        Issue.record("\(golden.name), bit \(bit): \(wrong): \(verified)")
      }
      verified.damage.first.map { _ = parts.insert($0.part) }
    }
    #expect(parts.isSuperset(of: [.header, .commit, .skeleton, .content]), "\(parts)")
    #expect(parts.contains(.index) == layout.isSealed)
  }

  /// What is wrong with what `verify` says: it is one damaged range around the byte, so that every
  /// command ends with 3, and never a torn tail, which would be 0.
  private static func wrong(_ verified: LogEnd, byte: Int) -> String? {
    guard let range = verified.damage.first, verified.damage.count == 1, verified.tornTail == nil
    else { return "not one damaged range" }
    let place = range.offset..<(range.offset + range.byteCount)
    return place.contains(UInt64(byte)) ? nil : "the range is elsewhere"
  }

  /// What is wrong with what a reader got: what is missing is what the report says, within the
  /// commit that was hit, and all else is as it was.
  private static func wrong(
    _ reading: LineReading, _ verified: LogEnd, _ whole: [Int64: String], _ hit: ClosedRange<Int64>?
  ) -> String? {
    guard let range = verified.damage.first else { return nil }
    // A reader of events has no use for ingest cursors, and does not look at them.
    guard range.part == .cursors || reading.end == verified else { return "reader: \(reading.end)" }
    guard zip(reading.seqs, reading.seqs.dropFirst()).allSatisfy({ $0 < $1 }) else {
      return "events out of order"
    }
    for case (let seq, let line?) in reading.lines where line != whole[seq] {
      return "event \(seq) is \(line)"
    }
    let missing = Set(whole.keys).subtracting(reading.lines.keys)
    let bare = reading.bare
    let said: Set<Int64> =
      switch range.lost {
      case .none: []
      case .range(let from, let through): Set(from...through)
      case .from(let seq): Set(whole.keys.filter { $0 >= seq })
      }
    guard said.isSubset(of: hit.map { Set($0) } ?? []) else { return "more than one commit" }
    let isRight =
      switch range.part {
      case .commit, .skeleton: missing == said && bare.isEmpty && !said.isEmpty
      case .content: missing.isEmpty && bare == said && !said.isEmpty
      // The commit behind repeats the names, so that only the last commit's are truly gone.
      case .names:
        missing.isEmpty && bare.isSubset(of: said) && !said.isEmpty
          && (bare.isEmpty || hit?.upperBound == whole.keys.max())
      case .header, .cursors, .index, .segment, .chain:
        missing.isEmpty && bare.isEmpty && said.isEmpty
      }
    return isRight ? nil : "missing \(missing.sorted()), without a line \(bare.sorted())"
  }

  @Test(
    "Every prefix gives its whole commits, is open or torn, and never damaged",
    arguments: Golden.all)
  func prefixes(golden: Golden) throws {
    let layout = try golden.layout()
    let ends = [layout.start] + layout.commits.map(\.bytes.upperBound)
    for length in 0...golden.bytes.count {
      let files = golden.log(Array(golden.bytes.prefix(length)))
      guard length >= layout.start / 2 else {
        let error = #expect(throws: LogError.self) { try LineReading(files) }
        #expect(error?.code == .notALog)
        continue
      }
      let reading = try LineReading(files)
      let count = layout.commits.filter { $0.bytes.upperBound <= length }
        .reduce(0) { $0 + $1.seqs.count }
      #expect(
        reading.seqs.map { reading.lines[$0] ?? nil } == Array(golden.lines.prefix(count)),
        "\(golden.name), \(length) bytes")
      let verified = try LogVerifier.verify(files).end
      #expect(verified == reading.end, "\(golden.name), \(length) bytes")
      if ends.contains(length) {
        #expect(reading.end == .open, "\(golden.name), \(length) bytes")
      } else if length == golden.bytes.count {
        #expect(reading.end == .sealed)
      } else {
        #expect(reading.end.tornTail != nil && reading.end.damage.isEmpty, "\(length) bytes")
      }
    }
  }
}

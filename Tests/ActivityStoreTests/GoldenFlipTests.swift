import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Golden segments, cut or with a bit flipped, as a reader of events sees them")
struct GoldenFlipTests {
  /// Every bit in release; enough of them to meet every byte's part otherwise.
  #if DEBUG
    static let step = 61
  #else
    static let step = 1
  #endif

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
      let place = "\(golden.name), bit \(bit): \(verified)"
      // Damage, so every command ends with 3; never a torn tail, which would be 0.
      #expect(verified.damage.count == 1 && verified.tornTail == nil, "\(place)")
      guard let range = verified.damage.first else { continue }
      parts.insert(range.part)
      #expect(range.offset <= UInt64(bit / 8), "\(place)")
      #expect(UInt64(bit / 8) < range.offset + range.byteCount, "\(place)")
      // A reader of events has no use for ingest cursors, and does not look at them.
      if range.part != .cursors { #expect(reading.end == verified, "\(place)") }
      let hit = layout.commits.first { $0.bytes.contains(bit / 8) }
      Self.check(reading, range, whole, hit: hit?.seqs, place)
    }
    #expect(parts.isSuperset(of: [.header, .commit, .skeleton, .content]), "\(parts)")
    #expect(parts.contains(.index) == layout.isSealed)
  }

  /// What is missing is what the report says, within the commit that was hit; the rest is as it was.
  private static func check(
    _ reading: LineReading, _ range: DamagedRange, _ whole: [Int64: String],
    hit: ClosedRange<Int64>?, _ place: String
  ) {
    #expect(reading.seqs == reading.seqs.sorted(), "\(place)")
    for (seq, line) in reading.lines {
      guard let line else { continue }
      if line != whole[seq] { Issue.record("\(place): event \(seq) is \(line)") }
    }
    let missing = Set(whole.keys).subtracting(reading.lines.keys)
    let bare = reading.bare
    let said: Set<Int64> =
      switch range.lost {
      case .none: []
      case .range(let from, let through): Set(from...through)
      case .from(let seq): Set(whole.keys.filter { $0 >= seq })
      }
    #expect(said.isSubset(of: hit.map { Set($0) } ?? []), "\(place)")
    switch range.part {
    case .commit, .skeleton:
      #expect(missing == said && bare.isEmpty, "\(place)")
      #expect(!said.isEmpty, "\(place)")
    case .content:
      #expect(missing.isEmpty && bare == said && !said.isEmpty, "\(place)")
    case .names:
      // The commit behind repeats the names, so that only the last commit's are truly gone.
      #expect(missing.isEmpty && bare.isSubset(of: said) && !said.isEmpty, "\(place)")
      if hit?.upperBound != whole.keys.max() { #expect(bare.isEmpty, "\(place)") }
    case .header, .cursors, .index, .segment:
      #expect(missing.isEmpty && bare.isEmpty && said.isEmpty, "\(place)")
    }
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

import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Every single flipped bit of a segment")
struct EveryFlipTests {
  @Test(
    "costs at most one commit, says which, and alters no other", arguments: [false, true])
  func flips(sealed: Bool) throws {
    let bytes = try Samples.segment(sealed: sealed)
    let whole = Scan(Samples.contents(), end: .open).parts
    let boundaries = try EveryPrefixTests.boundaries(of: bytes)
    for bit in 0..<(8 * bytes.count) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      let scan = try Scan(flipped)
      let damage = scan.end.damage
      #expect(damage.count == 1, "bit \(bit): \(scan.end)")
      #expect(scan.end.tornTail == nil, "bit \(bit): \(scan.end)")
      guard let range = damage.first else { continue }
      #expect(range.offset <= UInt64(bit / 8), "bit \(bit): \(range)")
      #expect(UInt64(bit / 8) < range.offset + range.byteCount, "bit \(bit): \(range)")
      let hit = boundaries.lastIndex { $0 <= bit / 8 }
      guard let hit, hit < whole.count else {
        #expect(scan.parts == whole, "bit \(bit)")
        #expect(range.lost == .none, "bit \(bit): \(range)")
        #expect([.header, .index].contains(range.part), "bit \(bit): \(range)")
        continue
      }
      Self.checkCommit(hit, scan, range, sealed: sealed, bit: bit)
    }
  }

  /// One commit was hit: it is gone, or a section of it is, and the report says exactly that.
  static func checkCommit(
    _ hit: Int, _ scan: Scan, _ range: DamagedRange, sealed: Bool, bit: Int
  ) {
    let whole = Scan(Samples.contents(), end: .open).parts
    let facts = whole[hit].facts
    let seqs = LostSeqs.range(from: facts.firstSeq, through: facts.nextSeq - 1)
    var expected = whole
    switch range.part {
    case .commit:
      expected.remove(at: hit)
      let isUnknown = !sealed && hit == whole.count - 1
      #expect(range.lost == (isUnknown ? .from(facts.firstSeq) : seqs), "bit \(bit): \(range)")
    case .names: expected[hit].names = nil
    case .skeleton: expected[hit].skeleton = nil
    case .content: expected[hit].payload = nil
    case .cursors: expected[hit].cursors = []
    case .header, .index, .segment, .chain: Issue.record("bit \(bit): \(range)")
    }
    if range.part != .commit {
      #expect(range.lost == (range.part == .cursors ? .none : seqs), "bit \(bit): \(range)")
      #expect(!range.isResynchronised)
    }
    #expect(scan.parts == expected, "bit \(bit)")
  }
}

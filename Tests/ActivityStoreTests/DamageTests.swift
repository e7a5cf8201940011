import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Torn and damaged")
struct DamageTests {
  private let bytes: [UInt8]
  private let boundaries: [Int]

  init() throws {
    bytes = try Samples.segment(sealed: false)
    boundaries = try EveryPrefixTests.boundaries(of: bytes)
  }

  @Test("A tail with a sector of zeros was never written: torn")
  func zeroTail() throws {
    for length in [200, 511, 4096] {
      let scan = try Scan(bytes + [UInt8](repeating: 0, count: length))
      #expect(scan.parts.count == 4)
      #expect(scan.end.tornTail?.offset == UInt64(bytes.count))
      #expect(scan.end.damage.isEmpty)
    }
  }

  @Test("A whole last commit with zeros where its payload should be is torn as a whole")
  func zeroedPayload() throws {
    var long = Samples.content(seq: 10)
    var random = SystemRandomNumberGenerator()
    long.payload = (0..<4_000).map { _ in UInt8.random(in: 1...255, using: &random) }
    let header = try #require(SegmentHeaders(bytes)).header
    var frame = try CommitFrame(long, seed: header.seed, offset: UInt64(bytes.count)).bytes
    for index in (frame.count - 3_000)..<(frame.count - 1_000) { frame[index] = 0 }
    let scan = try Scan(bytes + frame)
    #expect(scan.parts.count == 4)
    #expect(scan.end.tornTail?.offset == UInt64(bytes.count))
  }

  @Test("Long garbage behind the last commit is damage of unknown count")
  func garbage() throws {
    let scan = try Scan(bytes + [UInt8](repeating: 0xA7, count: 300))
    #expect(scan.parts.count == 4)
    #expect(scan.end.damage.map(\.lost) == [.from(10)])
    #expect(scan.end.tornTail == nil)
  }

  @Test("While a writer lives, an unfinished tail is the end and not a word is said")
  func liveTail() throws {
    for tail in [Array(bytes.prefix(90)), [UInt8](repeating: 0xA7, count: 300)] {
      let scan = try Scan(bytes + tail, live: true)
      #expect(scan.parts.count == 4)
      #expect(scan.end == .open)
    }
  }

  @Test("Damage in the middle is reported also beside a torn tail")
  func both() throws {
    var broken = bytes
    broken[boundaries[1] + 50] ^= 4
    let scan = try Scan(Array(broken.dropLast(5)))
    #expect(scan.parts.map(\.facts.firstSeq) == [1, 7])
    #expect(scan.end.damage.map(\.lost) == [.range(from: 4, through: 6)])
    #expect(scan.end.tornTail?.offset == UInt64(boundaries[3]))
  }

  @Test("With every length of a commit destroyed, the next one is found by searching")
  func resynchronised() throws {
    var broken = bytes
    for index in boundaries[1]..<(boundaries[1] + 60) { broken[index] = 0xEE }
    let scan = try Scan(broken)
    #expect(scan.parts.map(\.facts.firstSeq) == [1, 7, 8])
    let range = try #require(scan.end.damage.first)
    #expect(range.lost == .range(from: 4, through: 6))
    #expect(range.isResynchronised)
    #expect(range.byteCount == UInt64(boundaries[2] - boundaries[1]))
  }

  @Test("A sealed segment's index tells what a destroyed commit held, without searching")
  func byIndex() throws {
    var broken = try Samples.segment(sealed: true)
    for index in boundaries[3]..<(boundaries[3] + 60) { broken[index] = 0xEE }
    let scan = try Scan(broken)
    #expect(scan.parts.count == 3)
    #expect(scan.end.damage.map(\.lost) == [.range(from: 8, through: 9)])
    #expect(scan.end.damage.first?.isResynchronised == false)
  }

  @Test("A commit copied to another offset is not taken for one")
  func copied() throws {
    let copy = Array(bytes[boundaries[1]..<boundaries[2]])
    let scan = try Scan(bytes + copy)
    #expect(scan.parts.count == 4)
    #expect(scan.end.damage.map(\.lost) == [.from(10)])
  }

  @Test("A forged header inside a payload is found neither in a sound log nor in a damaged one")
  func forged() throws {
    let header = try #require(SegmentHeaders(bytes)).header
    // A perfect commit for the log's beginning, hidden in the content of another.
    let forged = try CommitFrame(
      Samples.content(seq: 500), seed: header.seed, offset: UInt64(boundaries[0])
    ).bytes
    var carrier = Samples.content(seq: 10)
    carrier.payload = forged
    let offset = UInt64(bytes.count)
    let frame = try CommitFrame(carrier, seed: header.seed, offset: offset).bytes
    let after = try CommitFrame(
      Samples.content(seq: 13), seed: header.seed, offset: offset + UInt64(frame.count)
    ).bytes
    #expect(try Scan(bytes + frame + after).parts.count == 6)
    var broken = frame
    for index in 0..<60 { broken[index] = 0xEE }
    let scan = try Scan(bytes + broken + after)
    #expect(scan.parts.map(\.facts.firstSeq) == [1, 4, 7, 8, 13])
    #expect(scan.end.damage.map(\.lost) == [.range(from: 10, through: 12)])
  }

  @Test("With both headers gone a segment reads by its log's id and its name")
  func headless() throws {
    for sealed in [false, true] {
      var broken = try Samples.segment(sealed: sealed)
      for index in 0..<boundaries[0] { broken[index] = 0 }
      #expect(throws: LogError.self) { try Scan(broken) }
      let scan = try Scan(broken, fallback: SegmentSeed(log: Samples.id, firstSeq: 1))
      #expect(scan.parts == Scan(Samples.contents(), end: .open).parts)
      #expect(scan.end.damage.allSatisfy { $0.lost == .none })
      #expect(!scan.end.damage.isEmpty)
    }
  }

  @Test("Bytes behind a trailer cost nothing and are reported")
  func behindTrailer() throws {
    let scan = try Scan(Samples.segment(sealed: true) + [1, 2, 3])
    #expect(scan.parts.count == 4)
    #expect(scan.end.damage.map(\.part) == [.index])
  }

  @Test("A segment of a newer version is refused with one word of advice")
  func newer() throws {
    var header = SegmentHeader(log: Samples.id, firstSeq: 1)
    header.incompatible = SegmentHeader.knownIncompatible + 1
    let copy = header.encode()
    let error = #expect(throws: LogError.self) { try Scan(copy + copy) }
    #expect(error?.code == .newerFormat)
    #expect(error?.description.contains("upgrade") == true)
  }

  @Test("Random bytes never crash a scan")
  func noise() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let index = Int.random(in: 0..<broken.count, using: &random)
        broken[index] = UInt8.random(in: 0...255, using: &random)
      }
      let scan = try Scan(broken, fallback: SegmentSeed(log: Samples.id, firstSeq: 1))
      let whole = Scan(Samples.contents(), end: .open).parts
      for part in scan.parts {
        let original = try #require(whole.first { $0.facts == part.facts })
        #expect(part.payload == nil || part.payload == original.payload)
        #expect(part.skeleton == nil || part.skeleton == original.skeleton)
      }
    }
  }
}

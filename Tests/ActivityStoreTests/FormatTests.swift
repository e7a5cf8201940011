import ActivityStore
import ActivityTestSupport
import Testing

@Suite("The format's structures")
struct FormatTests {
  @Test("A sealed segment gives back every commit and ends sealed")
  func sealed() throws {
    let scan = try Scan(Samples.segment(sealed: true))
    #expect(scan == Scan(Samples.contents(), end: .sealed))
  }

  @Test("An active segment gives back every commit and ends open")
  func active() throws {
    let scan = try Scan(Samples.segment(sealed: false))
    #expect(scan == Scan(Samples.contents(), end: .open))
  }

  @Test("Both copies of a header say what was put in, metadata too")
  func header() throws {
    var header = SegmentHeader(log: Samples.id, firstSeq: 9)
    header.before.add(Samples.content(seq: 1).facts)
    header.metadata = [LogMetadata(key: "partitions", value: "ä/1")]
    header.digest[31] = 5
    let copy = header.encode()
    let found = try #require(SegmentHeaders(copy + copy))
    #expect(found.header == header)
    #expect(found.end == UInt64(2 * copy.count))
    #expect(!found.isCopyDamaged)
  }

  @Test("The footer lists every commit, the subjects and the cursors")
  func footer() throws {
    let bytes = try Samples.segment(sealed: true)
    let file = try MemoryFiles(files: ["a": bytes]).open("a", .read)
    var scanner = try SegmentScanner(file)
    let footer = try #require(try scanner.readFooter())
    #expect(footer.commits.map(\.facts.firstSeq) == [1, 4, 7, 8])
    #expect(footer.commits.map(\.facts.count) == [3, 3, 1, 2])
    #expect(footer.commits[0].facts.latestStartDate != nil)
    #expect(footer.commits[0].facts.mattersToResolution)
    #expect(footer.nextSeq == 10)
    #expect(footer.through.count == 9)
    #expect(footer.cursors == [Samples.feed])
    #expect(try footer.subjects.commits(of: 17) == [0, 2])
    #expect(try footer.subjects.commits(of: 18) == [3])
    #expect(try footer.subjects.commits(of: 0xFFFF_0000) == [1])
    #expect(try footer.subjects.commits(of: 19) == [])
    #expect(scanner.trailer?.commits == 4)
  }

  @Test("A subject index of many hashes finds each of them, and no other")
  func subjectIndex() throws {
    var commits: [UInt32: [UInt32]] = [:]
    var random = SystemRandomNumberGenerator()
    for number in 0..<5_000 as Range<UInt32> {
      commits[random.next(upperBound: UInt32.max), default: []].append(number)
    }
    let index = SubjectIndex(commits)
    for (hash, numbers) in commits {
      #expect(try index.commits(of: hash) == numbers.map { Int($0) })
    }
    for hash in 0..<1_000 as Range<UInt32> where commits[hash] == nil {
      #expect(try index.commits(of: hash) == [])
    }
  }

  @Test("Numbers of every width come back as they were written")
  func numbers() throws {
    let values: [Int64] = [0, -1, 1, 63, -64, 64, 1 << 20, .min, .max]
    var writer = ByteWriter()
    for value in values {
      writer.zigzag(value)
      writer.varint(UInt64(bitPattern: value))
      writer.i64(value)
    }
    var reader = ByteReader(writer.bytes)
    for value in values {
      #expect(try reader.zigzag() == value)
      #expect(try reader.varint() == UInt64(bitPattern: value))
      #expect(try reader.i64() == value)
    }
    #expect(reader.isAtEnd)
    #expect(throws: Damage(.truncated)) { try reader.u8() }
  }

  @Test("A varint of more than 64 bits is damage, not a trap")
  func longVarint() {
    var reader = ByteReader([UInt8](repeating: 0xFF, count: 11))
    #expect(throws: Damage.self) { try reader.varint() }
  }

  @Test("CRC-32C of the check string is the published value")
  func crc() {
    #expect(CRC32C.of([UInt8]("123456789".utf8)) == 0xE306_9283)
  }

  @Test(
    "LZ4 gives back exactly what it was given, also what does not shrink",
    arguments: [0, 1, 15, 255, 70_000])
  func lz4(length: Int) throws {
    var random = SystemRandomNumberGenerator()
    let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    for raw in [noise, [UInt8](repeating: 65, count: length)] {
      let packed = LZ4.pack(raw)
      #expect(packed.bytes.count <= raw.count)
      let back = try LZ4.unpack(
        packed.bytes, 0..<packed.bytes.count, codec: packed.codec, rawLength: raw.count)
      #expect(back == raw)
      guard packed.codec == .lz4 else { continue }
      for wrong in [raw.count - 1, raw.count + 1] {
        #expect(throws: Damage.self) {
          try LZ4.unpack(
            packed.bytes, 0..<packed.bytes.count, codec: .lz4, rawLength: wrong)
        }
      }
    }
  }

  @Test("Every bit of a header is covered by its checksum")
  func headerFlips() throws {
    let seed = SegmentSeed(log: Samples.id, firstSeq: 1)
    let frame = try CommitFrame(Samples.content(seq: 1), seed: seed, offset: 300)
    for bit in 0..<(8 * CommitHeader.length) {
      var bytes = frame.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: Damage.self) {
        try CommitHeader(verifying: bytes, at: 0, seed: seed, offset: 300)
      }
    }
  }

  @Test("A commit verifies in its own log, segment and offset only")
  func seeds() throws {
    let seed = SegmentSeed(log: Samples.id, firstSeq: 1)
    let bytes = try CommitFrame(Samples.content(seq: 1), seed: seed, offset: 300).bytes
    #expect(throws: Never.self) {
      try CommitHeader(verifying: bytes, at: 0, seed: seed, offset: 300)
    }
    let other = SegmentSeed(log: LogID(high: 1, low: 2), firstSeq: 1)
    let later = SegmentSeed(log: Samples.id, firstSeq: 2)
    for (seed, offset) in [(seed, 301), (other, 300), (later, 300)] as [(SegmentSeed, UInt64)] {
      #expect(throws: Damage.self) {
        try CommitHeader(verifying: bytes, at: 0, seed: seed, offset: offset)
      }
    }
  }

  @Test("Lengths beyond their limits are refused although their checksum is right")
  func hugeLengths() throws {
    let seed = SegmentSeed(log: Samples.id, firstSeq: 1)
    var header = CommitHeader(facts: Samples.content(seq: 1).facts)
    header.skeletonRaw = Limits.sectionBytes + 1
    let bytes = header.encode(seed: seed, offset: 0)
    #expect(throws: Damage.self) {
      try CommitHeader(verifying: bytes, at: 0, seed: seed, offset: 0)
    }
  }

  @Test("Segment names state their first seq, and nothing else is a segment")
  func segmentNames() {
    #expect(SegmentName.of(42) == "00000000000000000042.alog")
    #expect(SegmentName.firstSeq(SegmentName.of(.max)) == .max)
    for name in ["lock", "00000000000000000000.alog", "00000000000000000042.alog.tmp", "1.alog"] {
      #expect(SegmentName.firstSeq(name) == nil)
    }
  }
}

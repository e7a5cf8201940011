import ActivityIngest
import Testing

@Suite("Bytes of a file become text")
struct InputDecodingTests {
  private static let both = Array(PackedSamples.both.utf8)

  /// An input, and what it is.
  struct Sample: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let kind: InputKind
    var testDescription: String { "\(kind), \(bytes.count) bytes" }
  }

  static let samples = [
    Sample(bytes: both, kind: InputKind()),
    Sample(bytes: [0xEF, 0xBB, 0xBF] + both, kind: InputKind(hasMark: true)),
    Sample(bytes: PackedSamples.gzip, kind: InputKind(packing: .gzip)),
    Sample(bytes: PackedSamples.gzipMembers, kind: InputKind(packing: .gzip)),
    Sample(
      bytes: PackedSamples.gzipMembers + [UInt8](repeating: 0, count: 70),
      kind: InputKind(packing: .gzip)),
    Sample(
      bytes: PackedSamples.gzipUTF16,
      kind: InputKind(packing: .gzip, encoding: .utf16LittleEndian, hasMark: true)),
    Sample(bytes: PackedSamples.lz4, kind: InputKind(packing: .lz4)),
    Sample(bytes: PackedSamples.lz4Frames, kind: InputKind(packing: .lz4)),
    Sample(bytes: skippable + PackedSamples.lz4 + skippable, kind: InputKind(packing: .lz4)),
  ]

  private static let skippable: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 0x03, 0, 0, 0, 7, 8, 9]

  @Test("The text is the same in chunks of every size", arguments: samples)
  func chunks(_ sample: Sample) {
    let whole = Decoded(sample.bytes)
    #expect(whole.string == PackedSamples.both)
    #expect(whole.problem == nil)
    #expect(whole.kind == sample.kind)
    for chunk in 1...sample.bytes.count {
      #expect(Decoded(sample.bytes, chunk: chunk) == whole, "in chunks of \(chunk)")
    }
  }

  @Test("Nothing is no text and no problem")
  func nothing() {
    let decoded = Decoded([])
    #expect(decoded.text == [])
    #expect(decoded.problem == nil)
    #expect(decoded.kind == InputKind())
  }

  @Test(
    "Packed data cut anywhere gives the text before the cut, and a problem",
    arguments: [PackedSamples.gzip, PackedSamples.lz4])
  func truncation(_ bytes: [UInt8]) {
    for count in 1..<bytes.count {
      let cut = Decoded(Array(bytes.prefix(count)))
      #expect(cut.problem?.code == .truncated, "after \(count)")
      #expect(Self.both.starts(with: cut.text), "after \(count)")
      #expect(Decoded(Array(bytes.prefix(count)), chunk: 1) == cut)
    }
  }

  @Test("Before a cut, gzip gives every character and LZ4 every block")
  func beforeCut() {
    let members = Decoded(Array(PackedSamples.gzipMembers.dropLast(20)))
    #expect(members.string.hasPrefix(PackedSamples.first))
    let blocks = Decoded(Array(PackedSamples.lz4Blocks.dropLast(20)))
    #expect(blocks.text.count == 3 * 65_536)
    let gzip = Decoded(Array(PackedSamples.gzip.dropLast(8)))
    #expect(gzip.text == Self.both)
    #expect(gzip.problem?.code == .truncated)
  }

  @Test(
    "A cut gives the same however the rest is cut into chunks",
    arguments: [PackedSamples.gzipMembers, PackedSamples.lz4Frames])
  func cutInChunks(_ bytes: [UInt8]) {
    for count in 1...bytes.count {
      let cut = Decoded(Array(bytes.prefix(count)))
      #expect(Self.both.starts(with: cut.text), "after \(count)")
      for chunk in [1, 5] {
        #expect(Decoded(Array(bytes.prefix(count)), chunk: chunk) == cut, "after \(count)")
      }
    }
  }

  @Test("Half a character of UTF-16 before a cut is left out")
  func cutCharacter() {
    let bytes = PackedSamples.gzipUTF16
    for count in 2..<bytes.count {
      let cut = Decoded(Array(bytes.prefix(count)))
      #expect(cut.problem?.code == .truncated)
      #expect(Self.both.starts(with: cut.text), "after \(count)")
    }
  }

  @Test(
    "One flipped bit is a problem or changes no text",
    arguments: [samples[2], samples[3], samples[5], samples[6], samples[7]])
  func flips(_ sample: Sample) {
    let bytes = sample.bytes
    let signature = sample.kind.packing == .gzip ? 2 : 4
    for bit in 0..<(bytes.count * 8) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      let decoded = Decoded(flipped)
      #expect(Decoded(flipped, chunk: 7) == decoded, "bit \(bit)")
      guard bit / 8 >= signature else { continue }
      #expect(decoded.problem != nil || decoded.text == Self.both, "bit \(bit)")
    }
  }

  @Test("Blocks before a damaged one are handed out")
  func damagedBlock() {
    var bytes = PackedSamples.lz4Blocks
    // Behind magic and descriptor, each block has its length in front.
    var third = 7
    for _ in 0..<2 {
      third += 4 + Int(bytes[third]) + Int(bytes[third + 1]) << 8
    }
    // No block is so long.
    bytes[third + 2] ^= 0x40
    let decoded = Decoded(bytes)
    #expect(decoded.problem?.code == .damaged)
    #expect(decoded.text.count == 2 * 65_536)
    #expect(decoded.text.allSatisfy { $0 == UInt8(ascii: "a") })
  }

  @Test("Other bytes behind packed data are told, after the text before them")
  func trailing() {
    for bytes in [PackedSamples.gzip, PackedSamples.lz4] {
      let decoded = Decoded(bytes + Array("{\"event\":\"end\"}\n".utf8))
      #expect(decoded.text == Self.both)
      #expect(decoded.problem?.code == .trailing)
    }
  }

  @Test("A bomb comes in pieces within the bound, and all of it")
  func bomb() {
    let bombs = [
      [[UInt8]](repeating: PackedSamples.gzipMebibyte, count: 64).flatMap(\.self),
      [[UInt8]](repeating: PackedSamples.lz4Blocks, count: 256).flatMap(\.self),
    ]
    for bomb in bombs {
      var total = 0
      var largest = 0
      let problem = pieces(of: bomb) { piece in
        total += piece.count
        largest = max(largest, piece.count)
      }
      #expect(problem == nil)
      #expect(total == 64 << 20)
      #expect(largest <= InputDecoding.pieceLimit)
    }
  }

  @Test("A problem is thrown again, and input after it is ignored")
  func again() {
    let decoding = InputDecoding()
    decoding.give(PackedSamples.zstd[...])
    #expect(throws: InputProblem.self) { try decoding.next() }
    decoding.give(Self.both[...])
    #expect(throws: InputProblem.self) { try decoding.next() }
    decoding.end()
    #expect(throws: InputProblem.self) { try decoding.next() }
  }

  @Test("A line of text is handed out as soon as it is there")
  func promptly() throws {
    let decoding = InputDecoding()
    decoding.give(Array("{\"event\":".utf8)[...])
    #expect(try decoding.next() == nil)
    decoding.give(Array("\"end\"}\n".utf8)[...])
    #expect(try decoding.next().map(Array.init) == Array("{\"event\":\"end\"}\n".utf8))
    decoding.give(Array("{".utf8)[...])
    #expect(try decoding.next().map(Array.init) == Array("{".utf8))
    #expect(try decoding.next() == nil)
  }

  @Test("A beginning without a line end is handed out after 4 096 bytes, or at the end")
  func longLine() throws {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 4_095)
    let decoding = InputDecoding()
    decoding.give(line[...])
    #expect(try decoding.next() == nil)
    decoding.give(line[..<1])
    #expect(try decoding.next()?.count == 4_096)
    #expect(Decoded(line).text == line)
  }
}

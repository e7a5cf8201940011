import ActivityCore
import ActivityStore
import Testing

@Suite("Packed encodings")
struct PackedEncodingTests {
  @Test(
    "A day's rows read back under both encodings, and take less under the packed ones",
    arguments: [20, 31, 32, 64, 200, 1_000])
  func roundTrip(rows: Int) throws {
    var dice = Dice(UInt64(rows))
    let batch = DayScript.batch(&dice, rows: rows)
    let before = SkeletonScript.identities(batch.subjects, batch.texts)
    var sizes: [Int] = []
    for encodings in [ColumnEncodings.first, .packed] {
      var ordinals = SegmentOrdinals(encodings)
      let commit = try CommitCoding.encode(batch, ordinals: &ordinals)
      let names = try CommitCoding.decodeNames(commit.names)
      #expect(names.encodings == encodings)
      let read = try CommitCoding.decode(
        skeleton: commit.skeleton, count: batch.count,
        CommitCoding.Context(firstSeq: 1, space: 0, names: names))
      let after = SkeletonScript.identities(read.subjects, read.texts)
      #expect(SkeletonScript.rows(read, after) == SkeletonScript.rows(batch, before))
      sizes.append(commit.skeleton.count + commit.names.count)
    }
    if rows >= 64 { #expect(sizes[1] < sizes[0] * 9 / 10) }
  }

  @Test("Columns nobody wants are stepped over, and the others are what they were")
  func selection() throws {
    var dice = Dice(3)
    let batch = DayScript.batch(&dice, rows: 300)
    var ordinals = SegmentOrdinals()
    let commit = try CommitCoding.encode(batch, ordinals: &ordinals)
    for member in [Member.apnsID, .key, .staleDate, .timestamp, .status, .recorder] {
      var context = CommitCoding.Context(firstSeq: 0, space: 0)
      context.wanted = MemberSelection([member])
      let read = try CommitCoding.decode(skeleton: commit.skeleton, count: 300, context)
      for other in Member.allCases { #expect(read[other].isEmpty == (other != member)) }
      for row in 0..<300 {
        switch member.storage {
        case .word, .text: #expect(read.text(member, row) == batch.text(member, row))
        case .handle: #expect((read.value(member, row) == nil) == (batch.value(member, row) == nil))
        default: #expect(read.value(member, row) == batch.value(member, row))
        }
      }
    }
  }

  @Test("An id that comes again costs a small number, and ids of their own 16 bytes")
  func references() throws {
    func size(_ ids: Int) throws -> Int {
      var batch = EventColumns()
      batch.subjects.append(
        ordinal: 0, kind: .app, name: -1, environment: -1, bundle: -1, device: -1)
      var dice = Dice(8)
      let codes = (0..<ids).map { _ in batch.texts.append(dice.uuid(upper: true).utf8) }
      for row in 0..<1_000 {
        let at = Int64(row)
        _ = batch.appendRow(kind: .response, flags: [], subject: 0, at: at, recordedAt: at)
        batch.set(.apnsID, row, Int64(codes[row % ids]))
      }
      batch.payload = .lines(Array(String(repeating: "{}\n", count: 1_000).utf8))
      var ordinals = SegmentOrdinals()
      return try CommitCoding.encode(batch, ordinals: &ordinals).skeleton.count
    }
    let (one, few, all) = try (size(1), size(100), size(1_000))
    #expect(few - one <= 99 * 16 + 1_100)
    #expect(all - one >= 999 * 15 && all - one <= 999 * 16)
  }

  @Test("Texts that count up cost a byte or two, whatever stands before the number")
  func numbered() throws {
    var table = TextTable()
    let texts =
      (0..<500).map { "A-\(100_000 + $0)" } + (0..<50).map { "é/0\($0)" }
      + ["", "007", "0", "x", "99999999999999999999", String(repeating: "y", count: 60) + "1"]
    let codes = texts.map { Int32(table.append(Array($0.utf8))) }
    var writer = SectionWriter()
    try writer.texts(codes, of: table, .packed)
    var reader = SectionReader(writer.bytes, .names)
    var read = TextTable()
    try reader.texts(texts.count, into: &read)
    try reader.finish()
    #expect((0..<read.count).map { read.string($0) } == texts)
    #expect(writer.bytes.count < 1_200)
  }

  @Test("UUIDs that are random but for their version take 15 bytes and two bits", arguments: 0..<8)
  func randomUUIDs(_ seed: Int) throws {
    var dice = Dice(UInt64(seed) + 21)
    // All of one case, mixed with others, or too few to pay.
    let texts = (0..<200).map { index -> String in
      guard seed < 2 || index % seed != 1 else { return dice.name() }
      var digits = Array(dice.uuid(upper: seed % 2 == 0 || index % 5 > 0))
      digits[14] = "4"
      digits[19] = ["8", "9", seed % 2 == 0 ? "A" : "b", "8"][dice.below(4)]
      return String(digits)
    }
    var table = TextTable()
    let codes = texts.map { Int32(table.append(Array($0.utf8))) }
    var writer = SectionWriter()
    try writer.texts(codes, of: table, .packed)
    var reader = SectionReader(writer.bytes, .skeleton)
    var read = TextTable()
    try reader.texts(texts.count, into: &read)
    try reader.finish()
    #expect((0..<read.count).map { read.string($0) } == texts)
    if seed == 0 { #expect(writer.bytes.count == 3 + 200 * 15 + 50) }
  }

  @Test("A packed run stays as narrow as most of its values, at every width", arguments: 0...60)
  func widths(width: Int) throws {
    var dice = Dice(UInt64(width) + 1)
    let mask: UInt64 = (1 << UInt64(width)) - 1
    var values = (0..<777).map { _ in Int64(truncatingIfNeeded: dice.next() & mask) - 5_000 }
    values[13] = .max
    values[700] = .min
    var writer = SectionWriter()
    writer.integers(values, .packed)
    var reader = SectionReader(writer.bytes, .skeleton)
    #expect(try reader.integers(values.count) == values)
    try reader.finish()
    // The base is chosen from a sample, which one value in a hundred may lie below.
    if width <= 56 { #expect(writer.bytes.count <= (777 * width + 7) / 8 * 106 / 100 + 60) }
  }
}

import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("The feature of packed encodings")
struct EncodingFeatureTests {
  /// A log of version 1 that is still being written.
  private static func old() throws -> (files: MemoryFiles, name: String, lines: [String]) {
    let golden = try #require(Golden.all.first { $0.testDescription == "v1/active" })
    return (golden.log(golden.bytes), SegmentName.of(golden.firstSeq), golden.lines)
  }

  private static func open(_ files: MemoryFiles) throws -> LogWriter {
    try LogWriter(
      CommitWriter.open(in: files, options: Samples.options()), clock: { 1_900_000_000_000_000 })
  }

  private static func encodings(_ files: MemoryFiles, _ name: String) throws -> ColumnEncodings {
    try #require(SegmentHeaders(files[name] ?? [])).header.encodings
  }

  /// Whether a reader that knows the first encodings only can read every commit of a segment.
  private static func isOld(_ files: MemoryFiles, _ name: String) throws -> Bool {
    var scanner = try SegmentScanner(files.open(name, .read))
    while let commit = try scanner.next() {
      let names = try #require(try scanner.read(.names, of: commit))
      if names.starts(with: SubjectBlock.packedMark) { return false }
      let skeleton = try #require(try scanner.read(.skeleton, of: commit))
      var reader = SectionReader(skeleton, .skeleton)
      var table = TextTable()
      try reader.texts(try reader.count(limit: 1_000), into: &table)
      for _ in 0..<(try reader.count(limit: 256)) {
        let number = try reader.byte()
        let shape = ColumnShape(rawValue: try reader.byte())
        _ = try reader.part()
        if number == RowColumn.forms.rawValue || shape.rawValue & 7 > 3 { return false }
      }
    }
    return true
  }

  private static func day(_ numbers: Range<Int>) -> EventColumns {
    LogScript.batch(numbers.flatMap { PackScript.lines($0) })
  }

  @Test("A new log's segments have it, and use it")
  func new() throws {
    let script = LogScript()
    let writer = try script.create()
    _ = try writer.append(Self.day(0..<20))
    try writer.seal()
    _ = try writer.append(Self.day(20..<25))
    for name in try CommitWriter.segments(script.files) {
      #expect(try Self.encodings(script.files, name) == .packed)
      #expect(try !Self.isOld(script.files, name))
    }
  }

  @Test("A segment begun without it goes on without it, and the next one has it")
  func appended() throws {
    let (files, name, lines) = try Self.old()
    let writer = try Self.open(files)
    _ = try writer.append(Self.day(0..<20))
    #expect(try Self.encodings(files, name) == .first)
    #expect(try Self.isOld(files, name))
    try writer.seal()
    #expect(try Self.isOld(files, name))
    let trailer = try #require(try SegmentScanner(files.open(name, .read)).trailer)
    _ = try writer.append(Self.day(20..<40))
    let next = SegmentName.of(trailer.nextSeq)
    #expect(try Self.encodings(files, next) == .packed)
    #expect(try !Self.isOld(files, next))
    let reading = try LineReading(files)
    #expect(reading.end == .open && reading.bare.isEmpty)
    #expect(reading.seqs.count == lines.count + Self.day(0..<40).count)
    #expect(try LogVerifier.verify(files).end == .open)
  }

  @Test("A writer that opens it again goes on the same way, and names stay told twice")
  func reopened() throws {
    let (files, name, _) = try Self.old()
    for round in 0..<3 {
      let writer = try Self.open(files)
      _ = try writer.append(LogScript.batch(PackScript.lines(round)))
    }
    #expect(try Self.isOld(files, name))
    var scanner = try SegmentScanner(files.open(name, .read))
    var before: CommitNames?
    while let commit = try scanner.next() {
      let bytes = try #require(try scanner.read(.names, of: commit))
      let names = try CommitCoding.decodeNames(bytes)
      let repeated = names.subjects.ordinals.dropFirst(names.introducedCount)
      let known = before?.subjects.ordinals.prefix(before?.introducedCount ?? 0) ?? []
      #expect(Array(repeated) == Array(known))
      before = names
    }
  }

  @Test("An empty segment without it, made anew for a fact, has it")
  func fact() throws {
    let files = MemoryFiles()
    let copy = SegmentHeader(log: Samples.id, firstSeq: 1).encode()
    let file = try files.open(Samples.first, .create)
    try file.write(copy + copy, at: 0)
    let writer = try Self.open(files)
    try writer.keep(LogMetadata(key: "key-path", value: "/order"))
    _ = try writer.append(Self.day(0..<20))
    #expect(try Self.encodings(files, Samples.first) == .packed)
    #expect(try !Self.isOld(files, Samples.first))
    #expect(try LineReading(files).bare.isEmpty)
  }

  @Test("Packing gives it to a segment that had it not, with every row as it was")
  func packed() throws {
    let (files, name, _) = try Self.old()
    let writer = try Self.open(files)
    for number in 0..<40 { _ = try writer.append(LogScript.batch(PackScript.lines(number))) }
    try writer.seal()
    let before = try LineReading(files)
    #expect(try PackScript.pack(files).done.count == 1)
    #expect(try Self.encodings(files, name) == .packed)
    #expect(try !Self.isOld(files, name))
    let after = try LineReading(files)
    #expect(after.seqs == before.seqs)
    #expect(after.lines.mapValues { $0 ?? "" } == before.lines.mapValues { $0 ?? "" })
    #expect(try LogVerifier.verify(files).end == .sealed)
  }

  @Test("A feature this version does not know is refused by name", arguments: 1..<32)
  func unknown(bit: Int) throws {
    var header = SegmentHeader(log: Samples.id, firstSeq: 1)
    header.incompatible = SegmentHeader.packedEncodings | 1 << UInt32(bit)
    let copy = header.encode()
    let files = MemoryFiles(files: [Samples.first: copy + copy])
    let reading = #expect(throws: LogError.self) { try LineReading(files) }
    let writing = #expect(throws: LogError.self) { try Self.open(files) }
    #expect(reading?.code == .newerFormat && writing?.code == .newerFormat)
  }
}

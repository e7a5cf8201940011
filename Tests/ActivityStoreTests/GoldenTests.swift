import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

@Suite("Golden segments")
struct GoldenTests {
  @Test(
    "There are several, sealed and active, of one log and of others, none above 8 KiB",
    arguments: Golden.versions)
  func folder(version: String) throws {
    let all = Golden.all(of: version)
    let names = ["active", "kinds", "rolled-first", "rolled-second", "stored"]
    #expect(all.map(\.name) == (version == "v1" ? names : ["active", "forms"] + names.dropFirst()))
    for golden in all {
      #expect(try golden.layout().isSealed == (golden.name != "active"))
      #expect(golden.bytes.count <= 8 << 10)
      let header = try #require(SegmentHeaders(golden.bytes)).header
      #expect(header.incompatible == (version == "v1" ? 0 : SegmentHeader.packedEncodings))
    }
    let logs = all.compactMap { SegmentHeaders($0.bytes)?.header.log }
    #expect(logs.count == all.count && Set(logs).count == all.count - 1)
  }

  @Test("Each gives exactly the lines it gave when it was written", arguments: Golden.all)
  func lines(golden: Golden) throws {
    let reading = try LineReading(golden.log(golden.bytes))
    #expect(reading.seqs == (0..<Int64(golden.lines.count)).map { golden.firstSeq + $0 })
    #expect(reading.seqs.map { reading.lines[$0] ?? nil } == golden.lines)
    #expect(reading.end == (try golden.layout().isSealed ? .sealed : .open))
    let found = try LogVerifier.verify(golden.log(golden.bytes))
    #expect(found.end == reading.end)
    #expect(found.events == Int64(golden.lines.count))
  }

  @Test("Each reads back from its own lines, restored, as the same lines", arguments: Golden.all)
  func restored(golden: Golden) throws {
    let script = LogScript()
    var reader = LineReader(restoring: true)
    for (number, line) in golden.lines.enumerated() {
      let outcome = reader.read(ArraySlice(Array(line.utf8)), number: number + 1)
      #expect(outcome == .row, "\(line)")
    }
    let writer = try LogWriter(
      CommitWriter.create(in: script.files, id: Samples.id, options: Samples.options()),
      clock: { 1_900_000_000_000_000 })
    _ = try writer.append(reader.finish())
    #expect(try script.lines().lines == golden.lines)
  }

  @Test("The segments of one log read as one log", arguments: Golden.versions)
  func rolled(version: String) throws {
    let parts = Golden.all(of: version).filter { $0.name.hasPrefix("rolled-") }
    let files = MemoryFiles(
      files: Dictionary(
        uniqueKeysWithValues: parts.map { (SegmentName.of($0.firstSeq), $0.bytes) }))
    let reading = try LineReading(files)
    #expect(reading.seqs.map { reading.lines[$0] ?? nil } == parts.flatMap(\.lines))
    #expect(reading.end == .sealed)
    #expect(try LogVerifier.verify(files).end == .sealed)
    let second = try #require(parts.last)
    let header = try #require(SegmentHeaders(second.bytes)).header
    #expect(header.before.count == 4)
  }

  @Test("Among them are all kinds, and blocks of every codec", arguments: Golden.versions)
  func variety(version: String) throws {
    var kinds: Set<EventKind> = []
    var codecs: Set<[BlockCodec]> = []
    for golden in Golden.all(of: version) {
      let files = golden.log(golden.bytes)
      var reader = try LogReader(files)
      while let batch = try reader.next() {
        kinds.formUnion((0..<batch.count).map { batch.kind[$0] })
      }
      for commit in try golden.layout().commits {
        let header = try CommitHeader(unverified: golden.bytes, at: commit.bytes.lowerBound)
        let isStored = header.payloadStored >= header.payloadRaw
        codecs.insert([header.namesCodec, header.skeletonCodec, isStored ? .stored : .lz4])
      }
    }
    #expect(kinds == Set(EventKind.allCases))
    for section in 0..<3 { #expect(codecs.contains { $0[section] == .stored }) }
    for section in 0..<3 { #expect(codecs.contains { $0[section] == .lz4 }) }
  }

  private static let tool = ["/usr/bin/lz4", "/usr/local/bin/lz4", "/opt/homebrew/bin/lz4"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "lz4 -t accepts each, and lz4 -dc prints one JSON object an event",
    .enabled(if: tool != nil, "the lz4 tool is not installed"), arguments: Golden.all)
  func stockTool(golden: Golden) throws {
    let tool = try #require(Self.tool)
    #expect(try Self.run(tool, ["-tq", golden.path]).status == 0)
    let (status, text) = try Self.run(tool, ["-dcq", golden.path])
    #expect(status == 0)
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    #expect(lines.count == golden.lines.count + 1)
    #expect(lines.last?.isEmpty == true)
    for line in lines.dropLast() {
      #expect(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
    }
  }

  private static func run(
    _ tool: String, _ words: [String]
  ) throws -> (status: Int32, output: [UInt8]) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: tool)
    process.arguments = words
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return (process.terminationStatus, bytes)
  }
}

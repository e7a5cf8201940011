import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

@Suite("The format's specification")
struct SpecificationTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/ActivityStore/ActivityStore.docc/FileFormat.md")

  /// The segment of the worked example, as this version writes it.
  static func example() throws -> [UInt8] {
    let files = MemoryFiles()
    let writer = try LogWriter(
      CommitWriter.create(in: files, id: Samples.id, options: Samples.options()),
      clock: { 1_700_000_000_000_000 })
    _ = try writer.append(
      LogScript.batch([
        #"{"event":"update","activity-id":"A1","content-state":{"step":2}}"#,
        #"{"event":"end","activity-id":"A1"}"#,
      ]))
    try writer.seal()
    return files[Samples.first] ?? []
  }

  /// The bytes of the page's worked example.
  private static func bytes(in text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let offset = words.first, offset.count == 4, let place = UInt(offset, radix: 16),
        place == UInt(bytes.count)
      else { continue }
      bytes += words.dropFirst().prefix { $0.count == 2 }.compactMap { UInt8($0, radix: 16) }
    }
    return bytes
  }

  @Test("The chain of the worked example begins and ends with the digests the page gives")
  func chain() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let digests = ["chain origin  ", "chain head    "].map { title in
      text.split(separator: "\n").first { $0.hasPrefix(title) }?.dropFirst(title.count) ?? ""
    }
    let bytes = Self.bytes(in: text)
    let found = try #require(SegmentHeaders(bytes))
    var header = found.header
    header.digest = LogChain.origin(header.log)
    #expect(Self.hex(header.digest) == digests[0])
    let files = MemoryFiles(
      files: [
        Samples.first: header.encode() + header.encode() + bytes.dropFirst(Int(found.end))
      ])
    let chain = try LogChain(files)
    #expect(chain.breaks.isEmpty)
    #expect(Self.hex(chain.head ?? []) == digests[1])
    #expect(try LogVerifier.verify(files).end == .sealed)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("The worked example is a real segment, and reads as the page says")
  func workedExample() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let bytes = Self.bytes(in: text)
    let files = MemoryFiles(files: [Samples.first: bytes])
    var reader = try LogReader(files)
    var rows = RowReader()
    var lines: [String] = []
    while let batch = try reader.next() {
      for row in rows.rows(of: batch) {
        lines.append(String(decoding: LineWriter().line(row) ?? [], as: UTF8.self))
      }
    }
    #expect(reader.end == .sealed)
    #expect(lines.count == 2)
    for line in lines { #expect(text.contains(line)) }
    #expect(try bytes.count == Self.example().count)
  }
}

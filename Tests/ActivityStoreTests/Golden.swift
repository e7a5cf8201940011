import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

/// A segment that was written once, without packed encodings (v1) or with them (v2), and must read
/// the same for ever, with the export made of it then.
struct Golden: Sendable, CustomTestStringConvertible {
  let version: String
  let name: String
  let bytes: [UInt8]
  /// One line an event, as `export` spelled them when the segment was written.
  let lines: [String]

  var testDescription: String { "\(version)/\(name)" }

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Logs/golden")

  static let versions = ["v1", "v2"]

  /// Every golden segment, in the order of their names.
  static let all: [Golden] = versions.flatMap { all(of: $0) }

  static func all(of version: String) -> [Golden] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: version).path(percentEncoded: false))
    return (names ?? []).filter { $0.hasSuffix(".alog") }.sorted()
      .compactMap { try? Golden(version, String($0.dropLast(5))) }
  }

  init(_ version: String, _ name: String) throws {
    self.version = version
    self.name = name
    let folder = Self.folder.appending(path: version)
    bytes = try Array(Data(contentsOf: folder.appending(path: name + ".alog")))
    lines = try String(
      contentsOf: folder.appending(path: name + ".jsonl"), encoding: .utf8
    ).split(separator: "\n").map(String.init)
  }

  var path: String {
    Self.folder.appending(path: "\(version)/\(name).alog").path(percentEncoded: false)
  }

  /// Where the segment's seqs begin, from its header.
  var firstSeq: Int64 { SegmentHeaders(bytes)?.header.firstSeq ?? 0 }

  /// The lines by seq.
  var linesBySeq: [Int64: String] {
    var found: [Int64: String] = [:]
    for (number, line) in lines.enumerated() { found[firstSeq + Int64(number)] = line }
    return found
  }

  /// A log of which the only segment has these bytes.
  func log(_ bytes: [UInt8]) -> MemoryFiles {
    MemoryFiles(files: [SegmentName.of(firstSeq): bytes])
  }

  /// What lies where.
  func layout() throws -> Layout { try Layout(self) }

  struct Layout {
    /// Where the commits begin.
    let start: Int
    /// Each commit's bytes and seqs.
    var commits: [(bytes: Range<Int>, seqs: ClosedRange<Int64>)] = []
    let isSealed: Bool

    fileprivate init(_ golden: Golden) throws {
      let name = SegmentName.of(golden.firstSeq)
      var scanner = try SegmentScanner(golden.log(golden.bytes).open(name, .read))
      start = Int(scanner.start)
      while let commit = try scanner.next() {
        commits.append(
          (
            Int(commit.offset)..<Int(commit.end),
            commit.facts.firstSeq...(commit.facts.nextSeq - 1)
          ))
      }
      isSealed = scanner.isSealed
    }
  }
}

/// What a reader of a whole log delivers, as lines, and how it ends.
struct LineReading {
  var seqs: [Int64] = []
  /// Nil where content or a name of the row is lost.
  var lines: [Int64: String?] = [:]
  let end: LogEnd

  init(_ files: MemoryFiles) throws {
    var reader = try LogReader(files)
    var rows = RowReader()
    let writer = LineWriter()
    while let batch = try reader.next() {
      for row in rows.rows(of: batch) {
        seqs.append(row.seq)
        lines[row.seq] = .some(writer.line(row).map { String(decoding: $0, as: UTF8.self) })
      }
    }
    end = reader.end
  }

  /// Seqs whose row came without a line.
  var bare: Set<Int64> { Set(lines.filter { $0.value == nil }.keys) }
}

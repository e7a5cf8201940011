import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

/// A segment that was written once by version 1 and must read the same for ever, with the export
/// made of it then.
struct Golden: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  /// One line an event, as `export` spelled them when the segment was written.
  let lines: [String]

  var testDescription: String { name }

  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Logs/golden/v1")

  /// Every golden segment, in the order of their names.
  static let all: [Golden] = {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return (names ?? []).filter { $0.hasSuffix(".alog") }.sorted()
      .compactMap { try? Golden(String($0.dropLast(5))) }
  }()

  init(_ name: String) throws {
    self.name = name
    bytes = try Array(Data(contentsOf: Self.folder.appending(path: name + ".alog")))
    lines = try String(
      contentsOf: Self.folder.appending(path: name + ".jsonl"), encoding: .utf8
    ).split(separator: "\n").map(String.init)
  }

  var path: String { Self.folder.appending(path: name + ".alog").path(percentEncoded: false) }

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

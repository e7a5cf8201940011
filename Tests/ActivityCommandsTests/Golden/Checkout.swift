import ActivityStore
import ActivityTestSupport
import Foundation

/// The checkout's `Logs` folder.
enum Checkout {
  static let logs = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Logs")

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: logs.appending(path: path)))
  }

  static func lines(_ path: String) throws -> [String] {
    String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  static func path(_ name: String) -> String {
    logs.appending(path: name).path(percentEncoded: false)
  }

  static func names(in folder: String) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(atPath: path(folder))
    return (found ?? []).sorted()
  }
}

/// A golden segment, and where its parts lie.
struct GoldenSegment {
  let bytes: [UInt8]
  let header: SegmentHeader
  /// Length of one copy of the header.
  let headerLength: Int
  private(set) var commits: [ScannedCommit] = []
  let trailer: Trailer?

  init(_ name: String) throws {
    bytes = try Checkout.bytes("golden/v1/\(name).alog")
    var scanner = try SegmentScanner(MemoryFiles(files: ["a": bytes]).open("a", .read))
    header = scanner.header
    headerLength = Int(scanner.start) / 2
    trailer = scanner.trailer
    while let commit = try scanner.next() { commits.append(commit) }
  }

  /// A commit's bytes in the file.
  func range(_ commit: Int) -> Range<Int> {
    Int(commits[commit].offset)..<Int(commits[commit].end)
  }

  /// Where a section of a commit lies in the file.
  func range(_ commit: Int, _ section: CommitSection) -> Range<Int> {
    let start = Int(commits[commit].offset)
    let range = commits[commit].header.range(of: section)
    return (start + range.lowerBound)..<(start + range.upperBound)
  }
}

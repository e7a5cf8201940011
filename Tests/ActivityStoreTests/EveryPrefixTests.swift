import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Every prefix of a segment")
struct EveryPrefixTests {
  @Test(
    "gives its whole commits, and says torn unless it ends with one", arguments: [false, true])
  func prefixes(sealed: Bool) throws {
    let bytes = try Samples.segment(sealed: sealed)
    let headers = try #require(SegmentHeaders(bytes))
    let boundaries = try Self.boundaries(of: bytes)
    for length in 0...bytes.count {
      let prefix = Array(bytes.prefix(length))
      guard length >= Int(headers.end) / 2 else {
        #expect(throws: LogError.self) { try Scan(prefix) }
        continue
      }
      let scan = try Scan(prefix)
      let whole = boundaries.filter { $0 <= length }.count
      let expected = Samples.contents().prefix(max(0, whole - 1))
      #expect(scan.parts == Scan(Array(expected), end: .open).parts)
      if sealed, length == bytes.count {
        #expect(scan.end == .sealed)
      } else if boundaries.contains(length) {
        #expect(scan.end == .open)
      } else {
        let tail = try #require(scan.end.tornTail)
        #expect(scan.end == .torn(tail))
        let start = boundaries.last { $0 <= length } ?? Int(headers.end) / 2
        #expect(tail.offset == UInt64(start))
      }
    }
  }

  /// Where commits begin and the last one ends.
  static func boundaries(of bytes: [UInt8]) throws -> [Int] {
    var scanner = try SegmentScanner(MemoryFiles(files: ["a": bytes]).open("a", .read))
    var found = [Int(scanner.start)]
    while let commit = try scanner.next() { found.append(Int(commit.end)) }
    return found
  }
}

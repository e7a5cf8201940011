/// The part of a file last read, so that many small commits cost one read.
package struct FileWindow: Sendable {
  private let file: any LogFile
  private var bytes: [UInt8] = []
  private var start: UInt64 = 0

  package init(_ file: any LogFile) {
    self.file = file
  }

  /// An array that holds the bytes from `offset` at `index`: `count` of them, or as many as lie
  /// before `limit` and the end of the file.
  package mutating func view(
    at offset: UInt64, count: Int, limit: UInt64
  ) throws(LogError) -> (bytes: [UInt8], range: Range<Int>) {
    guard offset < limit else { return (bytes, 0..<0) }
    let wanted = Int(min(UInt64(count), limit - offset))
    if offset < start || offset + UInt64(wanted) > start + UInt64(bytes.count) {
      let length = min(UInt64(max(wanted, Limits.windowBytes)), limit - offset)
      bytes = []
      bytes = try file.read(at: offset, count: Int(length))
      start = offset
    }
    let index = Int(offset - start)
    return (bytes, index..<min(index + wanted, bytes.count))
  }

  /// Forgets what was read, so that the next view comes from the file.
  package mutating func drop() {
    bytes = []
    start = 0
  }
}

import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

/// Readers that were opened before a segment was packed, and go on after it.
@Suite("Readers of a segment that is packed under them")
struct ReplacedReaderTests {
  private let script = LogScript()
  private let before: [String]

  /// One sealed segment, several times as long as what a reader reads at once.
  init() throws {
    let writer = try script.create()
    var seed: UInt64 = 1
    for number in 0..<60 {
      var lines = LogScript.story(number)
      for _ in 0..<5 {
        // Words that do not shrink.
        let noise = (0..<400).map { _ in
          seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return String(seed >> 16, radix: 36)
        }
        lines.append(
          #"{"event":"update","activity-id":"activity-\#(number / 2)","#
            + #""content-state":{"noise":"\#(noise.joined())"}}"#)
      }
      _ = try writer.append(LogScript.batch(lines))
    }
    try writer.seal()
    before = try PackScript.lines(script.files)
    let size = try #require(script.files[Samples.first]).count
    #expect(size > 3 * Limits.windowBytes, "\(size)")
  }

  @Test("A reader that holds the old file open reads it to its end", arguments: [0, 1, 7, 59])
  func held(_ batches: Int) throws {
    var reader = try LogReader(script.files)
    var rows = RowReader()
    var lines: [String] = []
    for _ in 0..<batches {
      lines += PackScript.spell(try #require(try reader.next()), &rows)
    }
    try PackScript.pack(script.files)
    while let batch = try reader.next() { lines += PackScript.spell(batch, &rows) }
    #expect(lines == before)
    #expect(reader.end == .sealed)
  }

  @Test(
    "Where the old bytes go with the name, a reader goes on at the same seq without a word",
    arguments: [1, 2, 13, 30, 48, 59])
  func reopened(_ batches: Int) throws {
    let files = NamedFiles(script.files)
    var reader = try LogReader(files)
    var rows = RowReader()
    var lines: [String] = []
    for _ in 0..<batches {
      lines += PackScript.spell(try #require(try reader.next()), &rows)
    }
    try PackScript.pack(script.files)
    while let batch = try reader.next() { lines += PackScript.spell(batch, &rows) }
    #expect(lines == before)
    #expect(reader.end == .sealed)
    #expect(reader.lastSeq == Int64(before.count))
  }

  @Test("A reader of chosen commits goes on with those of the new file", arguments: [0, 3, 11])
  func selected(_ batches: Int) throws {
    for handle in [1, 14, 27] {
      let script = try ReplacedReaderTests().script
      var selection = LogSelection()
      selection.handles = [.activity("activity-\(handle)"), .activity("activity-29")]
      let text = #""activity-id":"activity-\#(handle)""#
      let expected = before.filter { $0.contains(text) }
      var reader = try LogReader(NamedFiles(script.files), selection)
      var rows = RowReader()
      var lines: [String] = []
      for _ in 0..<batches {
        guard let batch = try reader.next() else { break }
        lines += PackScript.spell(batch, &rows)
      }
      try PackScript.pack(script.files)
      while let batch = try reader.next() { lines += PackScript.spell(batch, &rows) }
      #expect(lines.filter { $0.contains(text) } == expected)
      #expect(reader.end == .sealed)
    }
  }

  @Test("A tail goes on at the same seq", arguments: [1, 20, 45])
  func tail(_ batches: Int) throws {
    var tail = try LogTail(NamedFiles(script.files), from: 1)
    var rows = RowReader()
    var lines: [String] = []
    for _ in 0..<batches {
      lines += PackScript.spell(try #require(try tail.poll()), &rows)
    }
    try PackScript.pack(script.files)
    let writer = try script.open()
    _ = try writer.append(LogScript.batch(LogScript.story(99)))
    while let batch = try tail.poll() { lines += PackScript.spell(batch, &rows) }
    #expect(Array(lines.prefix(before.count)) == before)
    #expect(lines.count == before.count + 4)
    #expect(tail.damage.isEmpty)
  }

  @Test("Damage is still damage: a name that stands for the same segment is no way out")
  func damaged() throws {
    var bytes = try #require(script.files[Samples.first])
    bytes[bytes.count / 2] ^= 1
    script.files.put(Samples.first, bytes)
    var reader = try LogReader(NamedFiles(script.files))
    while try reader.next() != nil {}
    #expect(reader.end.damage.count == 1)
  }
}

/// A directory whose files are found by name at every read, as where the system does not keep a
/// file for who has it open.
private struct NamedFiles: LogFiles {
  let files: MemoryFiles
  var path: String { files.path }

  init(_ files: MemoryFiles) { self.files = files }

  func list() throws(LogError) -> [String] { try files.list() }
  func makeDirectory() throws(LogError) {}
  func rename(_ name: String, to other: String) throws(LogError) {
    try files.rename(name, to: other)
  }
  func remove(_ name: String) throws(LogError) { try files.remove(name) }
  func syncDirectory() throws(LogError) { try files.syncDirectory() }
  func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile {
    name == WriterLock.fileName
      ? try files.open(name, mode) : NamedFile(files, try files.open(name, mode).name)
  }
}

private final class NamedFile: LogFile {
  private let files: MemoryFiles
  let name: String

  init(_ files: MemoryFiles, _ name: String) {
    self.files = files
    self.name = name
  }

  private var file: any LogFile {
    get throws(LogError) { try files.open(name, .readWrite) }
  }
  func size() throws(LogError) -> UInt64 { try file.size() }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    try file.read(at: offset, count: count)
  }
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try file.write(bytes, at: offset)
  }
  func sync() throws(LogError) { try file.sync() }
  func truncate(to size: UInt64) throws(LogError) { try file.truncate(to: size) }
  func tryLock() throws(LogError) -> Bool { try file.tryLock() }
}

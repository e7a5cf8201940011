import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

@Suite("Decoding ahead")
struct DecodeAheadTests {
  @Test("Batches come in order, each once, and the source comes back at its end")
  func order() throws {
    let ahead = DecodeAhead<Int, Int>(0) { source in
      guard source < 500 else { return .success(nil) }
      source += 1
      return .success(source)
    }
    var taken: [Int] = []
    while let batch = try ahead.next() { taken.append(batch) }
    #expect(taken == Array(1...500))
    #expect(ahead.source == 500)
    #expect(try ahead.next() == nil)
  }

  @Test("An error comes behind the batches before it")
  func failure() throws {
    let error = LogError(.cannotRead, file: "f", detail: "gone")
    let ahead = DecodeAhead<Int, Int>(0) { source in
      source += 1
      return source < 4 ? .success(source) : .failure(error)
    }
    #expect(try ahead.next() == 1)
    #expect(try ahead.next() == 2)
    #expect(try ahead.next() == 3)
    #expect(throws: LogError.self) { try ahead.next() }
    #expect(try ahead.next() == nil)
    #expect(ahead.source == nil)
  }

  @Test("Whoever stops early leaves nothing waiting", arguments: 1...3)
  func early(depth: Int) throws {
    for _ in 0..<100 {
      let ahead = DecodeAhead<Int, Int>(0, depth: depth) { source in
        source += 1
        return .success(source)
      }
      #expect(try ahead.next() == 1)
    }
  }

  @Test("A log gives the same batches and the same end either way")
  func log() throws {
    let script = LogScript()
    let writer = try script.create()
    for number in 0..<20 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      if number == 9 { try writer.seal() }
    }
    func read(ahead: Bool) throws -> (seqs: [Int64], rows: [Int], end: LogEnd) {
      var (seqs, rows): ([Int64], [Int]) = ([], [])
      let end = try LogReader(script.files).forEach(ahead: ahead) { batch in
        seqs.append(batch.firstSeq)
        rows.append(batch.count)
      }
      return (seqs, rows, end)
    }
    let (one, other) = (try read(ahead: false), try read(ahead: true))
    #expect(one.seqs.count == 20)
    #expect(one.seqs == other.seqs && one.rows == other.rows && one.end == other.end)
  }
}

@Suite("Commits a window rests on")
struct WindowReadingTests {
  @Test("Of the days before, a reader of a window reads headers alone")
  func oldDays() throws {
    #expect(try bytesRead(days: 30) == (try bytesRead(days: 3)))
  }

  /// How many bytes of commits are read for the last day's rows, one segment of ten commits a day.
  private func bytesRead(days: Int) throws -> Int {
    let script = LogScript()
    let writer = try script.create()
    let day: Int64 = 86_400
    for number in 0..<days {
      for part in 0..<10 {
        let at = 1_600_000_000 + Int64(number - days) * day + Int64(part)
        let id = 100 + number - days
        let lines = (0..<20).map { row in
          #"{"event":"update","activity-id":"\#(id)-\#(row)","source":"app","at":\#(at)}"#
        }
        _ = try writer.append(LogScript.batch(lines))
      }
      try writer.seal()
    }
    let watched = WatchedFiles(script.files)
    var selection = LogSelection.columns
    selection.atNoEarlierThan = (1_600_000_000 - day) * 1_000_000
    var reader = try LogReader(watched, selection)
    var commits = 0
    while try reader.next() != nil { commits += 1 }
    #expect(commits == 10)
    return watched.bytes
  }

  @Test("Payloads of single rows are read without their columns, and are what the rows say")
  func payloads() throws {
    let script = LogScript()
    let writer = try script.create()
    for number in 0..<12 {
      _ = try writer.append(LogScript.batch(LogScript.story(number)))
      if number % 5 == 4 { try writer.seal() }
    }
    var selection = LogSelection()
    selection.holding = [1, 22, 46]
    var reader = try LogReader(script.files, selection)
    var found: [Int64: String] = [:]
    while let commit = try reader.nextPayload() {
      guard case .lines(let bytes) = commit.payload else { continue }
      let rows = [1, 22, 46].filter { $0 >= commit.firstSeq && $0 < commit.firstSeq + 4 }
      let places = PayloadLines.ranges(of: rows.map { Int($0 - commit.firstSeq) }, in: bytes)
      for (seq, place) in zip(rows, places) {
        found[seq] = place.map { String(decoding: bytes[$0], as: UTF8.self) }
      }
    }
    #expect(reader.end == .open)
    #expect(found.count == 3)
    #expect(found[1]?.contains(#""attributes":{"n":0}"#) == true)
    #expect(found[22]?.contains(#""content-state":{"step":2}"#) == true)
    #expect(found[46]?.contains(#""content-state":{"step":2}"#) == true)
  }
}

/// Files that count what is read of segments besides their headers. Unchecked: one thread reads.
private final class WatchedFiles: LogFiles, @unchecked Sendable {
  private let files: MemoryFiles
  fileprivate(set) var bytes = 0

  init(_ files: MemoryFiles) { self.files = files }

  var path: String { files.path }
  func list() throws(LogError) -> [String] { try files.list() }
  func makeDirectory() throws(LogError) { try files.makeDirectory() }
  func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile {
    WatchedFile(try files.open(name, mode), self)
  }
  func rename(_ name: String, to other: String) throws(LogError) {
    try files.rename(name, to: other)
  }
  func remove(_ name: String) throws(LogError) { try files.remove(name) }
  func syncDirectory() throws(LogError) { try files.syncDirectory() }
}

private final class WatchedFile: LogFile, @unchecked Sendable {
  private let file: any LogFile
  private let watch: WatchedFiles

  init(_ file: any LogFile, _ watch: WatchedFiles) {
    self.file = file
    self.watch = watch
  }

  var name: String { file.name }
  func size() throws(LogError) -> UInt64 { try file.size() }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    let bytes = try file.read(at: offset, count: count)
    if offset > 0 { watch.bytes += bytes.count }
    return bytes
  }
  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    try file.write(bytes, at: offset)
  }
  func sync() throws(LogError) { try file.sync() }
  func truncate(to size: UInt64) throws(LogError) { try file.truncate(to: size) }
  func tryLock() throws(LogError) -> Bool { try file.tryLock() }
}

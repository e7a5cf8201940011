import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

@Suite("The id of an event")
struct RepeatedIDTests {
  private let script = LogScript()
  private let line = #"{"event":"start","activity-id":"A","id":"e1","attributes":{"n":1.0}}"#

  @Test("A repeat with equal content is a success under the seq it has, also after reopening")
  func repeated() throws {
    do {
      let writer = try script.create()
      let first = try writer.append(
        LogScript.batch([#"{"event":"end","activity-id":"B"}"#, line]))
      #expect(first.rows == [.appended(1), .appended(2)])
      #expect(try writer.append(LogScript.batch([line])).rows == [.repeated(2)])
      try writer.seal()
    }
    let writer = try script.open()
    let at = #"{"at":"2024-01-01T00:00:00Z","# + line.dropFirst()
    let again = try writer.append(
      LogScript.batch([at, #"{"event":"end","activity-id":"A","id":"e2"}"#]))
    #expect(again.rows == [.repeated(2), .appended(3)])
    #expect(try script.lines().lines.count == 3)
  }

  @Test("A repeat with other content is refused and told which seq has the id")
  func conflict() throws {
    let writer = try script.create()
    _ = try writer.append(LogScript.batch([line]))
    let other = #"{"event":"start","activity-id":"A","id":"e1","attributes":{"n":1}}"#
    let receipt = try writer.append(
      LogScript.batch([other, #"{"event":"end","activity-id":"A"}"#]))
    #expect(receipt.rows == [.conflict(1), .appended(2)])
    #expect(receipt.conflicts == 1)
    #expect(try script.lines().lines.count == 2)
  }

  @Test("One batch with the same id twice is not guessed about")
  func twice() throws {
    let writer = try script.create()
    #expect(throws: LogError.self) { try writer.append(LogScript.batch([line, line])) }
    #expect(writer.nextSeq == 1)
  }

  @Test("An id that the log has may stand in a batch as often as it likes")
  func oftenInOneBatch() throws {
    let writer = try script.create()
    _ = try writer.append(LogScript.batch([line]))
    let other = #"{"event":"start","activity-id":"A","id":"e1"}"#
    let receipt = try writer.append(LogScript.batch([line, other, line]))
    #expect(receipt.rows == [.repeated(1), .conflict(1), .repeated(1)])
  }

  /// A line whose handles were introduced by earlier commits of its segment, or by its own.
  private func numbered(_ number: Int, note: Int = 0) -> String {
    let token = "sha256:" + String(repeating: "0", count: 28) + "\(1_000 + number % 7)"
    return #"{"event":"update","activity-id":"A-\#(number / 3)","token":"\#(token)","#
      + #""key":"K-\#(number % 5)","id":"e\#(number)","#
      + #""content-state":{"n":\#(number),"note":\#(note)}}"#
  }

  @Test(
    "Repeats from any commit of any segment are known in any order, and other content is not",
    arguments: [1, 3, 50])
  func manyCommits(rows: Int) throws {
    let count = 300
    let writer = try script.create()
    for start in stride(from: 0, to: count, by: rows) {
      let range = start..<min(start + rows, count)
      _ = try writer.append(LogScript.batch(range.map { numbered($0) }))
      if start < 100, start + rows >= 100 { try writer.seal() }
    }
    let ascending = Array(0..<count)
    let orders = [ascending, ascending.reversed(), ascending.map { $0 * 77 % count }]
    for order in orders {
      for part in stride(from: 0, to: count, by: 40) {
        let numbers = order[part..<min(part + 40, count)]
        let lines = numbers.map { numbered($0, note: $0 % 10 == 9 ? 1 : 0) }
        let fates = try writer.append(LogScript.batch(lines)).rows
        for (number, fate) in zip(numbers, fates) {
          let seq = Int64(number + 1)
          #expect(fate == (number % 10 == 9 ? .conflict(seq) : .repeated(seq)))
        }
      }
    }
    #expect(writer.nextSeq == Int64(count + 1))
  }

  @Test("Repeats in the log's order open the log to read once for thousands of rows")
  func openings() throws {
    let files = CountingFiles(script.files)
    let writer = try LogWriter(
      CommitWriter.create(in: files, id: Samples.id, options: Samples.options()),
      clock: script.clock.now)
    let lines = (0..<600).map { numbered($0) }
    for line in lines { _ = try writer.append(LogScript.batch([line])) }
    let before = files.openings
    for line in lines { #expect(try writer.append(LogScript.batch([line])).repeated == 1) }
    // The segment is opened for its headers and for its commits.
    #expect(files.openings == before + 2)
    // What was appended since is found too, by looking once more.
    _ = try writer.append(LogScript.batch([numbered(600)]))
    #expect(try writer.append(LogScript.batch([numbered(600)])).rows == [.repeated(601)])
    #expect(files.openings == before + 4)
    // Two pieces that take turns keep both their places.
    for number in 0..<50 {
      let pair = LogScript.batch([numbered(number), numbered(600)])
      #expect(try writer.append(pair).repeated == 2)
    }
    #expect(files.openings == before + 4)
  }

  @Test("Repeats of five pieces of the log in turn read each piece once")
  func turns() throws {
    let files = CountingFiles(script.files)
    let writer = try LogWriter(
      CommitWriter.create(in: files, id: Samples.id, options: Samples.options()),
      clock: script.clock.now)
    let (pieces, rows) = (5, 4_096)
    for piece in 0..<pieces {
      let numbers = (piece * rows)..<((piece + 1) * rows)
      _ = try writer.append(LogScript.batch(numbers.map { numbered($0) }))
    }
    let turns = (0..<40).flatMap { row in (0..<pieces).map { $0 * rows + row } }
    let before = files.openings
    let fates = try writer.append(LogScript.batch(turns.map { numbered($0) })).rows
    #expect(fates == turns.map { .repeated(Int64($0 + 1)) })
    #expect(files.openings == before + 2 * pieces)
  }

  @Test("No more than 8 MiB of content is kept for comparing, and one commit")
  func large() throws {
    let files = CountingFiles(script.files)
    let writer = try LogWriter(
      CommitWriter.create(in: files, id: Samples.id, options: Samples.options()),
      clock: script.clock.now)
    let filler = String(repeating: "x", count: 3 << 20)
    let lines = (0..<6).map { #"{"event":"end","key":"K","id":"e\#($0)","note":"\#(filler)"}"# }
    for line in lines { _ = try writer.append(LogScript.batch([line])) }
    let before = files.openings
    for line in lines { #expect(try writer.append(LogScript.batch([line])).repeated == 1) }
    // Three commits reach 8 MiB; the other three are read when they are wanted.
    #expect(files.openings == before + 4)
  }

  @Test("The keyed hash is SipHash-2-4 with 128 bits")
  func siphash() {
    // The reference implementation's first vectors: key 00…0f, messages of 0 and 1 bytes.
    let key = LogID(high: 0x0F0E_0D0C_0B0A_0908, low: 0x0706_0504_0302_0100)
    #expect(KeyedHashProbe.hex([], key) == "a3817f04ba25a8e66df67214c7550293")
    #expect(KeyedHashProbe.hex([0], key) == "da87c1d86b99af44347659119b22fc45")
  }
}

/// Files that count how often one is opened to read.
private final class CountingFiles: LogFiles {
  private let files: MemoryFiles
  private let counter = ReadCounter()

  init(_ files: MemoryFiles) { self.files = files }

  var openings: Int { counter.value }
  var path: String { files.path }

  func list() throws(LogError) -> [String] { try files.list() }
  func makeDirectory() throws(LogError) { try files.makeDirectory() }
  func rename(_ name: String, to other: String) throws(LogError) {
    try files.rename(name, to: other)
  }
  func remove(_ name: String) throws(LogError) { try files.remove(name) }
  func syncDirectory() throws(LogError) { try files.syncDirectory() }

  func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile {
    if mode == .read, name.hasSuffix(".alog") { counter.add() }
    return try files.open(name, mode)
  }
}

/// Unchecked: the lock guards the count.
private final class ReadCounter: @unchecked Sendable {
  private let guardian = NSLock()
  private var count = 0

  var value: Int { guardian.withLock { count } }
  func add() { guardian.withLock { count += 1 } }
}

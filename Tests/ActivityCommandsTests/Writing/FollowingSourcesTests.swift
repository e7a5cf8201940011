import ActivityCommands
import ActivityCore
import ActivityStore
import Foundation
import Testing

/// `ingest -f` whose pauses are moments at which a test does something to the files.
final class Following {
  let bench: Workbench
  private var moments: [() throws -> Void] = []
  private var failure: (any Error)?
  /// Whether the system tells of changes; then a moment comes when nothing is left to do.
  var isTold = false
  /// How long each wait for a change was to last at most, in microseconds; nil for ever.
  private(set) var waits: [Int64?] = []
  /// Pauses of some length.
  private(set) var pauses = 0

  init() throws { bench = try Workbench() }

  /// What happens at the next pause.
  func then(_ moment: @escaping () throws -> Void) { moments.append(moment) }

  /// Follows until all moments are over; the clock goes on by 100 ms a pause.
  func run(_ words: String...) throws -> Outcome {
    let clock = Clock()
    var environment = Environment(now: .still)
    environment.now = { clock.now }
    environment.pause = { [self] span in
      guard span.microseconds > 0 else { return true }
      pauses += 1
      clock.advance()
      return isTold || next()
    }
    if isTold {
      environment.watch = { [self] _ in
        { [self] span in
          waits.append(span?.microseconds)
          clock.advance()
          return next()
        }
      }
    }
    let (out, err) = (MemorySink(), MemorySink())
    let status = Program.run(
      words.map { $0.hasPrefix("@") ? bench.path(String($0.dropFirst())) : $0 },
      Console(out: out, err: err, environment), environment)
    if let failure { throw failure }
    let folder = bench.path("")
    return Outcome(
      status: status, out: out.lines,
      err: err.lines.map { $0.replacingOccurrences(of: folder, with: "") })
  }

  private func next() -> Bool {
    guard !moments.isEmpty, failure == nil else { return false }
    do { try moments.removeFirst()() } catch { failure = error }
    return true
  }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: bench.path(name), toPath: bench.path(other))
  }

  /// Writes into the file that is there, as its writer does: it stays the same file.
  func add(_ name: String, _ text: String) throws {
    let handle = try FileHandle(forWritingTo: bench.folder.appending(path: name))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  func cut(_ name: String) throws {
    let handle = try FileHandle(forWritingTo: bench.folder.appending(path: name))
    try handle.truncate(atOffset: 0)
    try handle.close()
  }

  func copy(_ name: String, to other: String) throws {
    try bench.write(other, try bench.read(name))
  }
}

/// Unchecked: one thread uses it.
private final class Clock: @unchecked Sendable {
  private(set) var now = Timestamp.still
  func advance() { now = now + Timestamp.Span(microseconds: 100_000) }
}

@Suite("ingest -f")
struct FollowingSourcesTests {
  private let following: Following
  private var bench: Workbench { following.bench }

  init() throws { following = try Following() }

  private func lines(_ range: ClosedRange<Int>) -> String {
    range.map { #"{"event":"update","key":"K","n":\#($0)}"# + "\n" }.joined()
  }

  private func numbers(_ log: String = "log") -> [Int] {
    bench.export(log).compactMap { line in
      line.range(of: #""n":"#).flatMap { Int(line[$0.upperBound...].dropLast()) }
    }
  }

  @Test("What is written is taken; half a record stays for the next run, and nothing comes twice")
  func growing() throws {
    try bench.write("push", lines(1...2))
    following.then { [following, lines] in try following.add("push", lines(3...3) + #"{"event""#) }
    following.then { [following] in try following.add("push", #":"update","key":"K","#) }
    let run = try following.run("ingest", "@log", "@push", "-f")
    #expect(run.status == .fine)
    #expect(says(run.err, "log: recorded 3 events (seq 1 to 3), refused 0"))
    #expect(numbers() == [1, 2, 3])
    try following.add("push", #""n":4}"# + "\n")
    _ = try following.run("ingest", "@log", "@push", "-f")
    #expect(numbers() == [1, 2, 3, 4])
  }

  @Test("Told of changes, it sleeps for ever while nothing waits, and by the clock while rows do")
  func told() throws {
    try bench.write("push", lines(1...1))
    following.isTold = true
    following.then { [following, lines] in try following.add("push", lines(2...2)) }
    following.then { [following, lines, bench] in
      try following.move("push", to: "push.1")
      try bench.write("push", lines(3...3))
    }
    following.then {}
    _ = try following.run("ingest", "@log", "@push", "-f", "--commit-every", "500ms")
    #expect(numbers() == [1, 2, 3])
    // A file that was renamed away is looked after once a second.
    #expect(following.waits == [nil, nil, 1_000_000, 1_000_000])
    #expect((1...9).contains(following.pauses))
  }

  @Test("Records are durable after --commit-every at the latest, and not much before")
  func commits() throws {
    try bench.write("push", lines(1...1))
    var seen: [Int] = []
    for number in 2...9 {
      following.then { [following, lines, numbers] in
        seen.append(numbers("log").count)
        try following.add("push", lines(number...number))
      }
    }
    _ = try following.run("ingest", "@log", "@push", "-f", "--commit-every", "500ms")
    #expect(seen == [1, 1, 1, 1, 5, 5, 5, 5])
    #expect(numbers() == Array(1...9))
  }

  @Test("A file that is renamed is read to its end, and the one that takes its place from its own")
  func renamed() throws {
    try bench.write("push", lines(1...2))
    following.then { [following, lines, bench] in
      try following.add("push", lines(3...3))
      try following.move("push", to: "push.1")
      try following.add("push.1", lines(4...4))
      try bench.write("push", lines(10...11))
    }
    // Its writer has it still open for a moment.
    following.then { [following, lines] in
      try following.add("push.1", lines(5...5))
      try following.add("push", lines(12...12))
    }
    following.then {}
    let run = try following.run("ingest", "@log", "@push", "@push.1.gz", "-f")
    #expect(run.status == .couldNotRun, "a file that is not there is said at the start")
    let taken = try following.run("ingest", "@log", "@push", "-f")
    #expect(taken.status == .fine)
    #expect(numbers() == [1, 2, 3, 4, 10, 11, 5, 12])
    try bench.write("push.1.gz", gzip(try bench.read("push.1")))
    for name in ["push", "push.1", "push.1.gz"] {
      #expect(says(bench.run("ingest", "@log", "@\(name)").err, "\(name): nothing new"))
    }
  }

  @Test("A file that is copied and cut goes on, also when both names are followed")
  func copiedAndCut() throws {
    for names in [["push"], ["push", "old"], ["old", "push"]] {
      let following = try Following()
      try following.bench.write("push", lines(1...3))
      try following.bench.write("old", #"{"event":"update","key":"O"}"# + "\n")
      following.then { [lines] in
        try following.add("push", lines(4...4))
        try following.copy("push", to: "old")
        try following.cut("push")
        try following.add("push", lines(5...5))
      }
      following.then { [lines] in try following.add("push", lines(6...6)) }
      following.then {}
      let words = names.map { "@\($0)" }
      let run =
        try names.count == 1
        ? following.run("ingest", "@log", words[0], "-f")
        : following.run("ingest", "@log", words[0], words[1], "-f")
      #expect(says(run.err, "push: it was cut by its writer"))
      following.bench.run("ingest", "@log", "@old")
      let numbers = following.bench.export("log").compactMap { line in
        line.range(of: #""n":"#).flatMap { Int(line[$0.upperBound...].dropLast()) }
      }
      #expect(numbers.sorted() == Array(1...6), "\(names)")
    }
  }

  @Test("A file that is cut and grows past its old length is told by what it has there")
  func cutAndLonger() throws {
    try bench.write("push", lines(1...2))
    following.then { [following, lines] in
      try following.cut("push")
      try following.add("push", lines(11...19))
    }
    let run = try following.run("ingest", "@log", "@push", "-f")
    #expect(says(run.err, "push: it was cut by its writer"))
    #expect(numbers() == [1, 2] + Array(11...19))
  }

  @Test("A path may lead nowhere for a while")
  func gone() throws {
    try bench.write("push", lines(1...1))
    following.then { [following] in try following.move("push", to: "push.1") }
    following.then { [following, lines] in try following.add("push.1", lines(2...2)) }
    following.then { [bench, lines] in try bench.write("push", lines(3...3)) }
    following.then {}
    _ = try following.run("ingest", "@log", "@push", "-f")
    #expect(numbers() == [1, 2, 3])
  }

  @Test("Several files are followed at once, and a packed one is taken whole")
  func several() throws {
    try bench.write("a", lines(1...1))
    try bench.write("b", lines(2...2))
    try bench.write("c.gz", gzip(Array(lines(3...4).dropLast().utf8)))
    following.then { [following, lines] in
      try following.add("b", lines(5...5))
      try following.add("a", lines(6...6))
    }
    _ = try following.run("ingest", "@log", "@a", "@b", "@c.gz", "-f")
    #expect(numbers().sorted() == [1, 2, 3, 4, 5, 6])
    let again = bench.run("ingest", "@log", "@a", "@b", "@c.gz")
    #expect(says(again.err, "recorded 0 events"))
  }

  @Test("A file that is empty at first is recognised when something is in it")
  func emptyAtFirst() throws {
    try bench.write("push", "")
    following.then { [following] in try following.add("push", #"{"event":"upd"#) }
    following.then { [following] in try following.add("push", #"ate","key":"K","n":1}"# + "\n") }
    following.then {}
    let run = try following.run("ingest", "@log", "@push", "-f")
    #expect(run.status == .fine)
    #expect(numbers() == [1])
  }

  @Test("Standard input, and a wait without -f, are refused")
  func refused() throws {
    try bench.write("push", "")
    for words in [["-", "-f"], ["@push", "--commit-every", "1s"]] {
      let run = bench.run(["ingest", "@log"] + words, input: [])
      #expect(run.status == .couldNotRun)
      #expect(!FileManager.default.fileExists(atPath: bench.path("log")))
    }
  }
}

import ActivityCommands
import Foundation
import Testing

@Suite("verify beside a writer", .serialized)
struct VerifyBesideTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  @Test("200 times while thousands of events come and segments end, it never cries damage")
  func beside() throws {
    let program = try bench.program
    try bench.appendElsewhere("log", [#"{"event":"end","key":"first"}"#])
    let work = Work()
    let path = bench.path("log")
    let writer = Thread { work.finish(with: Result { try write(program, path, until: work) }) }
    writer.start()
    var seen: Set<String> = []
    var runs = 0
    while runs < 200, !work.isOver {
      work.permit(16)
      // Every tenth as a process of its own, as a person would run it.
      if runs % 10 == 0 {
        let child = try bench.spawn("verify", "@log")
        let lines = try child.lines(2)
        #expect(child.wait() == 0, "\(lines)")
        #expect(lines[0].contains(": verified to seq "), "\(lines)")
      }
      let run = bench.run("verify", "@log")
      #expect(run.status == .fine, "\(run.out)")
      #expect(run.err == [])
      #expect(run.out.count == 2, "\(run.out)")
      #expect(run.out.first?.hasPrefix("log: verified to seq ") == true, "\(run.out)")
      seen.insert(run.out.first ?? "")
      runs += 1
    }
    work.stop()
    let written = try work.result()
    #expect(runs >= 200 && written >= 3_000)
    #expect(seen.count > 100, "it was beside a writer, not behind one")
    #expect(try bench.segments("log").count > 3)
    #expect(bench.export("log").count == written + 1)
  }
}

/// What a writing thread and the test tell each other. Unchecked: the condition guards it all.
private final class Work: @unchecked Sendable {
  private let condition = NSCondition()
  private var count = 0
  private var permitted = 0
  private var isAsked = false
  private var outcome: Result<Void, any Error>?

  var written: Int { condition.withLock { count } }
  var isOver: Bool { condition.withLock { outcome != nil } }
  func stop() { change { isAsked = true } }
  /// Lets the writer go on, so that it is neither done early nor far ahead.
  func permit(_ events: Int) { change { permitted += events } }
  func add(_ events: Int) { change { count += events } }

  /// Waits until more may be written; false when no more is wanted.
  func mayWrite() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while !isAsked, count >= permitted { condition.wait() }
    return !isAsked
  }

  private func change(_ body: () -> Void) {
    condition.lock()
    defer { condition.unlock() }
    body()
    condition.broadcast()
  }

  func finish(with result: Result<Void, any Error>) {
    change { outcome = result }
  }

  /// Waits for the writer; how many events it wrote.
  func result() throws -> Int {
    condition.lock()
    defer { condition.unlock() }
    while outcome == nil { condition.wait() }
    try outcome?.get()
    return count
  }
}

/// Writers one after another, each of several hundred events in bursts, with a seal between.
private func write(_ program: URL, _ log: String, until work: Work) throws {
  while work.mayWrite() {
    let writer = try Spawned(program, ["append", log, "-"])
    for burst in 0..<40 {
      guard work.mayWrite() else { break }
      let size = 1 + burst % 23
      let lines = (0..<size).map {
        #"{"event":"update","activity-id":"B\#(burst)-\#($0)","content-state":{"n":\#($0)}}"# + "\n"
      }
      try writer.feed(lines.joined())
      _ = try writer.lines(size)
      work.add(size)
    }
    writer.endInput()
    guard writer.wait() == 0 else { throw Spawned.Stopped(said: writer.errorText()) }
    let seal = try Spawned(program, ["seal", log])
    _ = try seal.lines(1)
    guard seal.wait() == 0 else { throw Spawned.Stopped(said: seal.errorText()) }
  }
}

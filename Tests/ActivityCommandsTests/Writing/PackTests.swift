import ActivityCommands
import ActivityCore
import ActivityStore
import Foundation
import Testing

@Suite("pack")
struct PackTests {
  private let bench: Workbench
  private let segment = "log/\(SegmentName.of(1))"

  /// A sealed segment of 40 commits, and an active one of two events.
  init() throws {
    bench = try Workbench()
    for number in 0..<40 {
      bench.run(
        "append", "@log", "event=update", "activity-id=A\(number % 7)", "recorder=push",
        "content-state:={\"n\":\(number)}")
    }
    bench.run("seal", "@log")
    bench.run("append", "@log", "event=end", "activity-id=A1", "recorder=push")
    bench.run("append", "@log", "event=start", "activity-id=B", "recorder=phone")
  }

  private func head() throws -> String {
    let line = try #require(bench.run("info", "@log").out.first { $0.hasPrefix("head ") })
    return String(try #require(line.split(separator: " ").dropFirst().first))
  }

  @Test("It packs what is sealed, says what it came to, and every command shows the same")
  func packs() throws {
    let commands = [
      ["export", "@log"], ["state", "@log", "--all", "--utc"], ["audit", "@log", "--utc"],
      ["tail", "@log", "-n", "all", "--utc"], ["show", "@log", "A1", "--utc"],
      ["replay", "@log", "--speed", "max", "--utc"],
    ]
    let before = commands.map { bench.run($0, input: []).out }
    let size = try bench.read(segment).count
    let run = bench.run("pack", "@log")
    let packed = try bench.read(segment).count
    #expect(run.status == .fine)
    #expect(packed < size / 2)
    #expect(run.out.count == 1)
    #expect(run.out[0].hasPrefix("\(segment): packed, seq 1 to 40, "))
    #expect(run.err.count == 1)
    #expect(run.err[0].hasPrefix("log: packed 1 segment, 40 events, "))
    #expect(run.err[0].hasSuffix(", 0.0 s"))
    #expect(commands.map { bench.run($0, input: []).out } == before)
    #expect(bench.run("verify", "@log").status == .fine)

    #expect(bench.run("append", "@log", "event=end", "activity-id=A2").out == ["43"])
    #expect(Array(bench.export("log").prefix(42)) == before[0])
  }

  @Test("A second time there is nothing to do; an active segment alone is to be sealed first")
  func nothing() throws {
    bench.run("pack", "@log")
    let again = bench.run("pack", "@log")
    #expect(again.status == .fine)
    #expect(
      again.out == ["log: nothing to pack: what is not packed yet is in the active segment"])
    #expect(again.err.first?.hasPrefix("try: activitylog seal ") == true)
    bench.run("seal", "@log")
    #expect(says(bench.run("pack", "@log").err, "packed 1 segment, 2 events, "))
    let last = bench.run("pack", "@log")
    #expect(last.out == ["log: nothing to pack: every segment is packed"])
    #expect(last.err.count == 1)
    #expect(says(bench.run("info", "@log").out, " packed"))
  }

  @Test("Info prints the head, and verify says what it covers and what came later")
  func heads() throws {
    #expect(!says(bench.run("info", "@log").out, "head "))
    let unpacked = bench.run("verify", "@log", "--head", String(repeating: "0", count: 64))
    #expect(unpacked.status == .damage)
    #expect(says(unpacked.out, "nothing is packed here"))

    bench.run("pack", "@log")
    let head = try head()
    let bytes = try bench.read(segment)
    #expect(says(bench.run("info", "@log").out, "\(head) covers seq 1 to 40"))
    #expect(
      says(
        bench.run("info", "@log", "-o", "json").out,
        #""head":"\#(head)","head-covers-to":40"#))
    let kept = bench.run("verify", "@log", "--head", head.uppercased())
    #expect(kept.status == .fine)
    #expect(says(kept.out, "head      is in the chain and covers seq 1 to 40; seq 41 to 42 came"))

    bench.run("seal", "@log")
    bench.run("pack", "@log")
    #expect(bench.run("verify", "@log", "--head", head).status == .fine)
    let json = bench.run("verify", "@log", "--head", head, "-o", "json").out.joined()
    #expect(json.contains(#""head-covers-to":42,"chain-holds":true"#))
    #expect(json.contains(#""in-chain":true,"covers-to":40,"later":2"#))
    #expect(bench.run("verify", "@log", "--head", "12").status == .couldNotRun)

    // Another log of the same events has another chain.
    try bench.write("lines", bench.export("log").joined(separator: "\n") + "\n")
    bench.run("ingest", "@copy", "--restore", "@lines")
    bench.run("pack", "@copy")
    let other = bench.run("verify", "@copy", "--head", head)
    #expect(other.status == .damage)
    #expect(says(other.out, "is not in the chain"))
    #expect(try bench.read(segment) == bytes)
  }

  @Test("An earlier segment that was changed is named, and a head behind it no longer holds")
  func tampered() throws {
    let before = try bench.read(segment)
    bench.run("pack", "@log")
    bench.run("seal", "@log")
    bench.run("pack", "@log")
    let head = try head()
    try bench.write(segment, before)
    let run = bench.run("verify", "@log", "--head", head)
    #expect(run.status == .damage)
    #expect(says(run.out, "the chain of packed segments is broken"))
    #expect(says(run.out, "head      is in the chain, which does not hold up to there"))
    #expect(bench.run("export", "@log").status == .fine)
    #expect(bench.run("pack", "@log").status == .damage)
  }

  @Test("A damaged segment is named, stays as it is, and stops the packing")
  func damaged() throws {
    var bytes = try bench.read(segment)
    let place = try #require(bytes.firstRange(of: Array(#"{"n":5}"#.utf8)))
    bytes[place.lowerBound + 5] ^= 1
    try bench.write(segment, bytes)
    bench.run("seal", "@log")
    let run = bench.run("pack", "@log")
    #expect(run.status == .damage)
    #expect(run.out == [])
    #expect(says(run.err, "are damaged (content"))
    #expect(says(run.err, "is not packed, nor what comes behind it"))
    #expect(run.err.last?.hasPrefix("log: packed 0 segments, 0 events, ") == true)
    #expect(try bench.read(segment) == bytes)
    let json = bench.run("pack", "@log", "-o", "json").out.joined()
    #expect(json.contains(#""segments":[],"active-left":false,"damage":[{"file""#))
  }

  @Test("A packing that another one holds up says so")
  func locked() throws {
    let held = try LogPacking(path: bench.path("log"))
    let run = bench.run("pack", "@log", "--wait", "0s")
    #expect(run.status == .couldNotRun)
    #expect(says(run.err, "another process packs or prunes this log"))
    withExtendedLifetime(held) {}
  }

  @Test("A terminal sees how far it is")
  func progress() throws {
    var environment = Environment(now: .still)
    environment.errorIsTerminal = true
    environment.terminalWidth = 300
    let clock = TickingClock()
    environment.now = { clock.now }
    let err = MemorySink()
    let console = Console(out: MemorySink(), err: err, environment)
    #expect(Program.run(["pack", bench.path("log")], console, environment) == .fine)
    #expect(says(err.lines, "segment 1 of 1, "))
  }
}

/// A clock that moves a second whenever it is asked. Unchecked: a lock guards it.
private final class TickingClock: @unchecked Sendable {
  private let guardian = NSLock()
  private var seconds: Int64 = 0

  var now: Timestamp {
    guardian.withLock {
      seconds += 1
      return Timestamp(seconds: 1_795_199_400 + seconds)
    }
  }
}

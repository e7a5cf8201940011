import ActivityCommands
import ActivityCore
import ActivityStore
import Foundation
import Testing

@Suite("Golden segments, through the commands")
struct GoldenStateTests {
  static let names = ["v1", "v2"].flatMap { version in
    Checkout.names(in: "golden/\(version)").filter { $0.hasSuffix(".alog") }
      .map { "\(version)/\($0.dropLast(5))" }
  }

  @Test("There are some of either version")
  func some() { #expect(Self.names.count == 11) }

  @Test("The state at each one's end is what it was when it was written", arguments: names)
  func state(name: String) throws {
    let bench = try Workbench()
    let path = Checkout.path("golden/\(name).alog")
    let run = bench.run("state", path, "--all", "-o", "jsonl")
    #expect(run.status == .fine && run.err == [])
    #expect(run.out == (try Checkout.lines("golden/\(name).state.jsonl")))
  }

  @Test("export gives each one's lines, and a log restored from them gives them again")
  func export() throws {
    for name in Self.names {
      let bench = try Workbench()
      let lines = try Checkout.lines("golden/\(name).jsonl")
      #expect(bench.run("export", Checkout.path("golden/\(name).alog")).out == lines)
      let source = Checkout.path("golden/\(name).jsonl")
      #expect(restore(source, into: bench.path("log")) == .fine)
      #expect(bench.export("log") == lines)
    }
  }

  /// Some day after the goldens were written, wherever the clock of this machine stands.
  private func restore(_ source: String, into log: String) -> ActivityCommands.ExitStatus {
    let environment = Environment(now: Timestamp(seconds: 1_900_000_000))
    let console = Console(out: MemorySink(), err: MemorySink(), environment)
    return Program.run(["ingest", log, source, "--restore"], console, environment)
  }

  @Test("Cut anywhere, a log is verified with status 0; without a header it is none, 2")
  func cut() throws {
    for name in ["active", "rolled-second"] {
      let golden = try GoldenSegment(name)
      let bench = try Workbench()
      try bench.makeFolder("log")
      for length in stride(from: 0, through: golden.bytes.count, by: Self.step) {
        try bench.write("log/\(golden.header.fileName)", Array(golden.bytes.prefix(length)))
        let run = bench.run("verify", "@log")
        let isLog = length >= golden.headerLength
        #expect(run.status == (isLog ? .fine : .couldNotRun), "\(name), \(length) bytes")
        #expect(run.out.count <= 3, "\(name), \(length) bytes: \(run.out)")
      }
    }
  }

  @Test("With a bit flipped anywhere, verify and export end with status 3")
  func flipped() throws {
    for name in ["active", "rolled-second"] {
      let golden = try GoldenSegment(name)
      let bench = try Workbench()
      try bench.makeFolder("log")
      for index in stride(from: 0, to: golden.bytes.count, by: Self.step) {
        var bytes = golden.bytes
        bytes[index] ^= 1 << UInt8(index % 8)
        try bench.write("log/\(golden.header.fileName)", bytes)
        for command in ["verify", "export"] {
          let run = bench.run(command, "@log")
          #expect(run.status == .damage, "\(name), byte \(index): \(command) \(run.err)")
        }
      }
    }
  }

  #if DEBUG
    static let step = 17
  #else
    static let step = 1
  #endif
}

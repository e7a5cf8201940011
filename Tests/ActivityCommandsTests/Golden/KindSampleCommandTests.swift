import ActivityCommands
import ActivityCore
import Foundation
import Testing

@Suite("Samples of every kind, through append and export")
struct KindSampleCommandTests {
  @Test("Each is appended, and exported with every member it had", arguments: EventKind.allCases)
  func appended(kind: EventKind) throws {
    let name = kind == .unknown ? "unknown" : kind.word
    let sample = try Checkout.bytes("kinds/\(name).json")
    let bench = try Workbench()
    let run = bench.run(["append", "@log", "-"], input: sample)
    #expect(run.status == .fine && run.out == ["1"], "\(run.err)")
    let line = try #require(bench.export("log").first)
    let (before, after) = (try members(sample), try members(Array(line.utf8)))
    before.removeObject(forKey: "recorded-at")
    after.removeObjects(forKeys: ["recorded-at", "seq"])
    #expect(before == after)
    #expect(bench.run("verify", "@log").status == .fine)
  }

  private func members(_ bytes: [UInt8]) throws -> NSMutableDictionary {
    let read = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return NSMutableDictionary(dictionary: read ?? [:])
  }
}

import ActivityCommands
import Foundation
import Testing

@Suite("Damaged logs")
struct DamagedLogTests {
  /// Set to write `Logs/damaged` anew, after a message has changed on purpose.
  private static let rewrites =
    ProcessInfo.processInfo.environment["ACTIVITYLOG_REWRITE_DAMAGED"] != nil

  @Test("Each is a golden log with one defect, and has the end that verify says")
  func folder() {
    let ends = Checkout.names(in: "damaged").filter { $0.hasSuffix(".end") }
    let logs = Checkout.names(in: "damaged").filter { !$0.hasSuffix(".end") }
    #expect(logs == Defect.all.map(\.name).sorted())
    #expect(ends.map { String($0.dropLast(4)) }.sorted() == logs)
  }

  @Test("verify says exactly what is wrong, and ends with its status", arguments: Defect.all)
  func end(defect: Defect) throws {
    let files = try defect.files()
    let bench = try Workbench()
    try bench.makeFolder(defect.name)
    for (name, bytes) in files { try bench.write("\(defect.name)/\(name)", bytes) }
    let run = bench.run("verify", "@\(defect.name)")
    let said = run.out + run.err + ["exit \(run.status.rawValue)"]
    if Self.rewrites { try rewrite(defect, files, said) }
    #expect(Checkout.names(in: "damaged/\(defect.name)") == files.keys.sorted())
    for (name, bytes) in files {
      #expect(try Checkout.bytes("damaged/\(defect.name)/\(name)") == bytes, "\(name)")
    }
    #expect(try Checkout.lines("damaged/\(defect.name).end") == said)
  }

  @Test("export gives the rest, unaltered, and never a better status", arguments: Defect.all)
  func rest(defect: Defect) throws {
    let bench = try Workbench()
    try bench.makeFolder(defect.name)
    for (name, bytes) in try defect.files() { try bench.write("\(defect.name)/\(name)", bytes) }
    let whole = try Checkout.names(in: "golden/v1")
      .filter { $0.hasSuffix(".jsonl") && !$0.hasSuffix(".state.jsonl") }
      .map { try Checkout.lines("golden/v1/\($0)") }
    let run = bench.run("export", "@\(defect.name)")
    let isForged = defect.name == "forged-header"
    for line in run.out {
      // The commit that stands behind the forged one is a golden one under another seq.
      let isKnown = whole.contains { $0.contains(line) }
      #expect(isKnown || isForged && line.hasPrefix(#"{"seq":1"#), "\(line)")
    }
    let verified = bench.run("verify", "@\(defect.name)")
    // Indexes and cursors are nothing an export reads.
    let isUnread = ["flipped-cursors"].contains(defect.name)
    if !isUnread { #expect(run.status == verified.status) }
  }

  private func rewrite(_ defect: Defect, _ files: [String: [UInt8]], _ said: [String]) throws {
    let folder = Checkout.logs.appending(path: "damaged/\(defect.name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
    let text = said.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: Checkout.logs.appending(path: "damaged/\(defect.name).end"))
  }
}

extension Workbench {
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: name), withIntermediateDirectories: true)
  }
}

import ActivityCommands
import ActivityCore
import ActivityStore
import Foundation

/// A folder of its own, and the whole program run in it in memory.
final class Workbench {
  let folder: URL
  /// What the wall clock says in every run.
  var now = Timestamp.still

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "activitylog-writing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A path in the folder.
  func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: folder.appending(path: name))
    return path(name)
  }

  func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// Adds to a file that is there.
  func extend(_ name: String, _ text: String) throws {
    try write(name, read(name) + Array(text.utf8))
  }

  /// Runs a command line; words that begin with `@` are paths in the folder. The folder's own path
  /// is cut from what is printed.
  @discardableResult
  func run(_ words: String..., input: String = "") -> Outcome {
    run(words, input: Array(input.utf8))
  }

  func run(_ words: [String], input: [UInt8]) -> Outcome {
    let environment = Environment(now: now, input: input)
    let (out, err) = (MemorySink(), MemorySink())
    let console = Console(out: out, err: err, environment)
    let status = Program.run(
      words.map { $0.hasPrefix("@") ? path(String($0.dropFirst())) : $0 }, console, environment)
    return Outcome(status: status, out: out.lines.map(plain), err: err.lines.map(plain))
  }

  private func plain(_ line: String) -> String {
    line.replacingOccurrences(of: path(""), with: "")
  }

  /// Every event of a log as `export` spells it.
  func export(_ log: String) -> [String] { run("export", "@\(log)").out }
}

extension Timestamp {
  /// 2026-11-20T18:30:00Z.
  static let still = Timestamp(seconds: 1_795_199_400)
}

/// Whether some line says it.
func says(_ lines: [String], _ text: String) -> Bool { lines.contains { $0.contains(text) } }

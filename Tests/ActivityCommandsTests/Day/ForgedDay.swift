import Foundation
import Testing

/// A synthetic day in a log of its own: forge, ingest and audit as the processes people run.
final class ForgedDay {
  /// What a fault or a finding is known by.
  struct Fault: Hashable, Decodable {
    var rule: String
    var name: String
    var type: String?
    var build: String?
    var device: String?

    enum CodingKeys: String, CodingKey {
      case rule, name, build, device
      case type = "attributes-type"
    }

    /// As a failed test prints it.
    var words: String {
      let more = [type, build, device].compactMap(\.self).joined(separator: " ")
      return "\(rule) \(name)\(more.isEmpty ? "" : " (\(more))")"
    }

    /// By rule and name alone.
    var short: Fault { Fault(rule: rule, name: name) }
  }

  private let folder: URL
  private let program: URL
  private(set) var events = 0

  /// Makes the day and takes it into a log; nothing but the log and the truth touches the disk.
  init(_ words: [String]) throws {
    program = try #require(Child.program)
    folder = FileManager.default.temporaryDirectory
      .appending(path: "activitylog-day-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let forge = Process()
    forge.executableURL = program.deletingLastPathComponent().appending(path: "forge")
    forge.arguments = ["day", "--truth", path("truth")] + words
    let ingest = Process()
    ingest.executableURL = program
    ingest.arguments = ["ingest", path("log"), "-"]
    let (lines, said) = (Pipe(), Pipe())
    forge.standardOutput = lines
    ingest.standardInput = lines
    ingest.standardError = said
    try forge.run()
    try ingest.run()
    try lines.fileHandleForWriting.close()
    let report = try said.fileHandleForReading.readToEnd() ?? Data()
    forge.waitUntilExit()
    ingest.waitUntilExit()
    #expect(forge.terminationStatus == 0)
    #expect(ingest.terminationStatus == 0)
    let text = String(decoding: report, as: UTF8.self)
    let count = text.firstMatch(of: /recorded (\d+) events/)?.1
    events = count.flatMap { Int($0) } ?? 0
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  /// What was planted.
  func truth() throws -> [Fault] {
    try faults(try Data(contentsOf: URL(filePath: path("truth"))))
  }

  /// What the audit found; of rules that a report hides only when they are named.
  func findings(of rules: [String] = []) throws -> [Fault] {
    try faults(audit(["-o", "jsonl"] + rules.flatMap { ["--rule", $0] }))
  }

  /// What `audit` prints into a pipe.
  func audit(_ words: [String]) throws -> Data {
    let audit = Process()
    audit.executableURL = program
    audit.arguments = ["audit", path("log")] + words
    let lines = Pipe()
    audit.standardOutput = lines
    audit.standardError = FileHandle.nullDevice
    try audit.run()
    let data = try lines.fileHandleForReading.readToEnd() ?? Data()
    audit.waitUntilExit()
    #expect(audit.terminationStatus == 0)
    return data
  }

  private func faults(_ lines: Data) throws -> [Fault] {
    try lines.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Fault.self, from: $0)
    }
  }
}

import Foundation
import Testing

/// The synthetic day, whole: forge, ingest and audit as the processes people run.
@Suite("A synthetic day", .serialized)
struct DayTests {
  /// What a fault or a finding is known by.
  struct Fault: Hashable, Decodable {
    var rule: String
    var name: String
  }

  @Test("Of 2.4 million events and more, exactly what was planted is found")
  func planted() throws {
    let day = try Day(["--events", "2640000", "--seed", "11"])
    #expect(day.events >= 2_400_000)
    let planted = try day.truth()
    let found = try day.findings()
    #expect(planted.count > 4_000)
    let leaks = { (faults: [Fault]) in Set(faults.filter { $0.rule == "never-ended" }) }
    #expect(leaks(planted).count > 900)
    #expect(leaks(found) == leaks(planted))
    #expect(Set(found) == Set(planted))
    #expect(found.count == planted.count)
  }

  @Test("A clean day gives no finding")
  func clean() throws {
    let day = try Day(["--events", "1000000", "--seed", "12", "--clean"])
    #expect(day.events > 900_000)
    #expect(try day.findings().isEmpty)
  }
}

/// A day in a log of its own.
private final class Day {
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
  func truth() throws -> [DayTests.Fault] {
    try faults(try Data(contentsOf: URL(filePath: path("truth"))))
  }

  /// What the audit found.
  func findings() throws -> [DayTests.Fault] {
    let audit = Process()
    audit.executableURL = program
    audit.arguments = ["audit", path("log"), "-o", "jsonl"]
    let lines = Pipe()
    audit.standardOutput = lines
    try audit.run()
    let data = try lines.fileHandleForReading.readToEnd() ?? Data()
    audit.waitUntilExit()
    #expect(audit.terminationStatus == 0)
    return try faults(data)
  }

  private func faults(_ lines: Data) throws -> [DayTests.Fault] {
    try lines.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(DayTests.Fault.self, from: $0)
    }
  }
}

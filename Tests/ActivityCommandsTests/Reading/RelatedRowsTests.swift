import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

@testable import ActivityCommands

@Suite("One activity, from the rows that belong to it")
struct RelatedRowsTests {
  /// Commits of 40 rows in segments of eight, the last one active.
  @Test(
    "In a day with everything in it, each activity is its line in the state of all",
    arguments: 0..<4)
  func strangeDay(part: Int) throws {
    let lines = try StrangeDayTests.lines.get()
    let bench = try Workbench()
    try RelatedRowsTests.record(lines, rows: 40, restoring: true, at: bench.path("log"))
    let log = try LogAccess(path: bench.path("log"))
    let span = try #require(log.extent).occurred
    let step = (span.upperBound - span.lowerBound) / 5
    var looked = Looked()
    for clock in LogClock.allCases {
      let instant = span.lowerBound + step * Int64(part + 1)
      try looked.compare(bench.path("log"), clock, at: instant, every: 3, from: part)
    }
    #expect(looked.up > 20, "looked up \(looked.up), read everything for \(looked.all)")
  }

  @Test("In every scenario, each activity is its line in the state of all")
  func scenarios() throws {
    var looked = Looked()
    for name in try RelatedRowsTests.scenarios() {
      let bench = try Workbench()
      let path = Checkout.path("scenarios/\(name)/story.jsonl")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init)
      try RelatedRowsTests.record(lines, rows: 3, restoring: false, at: bench.path("log"))
      let log = try LogAccess(path: bench.path("log"))
      let span = try #require(log.extent).occurred
      for instant in [(span.lowerBound + span.upperBound) / 2, span.upperBound] {
        try looked.compare(bench.path("log"), .occurred, at: instant, every: 1, from: 0)
      }
    }
    #expect(looked.up > 100, "looked up \(looked.up), read everything for \(looked.all)")
  }

  @Test("A card that a push start became is found with it, by id, by key and by a beginning")
  func pushStart() throws {
    let bench = try Workbench()
    let token = "sha256:" + String(repeating: "a", count: 32)
    try RelatedRowsTests.record(
      [
        #"{"event":"token","token":"\#(token)","token-kind":"start","device":"phone-1","#
          + #""at":1700000000}"#,
        #"{"event":"start","token":"\#(token)","key":"K-1","attributes-type":"Ride","#
          + #""alert":{"title":"t"},"at":1700000010}"#,
        #"{"event":"state","activity-id":"5E1C-42","state":"active","device":"phone-1","#
          + #""key":"K-1","at":1700000015}"#,
        #"{"event":"update","activity-id":"OTHER-1","source":"app","device":"phone-2","#
          + #""at":1700000016}"#,
      ], rows: 1, restoring: false, at: bench.path("log"))
    for typed in ["5E1C-42", "K-1", "5e1c"] {
      let run = bench.run("state", "@log", typed, "-o", "jsonl")
      #expect(run.status == .fine && run.out.count == 1, "\(typed): \(run.err)")
      #expect(run.out.first?.contains(#""started-at":"2023-11-14T22:13:30.000000Z""#) == true)
    }
  }

  @Test("Where evidence names no device, everything is read")
  func unnamedDevice() throws {
    let bench = try Workbench()
    try RelatedRowsTests.record(
      [
        #"{"event":"start","activity-id":"A-1000","source":"app","recorder":"p","at":1700000000}"#,
        #"{"event":"inventory","recorder":"p","complete":true,"activities":[],"at":1700000900}"#,
      ], rows: 1, restoring: false, at: bench.path("log"))
    let log = try LogAccess(path: bench.path("log"))
    let selection = Selection(clock: .occurred, allUntil: 1_700_001_000_000_000)
    #expect(try log.resolution(of: ActivityMatch(typed: "A-1000"), selection) == nil)
    let run = bench.run("state", "@log", "A-1000", "-o", "jsonl")
    #expect(run.out.first?.contains(#""phase":"ended""#) == true)
  }

  /// Lines as a log of small commits, eight a segment; the last segment stays active.
  static func record(
    _ lines: [String], rows: Int, restoring: Bool, at path: String
  ) throws {
    let writer = try LogWriter.create(path: path, id: LogID(high: 1, low: 2)) {
      4_000_000_000_000_000
    }
    for (number, start) in stride(from: 0, to: lines.count, by: rows).enumerated() {
      if number > 0, number % 8 == 0 { try writer.seal() }
      var reader = LineReader(restoring: restoring)
      for (place, line) in lines[start..<min(start + rows, lines.count)].enumerated() {
        _ = reader.read(Array(line.utf8)[...], number: place + 1)
      }
      _ = try writer.append(reader.finish(), sync: false)
    }
    try writer.sync()
  }

  private static func scenarios() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Checkout.path("scenarios")).filter {
      FileManager.default.fileExists(atPath: Checkout.path("scenarios/\($0)/story.jsonl"))
    }.sorted()
  }
}

/// How often an activity was looked up, and how often everything was read for it.
private struct Looked {
  var up = 0
  var all = 0

  /// Compares what looking up gives with what reading everything gives.
  mutating func compare(
    _ path: String, _ clock: LogClock, at instant: Int64, every step: Int, from first: Int
  ) throws {
    var log = try LogAccess(path: path)
    let from = try log.windowStart(at: instant, lastSeq: .max) { at, recorded in
      (clock == .occurred ? at : recorded) <= instant
    }
    let selection = Selection(clock: clock, until: instant, from: from, lastSeq: .max)
    var projector = Projector(selection)
    try log.forEach(.window(of: selection)) { projector.add($0) }
    let full = projector.resolution()
    let names = full.names.indices.map { full.names[$0].printed(full.set.texts) }
    let keys = Set(Projector.states(full, view: .device, until: instant).compactMap(\.key))
    let typed = Set(names).sorted() + keys.sorted()
    for place in stride(from: first, to: typed.count, by: step) {
      for text in [typed[place], String(typed[place].lowercased().prefix(9))] {
        try compare(ActivityMatch(typed: text), full, selection, log)
      }
    }
  }

  private mutating func compare(
    _ match: ActivityMatch, _ full: Resolution, _ selection: Selection, _ log: LogAccess
  ) throws {
    guard let few = try log.resolution(of: match, selection) else {
      all += 1
      return
    }
    up += 1
    for view in LogView.allCases {
      func states(_ resolution: Resolution) -> Result<[ActivityState], CommandError> {
        do throws(CommandError) {
          let some = try match.activities(in: resolution)
          return .success(
            Projector.states(resolution, view: view, until: selection.until, of: some))
        } catch {
          return .failure(error)
        }
      }
      switch (states(full), states(few)) {
      case (.success(let expected), .success(let found)):
        #expect(found == expected, "\(match.typed) at \(selection.until), \(view.rawValue) view")
      case (.failure(let expected), .failure(let found)):
        #expect(found.message == expected.message)
      case (.success, .failure), (.failure, .success):
        Issue.record("\(match.typed): one finds it, the other does not")
      }
    }
  }
}

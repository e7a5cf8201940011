import Testing

@testable import ActivityCore

@Suite("Runs of lines")
struct LineRunTests: LineSuite {
  /// A batch as text, so that a difference shows.
  private func said(_ columns: EventColumns) -> [String] {
    var said = (0..<columns.count).map { row in
      let members = Member.allCases.map { columns.value($0, row).map { "\($0)" } ?? "" }
      return "\(columns.kind[row]) \(columns.flags[row].rawValue) \(columns.subject[row]) "
        + "\(columns.at[row]) \(columns.recordedAt[row]) " + members.joined(separator: ",")
    }
    said += (0..<columns.texts.count).map { columns.texts.string($0) }
    let subjects = columns.subjects
    said += (0..<subjects.count).map { index in
      "\(subjects.kind[index]) \(subjects.name[index]) \(subjects.environment[index]) "
        + "\(subjects.bundle[index]) \(subjects.device[index])"
    }
    said += columns.inventory.map { "\($0)" } + columns.statedSeq.map { "\($0)" }
    return said + payload(columns)
  }

  /// Lines one by one, and the lines that a run takes together: the same rows, or a failed test.
  private func compare(_ bytes: [UInt8], restoring: Bool = false) -> Int {
    var (together, single) = (
      LineReader(restoring: restoring), LineReader(restoring: restoring)
    )
    var inRuns = 0
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let run = together.readRun(bytes, from: start)
        for _ in 0..<run.rows {
          let end = LineBreaks.next(in: bytes, from: start) ?? bytes.count
          let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
          let outcome = single.readCarefully(line, number: 1)
          #expect(outcome == .row, "\(String(decoding: line, as: UTF8.self))")
          start = end + 1
        }
        #expect(start == run.end)
        inRuns += run.rows
        let end = LineBreaks.next(in: bytes, from: start) ?? bytes.count
        guard start < end else {
          start = end + 1
          continue
        }
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        #expect(together.read(line, number: 1) == single.readCarefully(line, number: 1))
        start = end + 1
      }
    }
    #expect(said(together.finish()) == said(single.finish()))
    return inRuns
  }

  private static let common = [
    #"{"event":"update","at":"2026-11-20T18:04:05.000001Z","activity-id":"A","timestamp":5}"#,
    #"{"event":"end","at":"2026-11-20T18:04:05.5Z","key":"K","content-state":{"a":[1,{"b":0}]}}"#,
    #"{ "event" : "state" , "at" : "2026-11-20T23:59:60Z", "state":"active", "key":"K" }"#,
    #"{"event":"token","token":"sha256:4d2479e3a6f9cde9fff17ecfd89d59de","seq":3,"x":"é\n"}"#,
    #"{"recorded-at":"2026-11-20T18:04:05.000000Z","seq":7,"event":"alert","key":"a longer key"}"#,
    #"{"event":"start","activity-id":"8DF401EA-BB87-4FDA-8E93-2E643C3C8C1F","input-push-token":1}"#,
  ]

  @Test("Common lines are taken in runs, and say what they say one by one")
  func common() {
    let lines = (0..<40).flatMap { _ in Self.common } + LineSamples.everyKind
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    #expect(compare(bytes) > 200)
    #expect(compare(bytes, restoring: true) >= 0)
  }

  @Test("No damage makes a run say anything else", arguments: 0..<60)
  func damaged(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    let pieces = [
      "\"", "\\", "\\u00e9", "null", "0", "-1.5e3", "{", "}", ",", "\r", "\t", "é", "\u{0}",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<60 {
      let all = Self.common + LineSamples.everyKind
      var line = Array(all[below(all.count)].utf8)
      for _ in 0..<below(3) {
        let place = below(line.count)
        switch below(4) {
        case 0: line[place] = UInt8(below(256))
        case 1: line.removeSubrange(place..<min(line.count, place + 1 + below(4)))
        case 2: line.insert(contentsOf: pieces[below(pieces.count)].utf8, at: place)
        default: line.swapAt(place, below(line.count))
        }
        if line.isEmpty { line = [0x7B] }
      }
      bytes += line + [0x0A]
    }
    _ = compare(bytes)
  }

  @Test("A copy of a reader goes its own way")
  func copied() {
    let bytes = Array((Self.common.joined(separator: "\n") + "\n").utf8)
    var first = LineReader()
    #expect(first.read(bytes[..<(bytes.firstIndex(of: 0x0A) ?? 0)], number: 1) == .row)
    var second = first
    #expect(second.read(Array(Self.common[1].utf8)[...], number: 2) == .row)
    #expect(first.finish().count == 1)
    #expect(second.finish().count == 2)
    #expect(first.finish().count == 0)
  }
}

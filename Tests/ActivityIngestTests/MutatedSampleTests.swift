import ActivityCore
import ActivityIngest
import Foundation
import Testing

/// A sample of others, changed here and there as damage and strange programs change files.
struct Mutation {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  private static let pieces: [[UInt8]] = [
    "{", "}", "[", "]", "\"", "\\", "\n", "\r", ",", "null", "1e999", "-", "\\ud800", "\u{202E}",
    "\0",
  ].map { Array($0.utf8) }

  private mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(1, limit)))
  }

  mutating func change(_ bytes: inout [UInt8]) {
    for _ in 0..<(1 + below(30)) where !bytes.isEmpty {
      let place = below(bytes.count)
      switch below(6) {
      case 0: bytes[place] = UInt8(below(256))
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + below(40)))
      case 2: bytes.insert(contentsOf: Self.pieces[below(Self.pieces.count)], at: place)
      case 3: bytes.insert(contentsOf: bytes[max(0, place - 50)..<place], at: place)
      case 4: bytes.swapAt(place, below(bytes.count))
      default: if below(8) == 0 { bytes.removeSubrange((place + 1)...) }
      }
    }
  }
}

@Suite("Damaged sources")
struct MutatedSampleTests {
  /// What was said of each line: of a line of events, its number alone.
  private struct Taken {
    var lines: Set<Int> = []
    var report = IngestReport()
  }

  private func take(_ bytes: [UInt8], _ format: SourceFormat) -> Taken {
    var taken = Taken()
    var ingestion = Ingestion(format)
    func step(_ step: Ingestion.Step) {
      if case .batch(_, _, let lines) = step { taken.lines.formUnion(lines) }
    }
    ingestion.take(bytes[...], step)
    ingestion.finish(step)
    taken.report = ingestion.report
    return taken
  }

  @Test(
    "No damage crashes a dialect, and every line is an event, skipped, refused or blank",
    arguments: ForeignSample.all)
  func counted(sample: ForeignSample) throws {
    let source = try sample.bytes(try #require(sample.given["source"]?.string))
    let told = try sample.format(source)
    for seed in 0..<12 {
      var mutation = Mutation(seed: seed)
      var bytes = source
      mutation.change(&bytes)
      let formats = [told, Recognition(bytes, settings: told.settings)?.format].compactMap { $0 }
      for format in formats {
        let taken = take(bytes, format)
        let report = taken.report
        #expect(report.bytes == bytes.count)
        guard format.framing == .text || format.framing == .lines else { continue }
        let said = taken.lines.count + report.skipped + report.refusedCount + report.blank
        #expect(said >= report.lines, "\(format.dialect.name), seed \(seed)")
      }
    }
  }

  @Test("Bytes of no form give no events in any dialect, and no crash")
  func noise() {
    for seed in 0..<20 {
      var mutation = Mutation(seed: seed)
      var bytes = [UInt8](repeating: UInt8(seed * 13 % 256), count: 400)
      for _ in 0..<20 { mutation.change(&bytes) }
      #expect(Recognition(bytes, settings: .init())?.recognised ?? 0 == 0)
      for dialect in Dialects.all {
        #expect(take(bytes, SourceFormat(dialect)).report.rows == 0, "\(dialect.name)")
      }
    }
  }
}

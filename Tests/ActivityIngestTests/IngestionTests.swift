import ActivityCore
import ActivityIngest
import Testing

/// What came out of an ingestion, in order.
private struct Gathered {
  var batches: [EventColumns] = []
  var ends: [Int] = []
  var refused: [LineRefusal] = []
  var lines: [String] = []

  mutating func take(_ step: Ingestion.Step) {
    switch step {
    case .batch(let columns, let end, _):
      batches.append(columns)
      ends.append(end)
    case .refused(let refusal, let line):
      refused.append(refusal)
      lines.append(String(decoding: line, as: UTF8.self))
    }
  }
}

private func ingest(_ bytes: [UInt8], chunk: Int = .max) -> (Gathered, IngestReport) {
  var ingestion = Ingestion()
  var gathered = Gathered()
  var start = 0
  while start < bytes.count {
    let end = chunk > bytes.count - start ? bytes.count : start + chunk
    ingestion.take(bytes[start..<end]) { gathered.take($0) }
    start = end
  }
  ingestion.finish { gathered.take($0) }
  return (gathered, ingestion.report)
}

@Suite("Bytes become batches")
struct IngestionTests {
  private let stale = #"{"event":"stale","key":"K"}"#

  @Test("A dialect is found by its name, and no two share one")
  func registry() {
    #expect(Set(Dialects.all.map { $0.name }).count == Dialects.all.count)
    #expect(Dialects.named("ndjson") != nil && Dialects.named("smoke") == nil)
  }

  @Test("However the bytes are cut, the same rows, refusals and positions come", arguments: 1...40)
  func chunks(size: Int) {
    let text = "\u{FEFF}\(stale)\r\n\n{bad}\n  \r\n\(stale)\n{\"event\":7}\n\(stale)"
    let bytes = Array(text.utf8)
    let (gathered, report) = ingest(bytes, chunk: size)
    #expect(gathered.batches.map(\.count) == [3])
    #expect(gathered.ends == [bytes.count])
    #expect(gathered.refused.map(\.line) == [3, 6])
    #expect(gathered.refused.map(\.column) == [2, 10])
    #expect(gathered.lines == ["{bad}", "{\"event\":7}"])
    #expect(report.rows == 3 && report.blank == 2 && report.lines == 7)
    #expect(report.bytes == bytes.count && report.skipped == 0)
    #expect(report.refused.map(\.code) == ["unexpected-byte", "wrong-type"])
  }

  @Test("A byte order mark is accepted at the start of the input only")
  func mark() {
    let (gathered, _) = ingest(Array("\(stale)\n\u{FEFF}\(stale)\n".utf8))
    #expect(gathered.refused.map(\.line) == [2])
  }

  @Test("An empty input gives nothing and no complaint", arguments: ["", "\n", "\u{FEFF}"])
  func empty(text: String) {
    let (gathered, report) = ingest(Array(text.utf8))
    #expect(gathered.batches.isEmpty && gathered.refused.isEmpty && report.rows == 0)
  }

  @Test("Refusals are counted by reason with the first five of each")
  func report() {
    let bad = String(repeating: "{\n", count: 7) + String(repeating: "[]\n", count: 2)
    let (gathered, report) = ingest(Array(bad.utf8))
    #expect(report.refused.map(\.count) == [7, 2])
    #expect(report.refused.map(\.examples.count) == [5, 2])
    #expect(report.refused[0].examples.map(\.line) == [1, 2, 3, 4, 5])
    #expect(report.refusedCount == 9 && gathered.refused.count == 9)
  }

  @Test("A 10 MB line is refused whole in bounded memory, and the next line is read")
  func longLine() {
    let long = Array(#"{"event":"stale","x":""#.utf8) + [UInt8](repeating: 0x61, count: 10 << 20)
    let bytes = Array("\(stale)\n".utf8) + long + Array("\n\(stale)\n".utf8)
    for size in [64 << 10, Int.max] {
      let (gathered, report) = ingest(bytes, chunk: size)
      #expect(report.rows == 2)
      #expect(gathered.refused.map(\.reason) == [.lineTooLong])
      #expect(gathered.refused.map(\.line) == [2])
      #expect(gathered.lines.map(\.utf8.count) == [4_096])
      #expect(gathered.ends == [bytes.count])
    }
    let (unended, _) = ingest(long, chunk: 64 << 10)
    #expect(unended.refused.map(\.reason) == [.lineTooLong])
  }

  @Test("Batches are cut by size and end between lines")
  func cutting() {
    let filler = String(repeating: "x", count: 600_000)
    let line = Array(#"{"event":"stale","key":"K","x":"\#(filler)"}"#.utf8) + [0x0A]
    let (gathered, _) = ingest(line + line + line)
    #expect(gathered.batches.map(\.count) == [2, 1])
    #expect(gathered.ends == [line.count * 2, line.count * 3])
    let large =
      Array(#"{"event":"stale","key":"K","x":"\#(filler + filler + filler)"}"#.utf8) + [0x0A]
    let small = Array("\(stale)\n".utf8)
    let (mixed, _) = ingest(small + large + small)
    #expect(mixed.batches.map(\.count) == [2, 1])
  }

  @Test("A caller that commits by time gets what waits, and where it ends")
  func cut() {
    var ingestion = Ingestion(position: 100, line: 10)
    var gathered = Gathered()
    ingestion.take(Array("\(stale)\n\(stale)\n{\"ev".utf8)[...]) { gathered.take($0) }
    #expect(gathered.batches.isEmpty && ingestion.waitingRows == 2)
    ingestion.cut { gathered.take($0) }
    #expect(gathered.batches.map(\.count) == [2])
    #expect(gathered.ends == [100 + 2 * (stale.utf8.count + 1)])
    ingestion.finish { gathered.take($0) }
    #expect(gathered.refused.map(\.line) == [13])
  }

  @Test("A restore keeps seq and recorded-at")
  func restore() {
    var ingestion = Ingestion(restoring: true)
    var gathered = Gathered()
    let line = #"{"seq":7,"recorded-at":"2026-11-20T18:04:05.000001Z","event":"stale","key":"K"}"#
    ingestion.take(Array(line.utf8)[...]) { gathered.take($0) }
    ingestion.finish { gathered.take($0) }
    #expect(gathered.batches.map(\.statedSeq) == [[7]])
    #expect(gathered.batches.map(\.recordedAt) == [[1_795_197_845_000_001]])
  }
}

import ActivityCore
import ActivityIngest
import Foundation
import Testing

@Suite("One sample of every kind")
struct KindSampleTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Logs/kinds")

  private static func name(_ kind: EventKind) -> String {
    kind == .unknown ? "unknown" : kind.word
  }

  private static func sample(_ kind: EventKind) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name(kind) + ".json")))
  }

  @Test("There is a sample for each kind, and for nothing else")
  func folder() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.path(percentEncoded: false))
    #expect(names.sorted() == EventKind.allCases.map { Self.name($0) + ".json" }.sorted())
  }

  @Test("Each is one line of its kind, read without a refusal", arguments: EventKind.allCases)
  func read(kind: EventKind) throws {
    let bytes = try Self.sample(kind)
    let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
    #expect(!line.contains(0x0A))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    let word = try #require(object["event"] as? String)
    if kind == .unknown {
      #expect(EventKind.allCases.allSatisfy { $0.word != word } && !word.isEmpty)
    } else {
      #expect(word == kind.word)
    }
    // Rich enough to be worth keeping as a sample.
    #expect(object.count >= 6)

    var reader = LineReader()
    #expect(reader.read(line, number: 1) == .row)
    let batch = reader.finish()
    #expect(batch.count == 1 && batch.kind[0] == kind)
    #expect(lifted(batch).isEmpty == kind.members.isEmpty, "members of its own: \(lifted(batch))")
    func lifted(_ batch: EventColumns) -> [Member] {
      kind.members.filter { batch[$0].contains { $0 != EventColumns.absent } }
    }
  }

  @Test("Each passes through ingestion and comes back with every member it had")
  func everyMember() throws {
    var ingestion = Ingestion()
    var lines: [[UInt8]] = []
    var rows = RowReader()
    func take(_ step: Ingestion.Step) {
      switch step {
      case .batch(let batch, _, _):
        for row in rows.rows(of: batch) { lines.append(LineWriter(stamped: false).line(row) ?? []) }
      case .refused(let refusal, _): Issue.record("\(refusal)")
      }
    }
    for kind in EventKind.allCases { ingestion.take(try Self.sample(kind)[...]) { take($0) } }
    ingestion.finish { take($0) }
    #expect(lines.count == EventKind.allCases.count)
    for (kind, line) in zip(EventKind.allCases, lines) {
      let before = try object(Self.sample(kind))
      before.removeObject(forKey: "recorded-at")
      #expect(try object(line) == before, "\(kind)")
    }
  }

  private func object(_ bytes: [UInt8]) throws -> NSMutableDictionary {
    let read = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return NSMutableDictionary(dictionary: read ?? [:])
  }
}

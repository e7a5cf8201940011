import ActivityLog
import Foundation
import Testing

func record(into path: String) async throws -> Int64 {
  let writer = try LogWriter.create(path: path, id: LogID(high: .random(in: 1...(.max)), low: 1)) {
    Int64(Date().timeIntervalSince1970 * 1_000_000)
  }
  // Append from any task; appends that arrive together share a commit and a sync.
  let recorder = LogRecorder(writer)
  var lines = LineReader()
  let event = #"{"event":"start","activity-id":"5E1C-42","source":"app"}"#
  _ = lines.read(Array(event.utf8)[...], number: 1)
  let receipt = try await recorder.append(lines.finish())
  guard case .appended(let seq) = receipt.rows[0] else { return 0 }
  return seq  // on the disk by now
}

@Suite("The README's Swift")
struct ReadmeExampleTests {
  @Test("It records one event, and the page shows the very code that did")
  func example() async throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "activitylog-readme-\(UUID().uuidString)").path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try await record(into: path) == 1)
    var reader = try LogReader(path: path)
    #expect(try reader.next()?.count == 1)

    let file = URL(filePath: #filePath)
    let code = try String(contentsOf: file, encoding: .utf8)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let start = try #require(code.range(of: "func record"))
    let end = try #require(code.range(of: "\n}\n"))
    #expect(page.contains(code[start.lowerBound..<end.upperBound]))
  }
}

import ActivityCore
import ActivityIngest
import Foundation
import Testing

/// One folder of `Logs/foreign`: a source, what is said about it, and the events it must give.
struct ForeignSample: CustomTestStringConvertible, Sendable {
  let folder: URL
  let given: JSONSlice

  static let all: [ForeignSample] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Logs/foreign")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let urls = (files?.allObjects ?? []).compactMap { $0 as? URL }
    return urls.filter { $0.lastPathComponent == "given.json" }.sorted { $0.path < $1.path }
      .compactMap { url in
        guard let bytes = try? Data(contentsOf: url), let given = JSONSlice([UInt8](bytes)) else {
          return nil
        }
        return ForeignSample(folder: url.deletingLastPathComponent(), given: given)
      }
  }()

  /// Those that no map is given for.
  static let unmapped = all.filter { $0.given["map"] == nil }

  var testDescription: String { folder.pathComponents.suffix(2).joined(separator: "/") }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  func settings() throws -> SourceSettings {
    var settings = SourceSettings()
    if let zone = given["tz"]?.string {
      let offset = try #require(Timestamp(rfc3339: "1970-01-01T00:00:00\(zone)")).microseconds
      settings.zone = { $0 + offset }
    }
    settings.constants = (given["set"]?.elements ?? []).compactMap { pair in
      let parts = (pair.string ?? "").split(separator: "=", maxSplits: 1).map(String.init)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    if let patterns = given["patterns"]?.string {
      settings.patterns = try PatternTable(bytes(patterns))
    }
    return settings
  }

  /// How it is read: as it is recognised, unless a map says so.
  func format(_ source: [UInt8]) throws -> SourceFormat {
    let settings = try settings()
    if let name = given["map"]?.string {
      return .mapped(try EventMap(try bytes(name)), settings: settings)
    }
    return try #require(Recognition(source, settings: settings)?.format)
  }
}

/// What a source became.
struct ReadSource: Equatable {
  var lines: [String] = []
  var skipped = 0
  var refused: [String] = []

  init(_ bytes: [UInt8], _ format: SourceFormat, chunk: Int = .max) {
    var source = SourceLines(format)
    var reader = LineReader()
    func take(_ step: SourceLines.Step) {
      switch step {
      case .event(let bytes, let line, _):
        lines.append(String(decoding: bytes, as: UTF8.self))
        if case .refused(let refusal) = reader.read(Array(bytes)[...], number: line) {
          refused.append("\(line) \(refusal.reason.code)")
        }
      case .skipped: skipped += 1
      case .refused(let refusal, _): refused.append("\(refusal.line) \(refusal.reason.code)")
      case .blank, .end: break
      }
    }
    var start = 0
    while start < bytes.count {
      let end = chunk > bytes.count - start ? bytes.count : start + chunk
      source.take(bytes[start..<end]) { take($0) }
      start = end
    }
    source.finish { take($0) }
  }
}

@Suite("What others write down becomes events")
struct ForeignSampleTests {
  @Test("Every sample is recognised without being told", arguments: ForeignSample.unmapped)
  func recognised(sample: ForeignSample) throws {
    let format = try sample.format(try sample.bytes(try #require(sample.given["source"]?.string)))
    #expect(format.dialect.name == sample.given["format"]?.string)
  }

  @Test("Every sample gives its events, and nothing else", arguments: ForeignSample.all)
  func events(sample: ForeignSample) throws {
    let source = try sample.bytes(try #require(sample.given["source"]?.string))
    let read = ReadSource(source, try sample.format(source))
    let expected = String(decoding: try sample.bytes("events.ndjson"), as: UTF8.self)
    #expect(read.lines == expected.split(separator: "\n").map(String.init))
    #expect(read.skipped == Int(sample.given["skipped"]?.spelling ?? "0"))
    let refused = (sample.given["refused"]?.elements ?? []).map {
      "\($0["line"]?.spelling ?? "") \($0["code"]?.string ?? "")"
    }
    #expect(read.refused == refused)
  }

  @Test("However a source is cut, the same events come", arguments: ForeignSample.all)
  func chunks(sample: ForeignSample) throws {
    let source = try sample.bytes(try #require(sample.given["source"]?.string))
    let format = try sample.format(source)
    let whole = ReadSource(source, format)
    for chunk in [1, 7, 61, 997] { #expect(ReadSource(source, format, chunk: chunk) == whole) }
  }
}

import ActivityIngest
import Testing

@Suite("What is no text is told, with the command that makes text of it")
struct OtherFormTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// What the hint must contain.
    let command: String
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ command: String) {
      (self.name, self.bytes, self.command) = (name, bytes, command)
    }
  }

  private static func tar(_ name: String) -> [UInt8] {
    let start = Array(name.utf8)
    let gap = [UInt8](repeating: 0, count: 257 - start.count)
    return start + gap + Array("ustar\u{0}00".utf8) + [UInt8](repeating: 0, count: 247)
  }

  static let cases = [
    Case("zstd", PackedSamples.zstd, "zstd -dc FILE | activitylog ingest LOG -"),
    Case("xz", PackedSamples.xz, "xz -dc FILE | activitylog ingest LOG -"),
    Case("bzip2", PackedSamples.bzip2, "bzip2 -dc FILE | activitylog ingest LOG -"),
    Case("bzip2", PackedSamples.emptyBzip2, "bzip2 -dc FILE | activitylog ingest LOG -"),
    Case("legacy", PackedSamples.lz4Legacy, "lz4 -dc FILE | activitylog ingest LOG -"),
    Case("compress", [0x1F, 0x9D, 0x90, 0x61], "gzip -dc FILE | activitylog ingest LOG -"),
    Case("zip archive", PackedSamples.zip, "unzip -p FILE NAME | activitylog ingest LOG -"),
    Case("7-Zip", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "7z e -so FILE NAME"),
    Case("tar", tar("./sysdiagnose_2026.11.30/logs/a.txt"), "tar -xf FILE"),
    Case("tar", tar("push.ndjson"), "tar -xf FILE"),
    Case(
      "tracev3", [0, 0x10, 0, 0, 0x11, 0, 0, 0, 0xD0, 0, 0, 0, 0, 0, 0, 0],
      "log show --archive X.logarchive --style ndjson > X.ndjson"),
    Case("property list", Array("bplist00".utf8) + [0xD1, 1, 2], "plutil -convert json"),
    Case("SQLite", Array("SQLite format 3\u{0}".utf8) + [0x10, 0, 1, 1], "sqlite3 -json FILE"),
    Case("PDF", Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3], "export the log as text"),
    Case("UTF-32", [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0], "iconv -f UTF-32 -t UTF-8 FILE"),
    Case("UTF-32", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x7B], "iconv -f UTF-32 -t UTF-8 FILE"),
    Case(
      "segment", [0x50, 0x2A, 0x4D, 0x18, 0x78, 0, 0, 0] + Array("ALOG-SEG".utf8) + [1, 0],
      "activitylog export FILE | activitylog ingest LOG -"),
    Case("inside gzip", PackedSamples.gzipTwice, "gzip -dc FILE | gzip -dc | activitylog"),
    Case("inside gzip", PackedSamples.gzipOfBzip2, "gzip -dc FILE | bzip2 -dc | activitylog"),
  ]

  @Test("A form that others turn into text", arguments: cases)
  func forms(_ form: Case) throws {
    let problem = try #require(Decoded(form.bytes).problem)
    #expect(problem.code == .otherForm)
    #expect(problem.message.contains(form.name))
    #expect(problem.hint?.contains(form.command) == true, "\(problem.hint ?? "no hint")")
    for chunk in [1, 2, 3, 5, 64] {
      let decoded = Decoded(form.bytes, chunk: chunk)
      #expect(decoded.problem == problem, "in chunks of \(chunk)")
      #expect(decoded.text == [])
      #expect(decoded.kind == nil)
    }
  }

  static let binaries: [[UInt8]] = [
    [0], [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0], [0x0A, 0x03, 0x41, 0x0A, 0x42, 0x00],
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D],
    [UInt8](repeating: 0, count: 5_000), Array("no line end".utf8) + [0, 0x0A],
  ]

  @Test("NUL bytes at the start, and nothing that is known", arguments: binaries)
  func binary(_ bytes: [UInt8]) {
    for chunk in [1, 3, .max] {
      let decoded = Decoded(bytes, chunk: chunk)
      #expect(decoded.problem?.code == .binary)
      #expect(decoded.problem?.message == "the input is binary, and nothing that is known")
      #expect(decoded.text == [])
    }
  }

  static let texts = [
    "P", "PK", "PK is a country code\n", "BZh9 is a word\n", "(", "(\u{35}) five\n", "SQLite\n",
    "bplist", "%PDF is not -\n", "7z\n", "\n", "\n\n", "\t{\"a\":1}", "\u{1B}[32mINFO\u{1B}[0m x\n",
    "P*M", "a\u{1}b\n",
    // A crash leaves zeros behind whole lines: the text stands, and the last line is refused.
    "{\"event\":\"end\"}\n\u{0}\u{0}\u{0}",
  ]

  @Test("Text that begins like something else stays text", arguments: texts)
  func text(_ text: String) {
    for chunk in [1, 2, .max] {
      let decoded = Decoded(Array(text.utf8), chunk: chunk)
      #expect(decoded.problem == nil)
      #expect(decoded.string == text)
      #expect(decoded.kind == InputKind())
    }
  }

  @Test("A log archive is known by the names in it")
  func logArchive() {
    #expect(LogArchive.isOne(names: ["Extra", "Info.plist", "Persist", "dsc", "timesync", "0A"]))
    #expect(LogArchive.isOne(names: ["logdata.LiveData.tracev3"]))
    #expect(!LogArchive.isOne(names: ["Info.plist", "PkgInfo", "Assets.car"]))
    #expect(!LogArchive.isOne(names: ["push.ndjson", "push.ndjson.1.gz", "Persist"]))
    #expect(!LogArchive.isOne(names: []))
    #expect(LogArchive.problem.hint?.contains("log show --archive X.logarchive") == true)
  }
}

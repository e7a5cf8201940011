import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

@Suite("Files on a disk")
struct StockToolTests {
  private static let lz4 = ["/usr/bin/lz4", "/usr/local/bin/lz4", "/opt/homebrew/bin/lz4"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A directory of its own, gone when the test is.
  private final class Folder {
    let path = NSTemporaryDirectory() + "activity-store-" + UUID().uuidString
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func run(_ tool: String, _ arguments: [String]) throws -> (Int32, [UInt8]) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, [UInt8](data))
  }

  @Test(
    "lz4 -t passes and lz4 -dc prints all content in order",
    .enabled(if: lz4 != nil, "the lz4 tool is not installed"))
  func stockTool() throws {
    let tool = try #require(Self.lz4)
    let folder = Folder()
    let files = PosixFiles(path: folder.path + "/log")
    let writer = try CommitWriter.create(
      in: files, id: Samples.id, options: Samples.options())
    var contents = Samples.contents()
    contents.append(Samples.content(seq: 10, rows: 1))
    contents[4].payload = []
    contents.append(Samples.content(seq: 11, rows: 2_000))
    for content in contents { try writer.append(content) }
    let path = folder.path + "/log/" + Samples.first
    for _ in 0..<2 {
      #expect(try Self.run(tool, ["-t", path]).0 == 0)
      let (status, text) = try Self.run(tool, ["-dc", path])
      #expect(status == 0)
      #expect(text == contents.flatMap(\.payload))
      try writer.seal(subjects: Samples.subjects)
    }
  }

  @Test("A log on disk is for its owner only, locks out a second writer, and reads back")
  func posix() throws {
    let folder = Folder()
    let files = PosixFiles(path: folder.path + "/a/log")
    #expect(throws: LogError.self) { try CommitWriter.open(in: files, options: Samples.options()) }
    do {
      let writer = try CommitWriter.create(
        in: files, id: Samples.id, options: Samples.options())
      for content in Samples.contents() { try writer.append(content) }
      #expect(WriterLock.isHeld(files))
      let error = #expect(throws: LogError.self) {
        try CommitWriter.open(in: files, options: Samples.options())
      }
      #expect(error?.code == .locked)
    }
    #expect(!WriterLock.isHeld(files))
    for (name, mode) in [("", 0o700), ("/lock", 0o600), ("/" + Samples.first, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: files.path + name)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
    let scan = try Scan(files.open(Samples.first, .read))
    #expect(scan == Scan(Samples.contents(), end: .open))
    let writer = try CommitWriter.open(in: files, options: Samples.options())
    #expect(writer.nextSeq == 10)
  }

  @Test("A read-only directory, and a file in a directory's place, each give one clear line")
  func refusals() throws {
    let folder = Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    let file = folder.path + "/file"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    let error = #expect(throws: LogError.self) {
      try CommitWriter.open(in: PosixFiles(path: file), options: Samples.options())
    }
    #expect(error?.code == .notALog)
    let missing = #expect(throws: LogError.self) {
      try CommitWriter.open(
        in: PosixFiles(path: folder.path + "/none"), options: Samples.options())
    }
    #expect(missing?.code == .missing)
  }
}

import ActivityStore
import Foundation
import Testing

/// What the system tells is there when the call that caused it returns, so nothing here waits.
@Suite("Being told of changes on disk")
struct ChangeWatchTests {
  private let folder: URL
  private let files: PosixFiles

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    files = PosixFiles(path: folder.path(percentEncoded: false))
  }

  private func path(_ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  private func write(_ name: String, _ text: String = "x") throws {
    try files.open(name, .createIfMissing).write(Array(text.utf8), at: 0)
  }

  @Test("A log's segments are told of, and the note in its lock is not")
  func log() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(SegmentName.of(1))
    try write("lock")
    let watch = try ChangeWatch([.log(files.path)])
    #expect(!watch.takeChanges())
    try write("lock", "y")
    #expect(!watch.takeChanges())
    try write(SegmentName.of(1), "yy")
    #expect(watch.takeChanges())
    #expect(!watch.takeChanges())
    try write(SegmentName.of(9) + ".tmp")
    try files.rename(SegmentName.of(9) + ".tmp", to: SegmentName.of(9))
    #expect(watch.takeChanges())
    try write(SegmentName.of(9), "yy")
    #expect(watch.takeChanges())
    try files.remove(SegmentName.of(1))
    #expect(watch.takeChanges())
    #expect(!watch.isBlind)
    try FileManager.default.removeItem(at: folder)
    #expect(watch.takeChanges())
    #expect(watch.isBlind)
  }

  @Test("A file is told of while it is written, renamed, and replaced; its neighbours are not")
  func file() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let watch = try ChangeWatch([.file(path("push"))])
    #expect(!watch.isBlind)
    try write("other")
    #expect(!watch.takeChanges())
    try write("push")
    #expect(watch.takeChanges())
    try write("push", "xx")
    #expect(watch.takeChanges())
    try files.rename("push", to: "push.1")
    #expect(watch.takeChanges())
    // Its writer still has it open.
    try write("push.1", "xxx")
    #expect(watch.takeChanges())
    try write("push")
    #expect(watch.takeChanges())
    try write("push", "xx")
    #expect(watch.takeChanges())
    try files.open("push", .readWrite).truncate(to: 0)
    #expect(watch.takeChanges())
    try write("other", "xx")
    #expect(!watch.takeChanges())
  }

  @Test("Behind a link the file itself is told of, and what takes its place")
  func link() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let elsewhere = folder.appending(path: "real")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try write("real/push")
    try FileManager.default.createSymbolicLink(
      atPath: path("push"), withDestinationPath: "real/push")
    let watch = try ChangeWatch([.file(path("push"))])
    try write("real/push", "xx")
    #expect(watch.takeChanges())
    try files.rename("real/push", to: "real/push.1")
    #expect(watch.takeChanges())
    try write("real/push")
    #expect(watch.takeChanges())
    try write("real/push", "xx")
    #expect(watch.takeChanges())
  }

  @Test("A directory that is not there makes the watch blind until it is")
  func blind() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let watch = try ChangeWatch([.file(path("later/push")), .file(path("push"))])
    #expect(watch.isBlind)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "later"), withIntermediateDirectories: true)
    try write("later/push")
    try write("push")
    #expect(watch.takeChanges())
    #expect(!watch.isBlind)
    try write("later/push", "xx")
    #expect(watch.takeChanges())
  }
}

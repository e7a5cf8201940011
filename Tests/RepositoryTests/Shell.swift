import Foundation

/// Runs lines of shell with the freshly built `activitylog` in front of the path.
struct Shell {
  /// What a line printed on standard output and standard error together, and its status.
  struct Result {
    let output: String
    let status: Int32
  }

  private let folder: URL
  private let binaries: URL

  /// Works in a new folder that holds a link to `Logs`; nil when the program is not built.
  init?() throws {
    guard let binaries = Self.binaries else { return nil }
    self.binaries = binaries
    let files = FileManager.default
    folder = files.temporaryDirectory.appending(path: "activitylog-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["Logs", "Tools"] where Repository.exists(name) {
      try files.createSymbolicLink(
        at: folder.appending(path: name),
        withDestinationURL: Repository.root.appending(path: name))
    }
  }

  /// Where this test's own binary lies: the program is built beside it.
  private static var binaries: URL? {
    let words = ProcessInfo.processInfo.arguments
    let places = words.filter { $0.contains(".build") }.flatMap { word -> [URL] in
      let place = URL(filePath: word)
      return [1, 2, 3, 4].map { depth in
        (0..<depth).reduce(place) { path, _ in path.deletingLastPathComponent() }
      }
    }
    return places.first {
      FileManager.default.isExecutableFile(
        atPath: $0.appending(path: "activitylog").path(percentEncoded: false))
    }
  }

  func run(_ line: String) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    let path = environment["PATH"] ?? "/usr/bin:/bin"
    environment["PATH"] = "\(binaries.path(percentEncoded: false)):\(path)"
    environment["TZ"] = "UTC"
    environment["NO_COLOR"] = "1"
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      output: String(decoding: bytes, as: UTF8.self), status: process.terminationStatus)
  }

  func remove() {
    do { try FileManager.default.removeItem(at: folder) } catch {}
  }
}

import Foundation

/// A process with pipes on its standard input and output.
final class Child {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// The `activitylog` built beside these tests; nil when there is none.
  static var program: URL? {
    let places = ProcessInfo.processInfo.arguments.filter { $0.contains(".build") }.map {
      URL(filePath: $0)
    }
    let folders = places.flatMap { place in
      (1...4).map { depth in
        (0..<depth).reduce(place) { path, _ in path.deletingLastPathComponent() }
      }
    }
    return folders.map { $0.appending(path: "activitylog") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
    }
  }

  init(_ program: URL, _ words: [String]) throws {
    // A child that is gone must not take the tests with it.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = program
    process.arguments = words
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  var identifier: Int32 { process.processIdentifier }

  func feed(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  var isRunning: Bool { process.isRunning }

  func endInput() { try? input.fileHandleForWriting.close() }

  /// Some bytes, as soon as there are any; none at the end.
  func read() -> [UInt8] { Array(output.fileHandleForReading.availableData) }

  func readToEnd() -> [UInt8] {
    Array((try? output.fileHandleForReading.readToEnd()) ?? Data())
  }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Kills it for good; what it had printed until then.
  func kill() -> [UInt8] {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return readToEnd()
  }
}

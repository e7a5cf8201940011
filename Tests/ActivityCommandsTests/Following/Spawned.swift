import ActivityStore
import Foundation

/// A running `activitylog` whose output is read line by line.
///
/// Unchecked: one thread at a time uses it.
final class Spawned: @unchecked Sendable {
  struct Stopped: Error { let said: String }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var rest: [UInt8] = []

  init(_ program: URL, _ words: [String]) throws {
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = program
    process.arguments = words
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    // A child inherits which signals its parent's thread blocks, and those of a test block most.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  func feed(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  func endInput() { try? input.fileHandleForWriting.close() }

  /// The next `count` lines of standard output, as they come.
  func lines(_ count: Int) throws -> [String] {
    var found: [String] = []
    while found.count < count {
      if let end = rest.firstIndex(of: 0x0A) {
        found.append(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
        continue
      }
      let part = try read()
      guard !part.isEmpty else {
        throw Stopped(
          said: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
      }
      rest += part
    }
    return found
  }

  /// Whatever comes next, once something does; a child that says nothing for a minute is stuck.
  private func read() throws -> [UInt8] {
    var waiting = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 60_000) > 0 else { throw Stopped(said: "nothing for a minute") }
    return Array(output.fileHandleForReading.availableData)
  }

  /// Asks it to end, and gives the lines it had still printed.
  func terminate() -> [String] {
    kill(process.processIdentifier, SIGTERM)
    return remaining()
  }

  /// Ends it in the middle of whatever it does.
  func killed() -> [String] {
    kill(process.processIdentifier, SIGKILL)
    return remaining()
  }

  private func remaining() -> [String] {
    rest += Array((try? output.fileHandleForReading.readToEnd()) ?? Data())
    process.waitUntilExit()
    return String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Everything it says on standard error, until it ends.
  func errorText() -> String {
    String(decoding: (try? errors.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

extension Workbench {
  /// The built program; the tests of processes mean nothing without it.
  var program: URL {
    get throws {
      guard let program = Child.program else {
        throw Spawned.Stopped(said: "activitylog is not built beside the tests")
      }
      return program
    }
  }

  func spawn(_ words: String...) throws -> Spawned {
    try Spawned(
      program, words.map { $0.hasPrefix("@") ? path(String($0.dropFirst())) : $0 })
  }

  /// Appends events in a process of its own, each durable when this returns.
  func appendElsewhere(_ log: String, _ lines: [String]) throws {
    let writer = try spawn("append", "@\(log)", "-")
    try writer.feed(lines.map { $0 + "\n" }.joined())
    writer.endInput()
    _ = try writer.lines(lines.count)
    guard writer.wait() == 0 else { throw Spawned.Stopped(said: writer.errorText()) }
  }

  func sealElsewhere(_ log: String) throws {
    let child = try spawn("seal", "@\(log)")
    _ = try child.lines(1)
    guard child.wait() == 0 else { throw Spawned.Stopped(said: child.errorText()) }
  }

  /// Names of a log's segments.
  func segments(_ log: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(log))
      .filter { SegmentName.firstSeq($0) != nil }.sorted()
  }
}

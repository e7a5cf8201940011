internal import ActivityCore
internal import ActivityStore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A reader's place in a log, kept in a file: the log, the last event seen, when it was recorded.
///
/// Never offsets, so it survives sealing and packing; a log that no longer has the event says so.
struct CursorFile {
  private let path: String
  /// The last event seen; nil when the file is not there yet.
  private(set) var seq: Int64?

  init(_ path: String, log: LogAccess) throws {
    self.path = path
    guard let text = try Bytes.load(path) else { return }
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
    guard parts.count == 3, let seq = Int64(parts[1]), let recorded = Int64(parts[2]) else {
      throw CommandError("\(path): this is no cursor", hint: "remove the file to begin anew")
    }
    var access = log
    guard parts[0] == log.identity else {
      throw CommandError(
        "\(path): this cursor is of another log", hint: "remove the file to begin anew")
    }
    if seq > 0, try access.recordedAt(of: seq) != recorded {
      let oldest = log.extent.map { ", its oldest is \($0.firstSeq)" } ?? ""
      throw CommandError(
        "\(path): this log no longer has event \(seq)\(oldest)",
        hint: "remove the file to begin anew")
    }
    self.seq = seq
  }

  /// Names the last event seen.
  mutating func advance(to seq: Int64, in log: inout LogAccess) throws {
    guard seq > 0, seq != self.seq, let recorded = try log.recordedAt(of: seq) else { return }
    try advance(to: seq, recordedAt: recorded, log: log)
  }

  /// Written whole beside the file and renamed over it, so that it is never half.
  mutating func advance(to seq: Int64, recordedAt: Int64, log: LogAccess) throws {
    guard seq != self.seq else { return }
    let text = "\(log.identity) \(seq) \(recordedAt)\n"
    try Bytes.replace(path, with: Array(text.utf8))
    self.seq = seq
  }

  /// Small files, whole.
  private enum Bytes {
    static func load(_ path: String) throws(CommandError) -> String? {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        if errno == ENOENT { return nil }
        throw CommandError("\(path): cannot read the cursor (\(String(cString: strerror(errno))))")
      }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(file, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    static func replace(_ path: String, with bytes: [UInt8]) throws(CommandError) {
      let temporary = path + ".tmp"
      let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard file >= 0, write(file, bytes, bytes.count) == bytes.count, close(file) == 0,
        rename(temporary, path) == 0
      else {
        throw CommandError(
          "\(path): cannot keep the cursor (\(String(cString: strerror(errno))))",
          hint: "name a file in a directory you may write to")
      }
    }
  }
}

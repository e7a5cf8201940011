internal import ActivityCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One file, or standard input, from its beginning to its end; what was read can be looked at again
/// until it is forgotten.
final class IngestInput {
  /// How messages name it.
  let name: String
  /// The size when it was opened; nil for a stream.
  let size: Int?
  /// Of the next byte.
  private(set) var position = 0

  private enum Source {
    case file(Int32)
    case stream((Int) throws -> [UInt8])
  }

  private let source: Source
  private let descriptor: Int32?
  /// Of a stream: what was read and not forgotten, and where it begins.
  private var kept: [UInt8] = []
  private var keptStart = 0
  /// A position and how many line feeds lie before it.
  private var counted = (position: 0, feeds: 0)

  /// How much is read at once.
  static let chunkBytes = 1 << 20

  /// A stream that the caller reads.
  init(name: String, reading read: @escaping (Int) throws -> [UInt8]) {
    self.name = name
    size = nil
    descriptor = nil
    source = .stream(read)
  }

  /// Whether a path can be opened, found out without opening it: a pipe is opened only once.
  static func check(path: String) throws(CommandError) {
    var info = stat()
    guard stat(path, &info) == 0, access(path, R_OK) == 0 else {
      throw failure("open", path, errno)
    }
    guard info.st_mode & S_IFMT != S_IFDIR else { throw directory(path) }
  }

  /// Opens a file; one that cannot be sought, such as a pipe, is a stream.
  init(path: String) throws(CommandError) {
    #if canImport(Glibc)
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    #else
      let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
    #endif
    guard descriptor >= 0 else { throw Self.failure("open", path, errno) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      let number = errno
      close(descriptor)
      throw Self.failure("read", path, number)
    }
    let kind = info.st_mode & S_IFMT
    guard kind != S_IFDIR else {
      close(descriptor)
      throw Self.directory(path)
    }
    name = path
    self.descriptor = descriptor
    if kind == S_IFREG {
      size = Int(info.st_size)
      source = .file(descriptor)
    } else {
      size = nil
      source = .stream { count in
        try IngestInput.bytes(count, path) { read(descriptor, $0.baseAddress, $0.count) }
      }
    }
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// The next bytes, at most `count`; empty at the end.
  func next(_ count: Int = chunkBytes) throws -> [UInt8] {
    let chunk: [UInt8]
    switch source {
    case .file:
      chunk = try bytes(in: position..<(position + count))
    case .stream(let read):
      chunk = try read(count)
      kept += chunk
    }
    position += chunk.count
    return chunk
  }

  /// Goes on from a position of a file.
  func seek(to position: Int) { self.position = position }

  /// Bytes read before and not forgotten, or any of a file; fewer where it ends.
  func bytes(in range: Range<Int>) throws -> [UInt8] {
    switch source {
    case .stream:
      let range = range.clamped(to: keptStart..<(keptStart + kept.count))
      return Array(kept[(range.lowerBound - keptStart)..<(range.upperBound - keptStart)])
    case .file(let descriptor):
      var all: [UInt8] = []
      while all.count < range.count {
        let offset = off_t(range.lowerBound + all.count)
        let part = try Self.bytes(range.count - all.count, name) {
          pread(descriptor, $0.baseAddress, $0.count, offset)
        }
        guard !part.isEmpty else { break }
        if all.isEmpty { all = part } else { all += part }
      }
      return all
    }
  }

  /// Says that bytes before a position will not be looked at again.
  func forget(before position: Int) {
    guard size == nil, position > keptStart else { return }
    if position > counted.position { _ = try? lines(before: position) }
    kept.removeFirst(min(kept.count, position - keptStart))
    keptStart = position
  }

  /// How many line feeds lie before a position that is not forgotten.
  func lines(before position: Int) throws -> Int {
    if position < counted.position {
      let part = try bytes(in: position..<counted.position)
      counted = (position, counted.feeds - part.count { $0 == UInt8(ascii: "\n") })
    }
    while counted.position < position {
      let end = min(position, counted.position + Self.chunkBytes)
      let part = try bytes(in: counted.position..<end)
      guard !part.isEmpty else { break }
      counted.feeds += part.count { $0 == UInt8(ascii: "\n") }
      counted.position += part.count
    }
    return counted.feeds
  }

  private static func bytes(
    _ count: Int, _ path: String, _ take: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(CommandError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = -1
      repeat {
        got = take(UnsafeMutableRawBufferPointer(buffer))
        failure = got < 0 ? errno : 0
      } while failure == EINTR
      filled = max(0, got)
    }
    guard failure == 0 else { throw Self.failure("read", path, failure) }
    return bytes
  }

  private static func directory(_ path: String) -> CommandError {
    CommandError("\(path): this is a directory: name the files in it")
  }

  private static func failure(_ what: String, _ path: String, _ number: Int32) -> CommandError {
    CommandError(
      "\(path): cannot \(what): \(Process.reason(number))",
      hint: number == ENOENT ? "check the path; - is standard input" : nil)
  }
}

/// Where an earlier ingestion of the same input ended.
struct IngestFeed {
  /// Bytes before a position that its check covers, and of the beginning that names a file.
  static let span = 4_096

  /// What a log calls the feed.
  let name: [UInt8]

  /// A file is known by its first line, or by the first 4 KiB of it; nil while it is empty.
  init?(of file: IngestInput) throws {
    let head = try file.bytes(in: 0..<Self.span)
    let line = head.prefix { $0 != UInt8(ascii: "\n") }
    guard !head.isEmpty else { return nil }
    name = TokenDigest.sha256(Array(line))
  }

  /// A stream is known by the name it was given.
  init(named name: String) {
    self.name = Array("feed:\(name)".utf8)
  }

  /// The digest of the 4 KiB before a position.
  static func check(of input: IngestInput, before position: Int) throws -> [UInt8] {
    TokenDigest.sha256(try input.bytes(in: max(0, position - span)..<position))
  }
}

internal import ActivityIngest
internal import ActivityStore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Which file a path leads to, whatever it is called at the moment.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  fileprivate init(_ info: stat) {
    device = UInt64(truncatingIfNeeded: info.st_dev)
    number = UInt64(truncatingIfNeeded: info.st_ino)
  }
}

/// What the system says of a file, which is enough to see that it was written since.
struct FileState: Hashable {
  let identity: FileIdentity
  /// Whether it is a pipe, a socket or a device.
  let isStream: Bool
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil when there is nothing at the path.
  init?(path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    identity = FileIdentity(info)
    isStream = ![S_IFREG, S_IFDIR].contains(info.st_mode & S_IFMT)
    size = Int64(info.st_size)
    #if canImport(Glibc)
      (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    #else
      (seconds, nanoseconds) = (info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec)
    #endif
  }
}

/// The bytes of a path as they lie on the disk, or of a stream as they come.
final class InputFile {
  /// How messages name it.
  let name: String
  /// Nil for a stream.
  let identity: FileIdentity?
  /// Bytes on the disk when it was last looked at; nil for a stream.
  private(set) var size: Int?

  private let descriptor: Int32?
  private let read: (Int) throws -> [UInt8]

  /// A stream that the caller reads.
  init(name: String, reading read: @escaping (Int) throws -> [UInt8]) {
    self.name = name
    self.read = read
    identity = nil
    descriptor = nil
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
    let isRegular = kind == S_IFREG
    size = isRegular ? Int(info.st_size) : nil
    identity = isRegular ? FileIdentity(info) : nil
    read = { count in
      try InputFile.bytes(count, path) { Self.systemRead(descriptor, $0) }
    }
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// Whether a path can be opened, found out without opening it: a pipe is opened only once.
  static func check(path: String) throws(CommandError) {
    var info = stat()
    guard stat(path, &info) == 0, access(path, R_OK) == 0 else {
      throw failure("open", path, errno)
    }
    guard info.st_mode & S_IFMT != S_IFDIR else { throw directory(path) }
  }

  /// Asks the system again how long the file is.
  func look() {
    var info = stat()
    guard let descriptor, size != nil, fstat(descriptor, &info) == 0 else { return }
    size = Int(info.st_size)
  }

  /// Bytes from a place of a file on, or a stream's next; at most so many, none at the end.
  func next(_ count: Int, at offset: Int) throws -> [UInt8] {
    guard let descriptor, size != nil else { return try read(count) }
    return try Self.bytes(count, name) {
      pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
    }
  }

  private static func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
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

  /// Whether a directory is a log archive, which nothing here reads.
  static func isArchive(_ path: String) -> Bool {
    let names = (try? PosixFiles(path: path).list()) ?? []
    return LogArchive.isOne(names: names) || path.hasSuffix(".logarchive")
  }

  private static func directory(_ path: String) -> CommandError {
    guard isArchive(path) else {
      return CommandError("\(path): this is a directory: name the files in it")
    }
    return CommandError(LogArchive.problem, in: path)
  }

  private static func failure(_ what: String, _ path: String, _ number: Int32) -> CommandError {
    let hint: String? =
      switch number {
      case ENOENT: "check the path; - is standard input"
      case EMFILE: "fewer files at a time, or a higher limit: ulimit -n 4096"
      default: nil
      }
    return CommandError("\(path): cannot \(what): \(Process.reason(number))", hint: hint)
  }
}

extension CommandError {
  /// What is said of bytes that cannot be read, or be read on: the latter is damage.
  init(_ problem: InputProblem, in name: String) {
    let isDamage: Bool =
      switch problem.code {
      case .truncated, .damaged, .trailing: true
      case .otherForm, .binary, .noMemory: false
      }
    var hint = problem.hint
    if name != IngestInput.standardInput {
      hint = hint?.replacing("FILE", with: ShellWord.quoted(name))
    } else if let command = hint, command.contains("FILE") {
      hint = "before the pipe, with the input as FILE: \(command)"
    }
    self.init(
      "\(name): \(problem.message)", hint: hint,
      status: isDamage ? .damage : .couldNotRun)
  }
}

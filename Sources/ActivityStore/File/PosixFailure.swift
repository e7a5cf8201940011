#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Turns `errno` into a `LogError` that says what to do.
enum PosixFailure {
  static func error(
    _ code: LogError.Code, _ what: String, file: String, offset: UInt64? = nil,
    errno number: Int32 = errno
  ) -> LogError {
    let reason = String(cString: strerror(number))
    switch number {
    case ENOENT:
      return LogError(
        .missing, file: file, detail: "there is no such file or directory: check the path")
    case ENOTDIR:
      return LogError(.notALog, file: file, detail: "this is no directory: name the log itself")
    case EACCES, EPERM, EROFS:
      return LogError(
        .notPermitted, file: file,
        detail: "cannot \(what): \(reason): give this user access, or run as the log's owner")
    case ENOSPC, EDQUOT:
      return LogError(
        .noSpace, file: file, offset: offset,
        detail: "cannot \(what): \(reason): free space, then append again; "
          + "what was acknowledged is safe")
    default:
      return LogError(code, file: file, offset: offset, detail: "cannot \(what): \(reason)")
    }
  }
}

/// Which process writes a log; the lock file shows it to whoever has to wait.
package struct WriterIdentity: Sendable, Equatable {
  package var process: Int32
  package var host: String

  package init(process: Int32, host: String) {
    self.process = process
    self.host = host
  }

  /// This process on this host.
  package static func current() -> WriterIdentity {
    var buffer = [CChar](repeating: 0, count: 256)
    let named = gethostname(&buffer, buffer.count - 1) == 0
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return WriterIdentity(
      process: getpid(), host: named ? String(decoding: bytes, as: UTF8.self) : "unknown")
  }
}

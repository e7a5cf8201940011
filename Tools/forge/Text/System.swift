#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The few calls that reach outside: everything else in this tool is arithmetic.
enum System {
  /// Says `message` on standard error and ends the process.
  static func leave(saying message: String = "", code: Int32) -> Never {
    var bytes = Array(message.utf8)
    bytes.withUnsafeMutableBytes { _ = write(2, $0.baseAddress, $0.count) }
    exit(code)
  }

  static func create(_ path: String) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    if descriptor < 0 { leave(saying: "forge: cannot write \(path)\n", code: 2) }
    return descriptor
  }

  /// Writes all `count` bytes; a reader that went away is no error of ours.
  static func put(_ bytes: UnsafePointer<UInt8>, _ count: Int, to descriptor: Int32) {
    var done = 0
    while done < count {
      let written = write(descriptor, bytes + done, count - done)
      if written > 0 { done += written } else if errno != EINTR { leave(code: 2) }
    }
  }

  static func copy(
    _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
  ) {
    memcpy(target, source, count)
  }
}

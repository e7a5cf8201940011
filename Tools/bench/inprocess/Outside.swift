#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The few calls that reach outside.
enum Outside {
  /// Says `message` on standard error and ends the process.
  static func leave(saying message: String = "", code: Int32) -> Never {
    put(message, to: 2)
    exit(code)
  }

  /// Prints a text as it is.
  static func say(_ text: String) { put(text, to: 1) }

  private static func put(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
  }

  /// All bytes of a file; leaves the process when it cannot be read.
  static func read(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    let size = descriptor < 0 ? -1 : lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { leave(saying: "bench: cannot read \(path)\n", code: 2) }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, filled in
      while filled < Int(size) {
        let place = buffer.baseAddress.map { $0 + filled }
        let got = pread(descriptor, place, Int(size) - filled, off_t(filled))
        guard got > 0 else { break }
        filled += got
      }
    }
  }

  /// Where the first line feed at or after `start` lies; the end when there is none.
  static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, 10, bytes.count - start)
    else { return bytes.count }
    return base.distance(to: UnsafeRawPointer(found))
  }

  /// Removes the files of a log, and its folder.
  static func remove(_ folder: String, _ names: [String]) {
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// A file to append to, and what a bare durable append of some bytes takes.
  static func openToAppend(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  }

  static func appendDurably(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
    #if canImport(Darwin)
      _ = fsync(descriptor)
    #else
      _ = fdatasync(descriptor)
    #endif
  }

  /// Leaves the thread to those that end the process.
  static func waitForever() -> Never {
    while true { pause() }
  }

  /// Microseconds since 1970.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}

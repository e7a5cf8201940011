#if canImport(Darwin)
  internal import Darwin
#else
  internal import CActivityLog
  internal import Glibc
#endif

/// A directory of the file system; what it makes is for its owner only (0600 in 0700).
package struct PosixFiles: LogFiles {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func list() throws(LogError) -> [String] {
    guard let directory = opendir(path) else {
      throw PosixFailure.error(.cannotRead, "list", file: path)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // The name lies inside the entry the system owns until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func makeDirectory() throws(LogError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += prefix.isEmpty || prefix == "/" ? String(part) : "/" + part
      guard mkdir(prefix, 0o700) != 0, errno != EEXIST else { continue }
      // Why it could not be made, not what looking at it says next.
      let reason = errno
      var info = stat()
      if stat(prefix, &info) != 0 {
        errno = reason
        throw PosixFailure.error(.cannotWrite, "make the directory", file: prefix)
      }
    }
  }

  package func open(_ name: String, _ mode: FileMode) throws(LogError) -> any LogFile {
    let flags =
      switch mode {
      case .read: O_RDONLY
      case .readWrite: O_RDWR
      case .create: O_RDWR | O_CREAT | O_TRUNC
      case .createIfMissing: O_RDWR | O_CREAT
      }
    let full = path + "/" + name
    var descriptor: Int32
    repeat {
      #if canImport(Darwin)
        descriptor = Darwin.open(full, flags | O_CLOEXEC, 0o600)
      #else
        descriptor = Glibc.open(full, flags | O_CLOEXEC, 0o600)
      #endif
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw PosixFailure.error(.cannotRead, "open", file: full) }
    return PosixFile(descriptor: descriptor, name: full)
  }

  package func rename(_ name: String, to other: String) throws(LogError) {
    #if canImport(Darwin)
      let failed = Darwin.rename(path + "/" + name, path + "/" + other) != 0
    #else
      let failed = Glibc.rename(path + "/" + name, path + "/" + other) != 0
    #endif
    if failed { throw PosixFailure.error(.cannotWrite, "rename", file: path + "/" + name) }
  }

  package func remove(_ name: String) throws(LogError) {
    if unlink(path + "/" + name) != 0 {
      throw PosixFailure.error(.cannotWrite, "remove", file: path + "/" + name)
    }
  }

  package func syncDirectory() throws(LogError) {
    let directory = try open(".", .read)
    try directory.sync()
  }
}

/// An open file of the file system. `pread` and `pwrite` carry their offset, so tasks may share it.
package final class PosixFile: LogFile {
  private let descriptor: Int32
  package let name: String

  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  deinit {
    close(descriptor)
  }

  package func size() throws(LogError) -> UInt64 {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      throw PosixFailure.error(.cannotRead, "take the size", file: name)
    }
    return UInt64(max(0, info.st_size))
  }

  package func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    guard count > 0, offset <= UInt64(Int64.max) else { return [] }
    var failure: Int32 = 0
    // Uninitialised room, because zeroing each window first costs as much as reading it.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let room = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
        let got = pread(descriptor, room.baseAddress, room.count, off_t(offset) + off_t(filled))
        if got == 0 { return }
        if got < 0 {
          if errno == EINTR { continue }
          failure = errno
          return
        }
        filled += got
      }
    }
    guard failure == 0 else {
      throw PosixFailure.error(.cannotRead, "read", file: name, offset: offset, errno: failure)
    }
    return bytes
  }

  package func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    var done = 0
    while done < bytes.count {
      // `pwrite` wants an address; the pointer does not outlive the closure.
      let wrote = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        return pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      }
      if wrote < 0 {
        if errno == EINTR { continue }
        throw PosixFailure.error(
          .cannotWrite, "write", file: name, offset: offset + UInt64(done))
      }
      done += wrote
    }
  }

  package func sync() throws(LogError) {
    var result: Int32
    repeat {
      #if canImport(Darwin)
        // fsync on Darwin leaves the bytes in the drive's own cache.
        result = fcntl(descriptor, F_FULLFSYNC)
        if result != 0, errno == ENOTSUP || errno == EINVAL || errno == ENOTTY {
          result = fsync(descriptor)
        }
      #else
        result = fdatasync(descriptor)
      #endif
    } while result != 0 && errno == EINTR
    if result != 0 { throw PosixFailure.error(.cannotSync, "sync", file: name) }
  }

  package func truncate(to size: UInt64) throws(LogError) {
    var result: Int32
    repeat {
      result = ftruncate(descriptor, off_t(size))
    } while result != 0 && errno == EINTR
    if result != 0 { throw PosixFailure.error(.cannotWrite, "cut", file: name, offset: size) }
  }

  /// On Darwin by `flock`: a record lock there belongs to the process, and a reader of the same
  /// process would drop it by closing its own descriptor.
  package func tryLock() throws(LogError) -> Bool {
    #if canImport(Darwin)
      let failure = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
    #else
      let failure = al_lock_exclusive(descriptor)
    #endif
    switch failure {
    case 0: return true
    case EAGAIN, EACCES, EWOULDBLOCK: return false
    default: throw PosixFailure.error(.cannotWrite, "lock", file: name, errno: failure)
    }
  }
}

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension LogReader {
  /// Reads the log at a path: its directory, or one segment's file.
  ///
  /// - Throws: `.missing`, `.notALog`, `.notPermitted`, `.newerFormat`, or a failure to read.
  public init(path: String, _ selection: LogSelection = LogSelection()) throws(LogError) {
    guard PosixFiles.isFile(path) else {
      self = try LogReader(PosixFiles(path: path), selection)
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.dropLast().joined(separator: "/")
    let isRoot = parent.isEmpty && path.hasPrefix("/")
    self = try LogReader(
      segment: String(parts.last ?? ""),
      in: PosixFiles(path: parent.isEmpty ? (isRoot ? "/" : ".") : parent), selection)
  }
}

extension LogTail {
  /// Follows the log in a directory from a seq on.
  public init(
    path: String, from seq: Int64, _ selection: LogSelection = LogSelection()
  ) throws(LogError) {
    self = try LogTail(PosixFiles(path: path), from: seq, selection)
  }
}

extension PosixFiles {
  /// Whether there is something at a path that is no directory.
  static func isFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFDIR
  }
}

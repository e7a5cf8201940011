#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A path as people give it: a log's directory, or one segment's file in some directory.
struct LogPlace {
  let files: PosixFiles
  /// The segment's name; nil when the path is a whole log.
  let segment: String?

  init(_ path: String) {
    guard PosixFiles.isFile(path) else {
      files = PosixFiles(path: path)
      segment = nil
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.dropLast().joined(separator: "/")
    let isRoot = parent.isEmpty && path.hasPrefix("/")
    files = PosixFiles(path: parent.isEmpty ? (isRoot ? "/" : ".") : parent)
    segment = String(parts.last ?? "")
  }
}

extension LogReader {
  /// Reads the log at a path: its directory, or one segment's file.
  ///
  /// - Throws: `.missing`, `.notALog`, `.notPermitted`, `.newerFormat`, or a failure to read.
  public init(path: String, _ selection: LogSelection = LogSelection()) throws(LogError) {
    let place = LogPlace(path)
    self =
      if let segment = place.segment {
        try LogReader(segment: segment, in: place.files, selection)
      } else {
        try LogReader(place.files, selection)
      }
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

internal import ActivityStore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a LOG on the command line is, told by its path and first bytes.
enum LogSource {
  /// A directory, a segment, or nothing at all: whoever opens it says what is wrong.
  case stored
  /// Lines: any other file, a pipe, or `-` for standard input; a log archive too, so that whoever
  /// opens it says what makes lines of it.
  case lines

  init(_ path: String) {
    guard path != "-" else {
      self = .lines
      return
    }
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFDIR else {
      self = InputFile.isArchive(path) ? .lines : .stored
      return
    }
    let isSegment =
      path.hasSuffix(SegmentName.ending)
      || info.st_mode & S_IFMT == S_IFREG && Self.beginsAsSegment(path)
    self = isSegment ? .stored : .lines
  }

  /// Whether something lies at a path; standard input always does.
  static func exists(_ path: String) -> Bool {
    var info = stat()
    return path == "-" || stat(path, &info) == 0
  }

  /// A segment's header: mark and length of its frame, then the signature.
  private static func beginsAsSegment(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8 + SegmentHeader.signature.count)
    let count = read(file, &bytes, bytes.count)
    return count == bytes.count && bytes[8...].elementsEqual(SegmentHeader.signature)
  }
}

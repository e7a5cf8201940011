internal import ActivityCore

/// A file that is read whole because it belongs to the command line: a baseline, suppressions.
enum SmallFile {
  /// Larger ones are refused.
  static let bytesMax = 256 << 20

  static func bytes(_ path: String) throws -> [UInt8] {
    let input: IngestInput
    do {
      input = try IngestInput(path: path)
    } catch {
      throw CommandError(error.message, hint: "check the path")
    }
    if let size = input.size, size > bytesMax { throw tooLarge(path) }
    var bytes: [UInt8] = []
    while bytes.count <= bytesMax {
      let part = try input.next()
      if part.isEmpty { return bytes }
      bytes += part
    }
    throw tooLarge(path)
  }

  private static func tooLarge(_ path: String) -> CommandError {
    CommandError(
      "\(path): larger than \(bytesMax >> 20) MiB", hint: "name the file that was meant")
  }
}

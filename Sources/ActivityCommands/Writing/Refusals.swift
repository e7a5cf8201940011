#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Lines that were not taken: the first five of each reason are said, all are counted, and all are
/// kept where somebody asked for that.
struct Refusals {
  /// One of them.
  struct Refusal {
    /// A stable word to count by.
    var code: String
    /// File and line, and the column where a byte is to blame.
    var place: String
    var sentence: String
    /// The line as it was, without line feed; of one that is too long its first 4 KiB.
    var line: ArraySlice<UInt8>
  }

  private static let examples = 5

  private(set) var count = 0
  private var counts: [(code: String, count: Int)] = []
  private let rejects: RejectsFile?
  private let console: Console

  init(rejects: RejectsFile?, _ console: Console) {
    self.rejects = rejects
    self.console = console
  }

  mutating func add(_ refusal: Refusal) throws(CommandError) {
    count += 1
    let index = counts.firstIndex { $0.code == refusal.code } ?? counts.count
    if index == counts.count { counts.append((refusal.code, 0)) }
    counts[index].count += 1
    if counts[index].count <= Self.examples {
      console.note("\(refusal.place): \(refusal.sentence)")
    }
    try rejects?.append(refusal.line)
  }

  /// Says how many there were of each reason, where not all of them were said.
  func summarize() {
    for (code, count) in counts where count > Self.examples {
      console.note("\(count) lines refused: \(code)")
    }
  }
}

/// Refused lines, appended as they were.
final class RejectsFile {
  private let path: String
  private let descriptor: Int32

  /// - Throws: When the file cannot be opened for appending.
  init(path: String) throws(CommandError) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    #if canImport(Glibc)
      descriptor = Glibc.open(path, flags, 0o600)
    #else
      descriptor = Darwin.open(path, flags, 0o600)
    #endif
    self.path = path
    guard descriptor >= 0 else {
      throw CommandError("\(path): cannot open for refused lines: \(Process.reason(errno))")
    }
  }

  deinit { close(descriptor) }

  func append(_ line: ArraySlice<UInt8>) throws(CommandError) {
    let sink = DescriptorSink(descriptor)
    var rest = Array(line) + [UInt8(ascii: "\n")]
    while !rest.isEmpty {
      do {
        let taken = try rest.withUnsafeBytes { try sink.write($0) }
        rest.removeFirst(taken)
      } catch OutputError.refused(let number) {
        throw CommandError("\(path): cannot write refused lines: \(Process.reason(number))")
      } catch {
        throw CommandError("\(path): its reader went away")
      }
    }
  }
}

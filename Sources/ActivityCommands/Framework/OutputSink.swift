#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where bytes of a run end: a descriptor, or memory in a test.
package protocol OutputSink: AnyObject {
  /// Takes at least one and at most all of the bytes, and says how many.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) -> Int
}

/// Why bytes could not be written.
package enum OutputError: ExplainedError, Equatable {
  /// The reader went away; nothing is to be said about it.
  case closedPipe
  /// The system refused, with its number.
  case refused(Int32)

  package var message: String {
    switch self {
    case .closedPipe: "the reader of standard output went away"
    case .refused(let number): "cannot write standard output: \(Process.reason(number))"
    }
  }

  package var hint: String? {
    switch self {
    case .refused(ENOSPC): "free some space and run it again; what was printed is incomplete"
    case .refused, .closedPipe: nil
    }
  }

  package var status: ExitStatus {
    switch self {
    case .closedPipe: .closedPipe
    case .refused: .couldNotRun
    }
  }
}

/// A file descriptor that may take less than it is given.
final class DescriptorSink: OutputSink {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) -> Int {
    while true {
      #if canImport(Glibc)
        let taken = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      #else
        let taken = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
      if taken > 0 { return taken }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE: throw .closedPipe
      default: throw .refused(taken == 0 ? EIO : errno)
      }
    }
  }

  private func waitUntilWritable() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&waiting, 1, -1)
  }
}

/// What was written, kept.
package final class MemorySink: OutputSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Everything so far as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
  /// Its lines, without an empty one after the last newline.
  package var lines: [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  package func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    self.bytes += bytes
    return bytes.count
  }
}

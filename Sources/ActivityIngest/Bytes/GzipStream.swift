internal import CZlib

/// Gzip members one after the other, as `cat a.gz b.gz` leaves them, and zeros behind them.
///
/// It holds what zlib does: 32 KiB of window and about 10 KiB besides.
final class GzipStream: Unpacking {
  private static let memberStart: UInt8 = 0x1F

  /// At an address of its own, because zlib keeps it.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether a member has ended and no other begun.
  private(set) var isComplete = false

  init() throws(InputProblem) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // The largest window, and 16 more: a gzip header and no other.
    let code = inflateInit2_(
      stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw .noMemory(.gzip) }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  func step(
    _ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> UnpackStep {
    var step = UnpackStep()
    if isComplete {
      step.taken = input.prefix { $0 == 0 }.count
      guard step.taken < input.count else { return step }
      guard input[step.taken] == Self.memberStart else {
        step.problem = .trailing(.gzip)
        return step
      }
      inflateReset(stream)
      isComplete = false
    }
    inflate(UnsafeRawBufferPointer(rebasing: input[step.taken...]), into: room, &step)
    return step
  }

  private func inflate(
    _ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    _ step: inout UnpackStep
  ) {
    let given = UInt32(clamping: input.count)
    let space = UInt32(clamping: room.count)
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = given
    stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = space
    let code = CZlib.inflate(stream, Z_NO_FLUSH)
    step.taken += Int(given - stream.pointee.avail_in)
    step.made = Int(space - stream.pointee.avail_out)
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isComplete = true
    case Z_MEM_ERROR: step.problem = .noMemory(.gzip)
    default:
      let detail = stream.pointee.msg.map { String(cString: $0) }
      step.problem = .damaged(.gzip, detail ?? "zlib says \(code)")
    }
    stream.pointee.next_in = nil
    stream.pointee.next_out = nil
  }
}

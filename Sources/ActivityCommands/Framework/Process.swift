internal import ActivityCore
internal import ActivityStore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The calls behind the live environment.
enum Process {
  /// The wall clock, to the microsecond.
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let micros = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    return Timestamp(microseconds: micros)
  }

  static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  static func directory() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  static func terminalWidth(columns: String?) -> Int {
    if let columns = columns.flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return Int(size.ws_col)
      }
    }
    return 80
  }

  static func readInput(_ count: Int) throws(CommandError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = -1
      repeat {
        got = read(STDIN_FILENO, buffer.baseAddress, count)
        failure = got < 0 ? errno : 0
      } while failure == EINTR
      filled = max(0, got)
    }
    guard failure == 0 else {
      throw CommandError("cannot read standard input: \(reason(failure))")
    }
    return bytes
  }

  /// The system's words for an error number.
  static func reason(_ number: Int32) -> String {
    String(cString: strerror(number))
  }

  /// Waits; Ctrl-C or a termination signal during or before the wait makes it false. Whoever
  /// never waits dies of the signal as usual, and a second Ctrl-C always kills.
  static func pause(_ span: Timestamp.Span) -> Bool { wait(nil, atMost: span) }

  /// Waits until something watched has changed, or that long where a longest wait is given; false
  /// as for `pause`.
  static func wait(_ watch: ChangeWatch?, atMost span: Timestamp.Span?) -> Bool {
    _ = noticesSignals
    let end = span.map { monotonicMicroseconds() + max(0, $0.microseconds) }
    var waiting = [pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0)]
    if let watch {
      waiting.append(pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0))
    }
    while true {
      let left = end.map { max(0, $0 - monotonicMicroseconds()) }
      let milliseconds = left.map { Int32(clamping: ($0 + 999) / 1_000) } ?? -1
      let ready = poll(&waiting, nfds_t(waiting.count), milliseconds)
      if ready > 0, waiting[0].revents != 0 { return false }
      if ready > 0, let watch, watch.takeChanges() { return true }
      if ready == 0, let left, left <= Int64(milliseconds) * 1_000 { return true }
    }
  }

  private static func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// A pipe the signal handlers write a byte into, made and armed on first use.
  private static let wake: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    _ = ends.withUnsafeMutableBufferPointer { pipe($0.baseAddress) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// Lets `pause` notice signals; one that the parent chose to ignore stays ignored.
  private static let noticesSignals: Void = {
    _ = wake
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { number in
        var byte: UInt8 = 1
        _ = write(Process.wake.writing, &byte, 1)
        _ = signal(number, SIG_DFL)
      }
      let wasIgnored = unsafeBitCast(before, to: Int.self) == 1
      if wasIgnored { _ = signal(number, SIG_IGN) }
    }
  }()
}

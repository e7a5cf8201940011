import ActivityCore
import ActivityStore
import ActivityTestSupport
import Foundation
import Testing

/// Logs made from lines, in memory, and read back as lines.
struct LogScript {
  let files = MemoryFiles()
  /// Microseconds; every batch is one second later than the one before.
  let clock = ManualClock()

  func create() throws -> LogWriter {
    try LogWriter(
      CommitWriter.create(in: files, id: Samples.id, options: Samples.options()),
      clock: clock.now)
  }

  func open() throws -> LogWriter {
    try LogWriter(CommitWriter.open(in: files, options: Samples.options()), clock: clock.now)
  }

  static func batch(_ lines: [String], restoring: Bool = false) -> EventColumns {
    var reader = LineReader(restoring: restoring)
    for (number, line) in lines.enumerated() {
      let outcome = reader.read(ArraySlice(Array(line.utf8)), number: number + 1)
      #expect(outcome == .row, "\(line)")
    }
    return reader.finish()
  }

  /// Every line of the log, as an export spells it; nil for a row whose content is lost.
  func lines(
    _ selection: LogSelection = LogSelection()
  ) throws -> (lines: [String?], end: LogEnd) {
    var reader = try LogReader(files, selection)
    var lines: [String?] = []
    var rows = RowReader()
    while let batch = try reader.next() {
      for row in rows.rows(of: batch) {
        lines.append(LineWriter().line(row).map { String(decoding: $0, as: UTF8.self) })
      }
    }
    return (lines, reader.end)
  }

  /// A start, an update and an end of activity `number`, with content.
  static func story(_ number: Int) -> [String] {
    let id = "activity-\(number)"
    let token = "sha256:" + hex(number)
    return [
      #"{"event":"start","activity-id":"\#(id)","key":"K-\#(number)","#
        + #""attributes":{"n":\#(number)}}"#,
      #"{"event":"update","token":"\#(token)","content-state":{"step":2},"#
        + #""apns-id":"p\#(number)"}"#,
      #"{"event":"response","apns-id":"p\#(number)","status":200}"#,
      #"{"event":"end","activity-id":"\#(id)","dismissal-policy":"immediate"}"#,
    ]
  }

  private static func hex(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// A clock that moves one second each time it is asked.
final class ManualClock: @unchecked Sendable {
  private let guardian = NSLock()
  private var time: Int64 = 1_700_000_000_000_000

  var now: @Sendable () -> Int64 {
    {
      self.guardian.withLock {
        self.time += 1_000_000
        return self.time
      }
    }
  }
}

import ActivityCore
import ActivityStore
import ActivityTestSupport
import Testing

/// Logs to be packed, in memory.
struct PackScript {
  let log = LogScript()
  var files: MemoryFiles { log.files }

  /// Two sealed segments of small commits, with cursors, a hole in the seqs and every kind of
  /// column, and an active segment behind them.
  static func small() throws -> PackScript {
    let script = PackScript()
    let writer = try script.log.create()
    for number in 0..<30 {
      _ = try writer.append(
        LogScript.batch(lines(number)), cursors: [cursor(number % 3, at: number)])
    }
    try writer.seal()
    let hole = #"{"seq":1000,"recorded-at":"2023-11-14T22:15:00Z","event":"end","key":"K-3"}"#
    _ = try writer.append(LogScript.batch([hole], restoring: true))
    for number in 30..<40 {
      _ = try writer.append(
        LogScript.batch(lines(number)), cursors: [cursor(1, at: number)])
    }
    try writer.seal()
    _ = try writer.append(LogScript.batch(lines(40)))
    return script
  }

  static func cursor(_ feed: Int, at number: Int) -> IngestCursor {
    IngestCursor(feed: [7, UInt8(feed)], position: UInt64(number) * 100, check: [UInt8(number)])
  }

  /// Events of three activities that also appear elsewhere.
  static func lines(_ number: Int) -> [String] {
    let (card, device) = ("activity-\(number)", "D\(number % 4)")
    return LogScript.story(number) + [
      #"{"event":"inventory","device":"\#(device)","activities":["#
        + #"{"activity-id":"\#(card)","state":"active"},"#
        + #"{"activity-id":"activity-\#(number / 2)","state":"ended"}]}"#,
      #"{"event":"update","activity-id":"activity-\#(number / 3)","id":"i-\#(number)","#
        + #""timestamp":17000000\#(10 + number),"stale-date":17000900\#(10 + number),"#
        + #""recorder":"push-\#(number % 2)"}"#,
      #"{"event":"authorization","device":"\#(device)","enabled":true,"#
        + #""os":"18.\#(number % 3)"}"#,
      #"{"event":"never heard of","key":"K-\#(number)","é":[1,2,{"x":"\\n"}]}"#,
    ]
  }

  /// Packs everything there is; the segments that were.
  @discardableResult
  static func pack(_ files: any LogFiles) throws -> (done: [PackedSegment], end: LogPacking.End) {
    var packing = try LogPacking(files)
    var done: [PackedSegment] = []
    while let segment = try packing.next() { done.append(segment) }
    return (done, packing.end)
  }

  /// Every line of a log as an export spells it, and nothing damaged.
  static func lines(
    _ files: any LogFiles, _ selection: LogSelection = LogSelection()
  ) throws -> [String] {
    var reader = try LogReader(files, selection)
    var lines: [String] = []
    var rows = RowReader()
    while let batch = try reader.next() { lines += spell(batch, &rows) }
    #expect(reader.end.damage.isEmpty && reader.end.tornTail == nil, "\(reader.end)")
    return lines
  }

  static func spell(_ batch: EventColumns, _ rows: inout RowReader) -> [String] {
    rows.rows(of: batch).map { row in
      LineWriter().line(row).map { String(decoding: $0, as: UTF8.self) } ?? "lost \(row.seq)"
    }
  }

  /// The content of a segment's headers.
  static func header(_ name: String, _ files: any LogFiles) throws -> SegmentHeader {
    try SegmentScanner(try files.open(name, .read)).header
  }
}

internal import ActivityCore

/// A row of `log show` in one of its styles for people.
struct LogRow: Sendable {
  enum Style: Sendable {
    /// Time with zone, host, `process[pid]:`.
    case syslog
    /// Milliseconds without zone, a short type, `process[pid:thread]`.
    case compact
    /// Time with zone, thread, type, activity, pid, time to live, `process:`.
    case table
  }

  /// Date and time of day, as they stand there.
  private(set) var timeText = ""
  private(set) var message = LogMessage()

  private static let types: Set<String> = ["Df", "I", "In", "Db", "E", "Er", "F", "Ft", "A", "Ac"]

  /// - Returns: nil when the line is no row of this style.
  init?(_ line: [UInt8], _ style: Style) {
    var scanner = RowScanner(line)
    guard let time = scanner.dateTime() else { return nil }
    timeText = time
    let hasZone = time.dropFirst(19).contains { $0 == "+" || $0 == "-" || $0 == "Z" }
    switch style {
    case .syslog:
      guard hasZone, let host = scanner.word(), scanner.process(&message) else { return nil }
      message.host = host
      if scanner.takes("<") { scanner.pass(">") }
      guard scanner.takes(":") else { return nil }
    case .compact:
      guard let type = scanner.word(), Self.types.contains(type), scanner.process(&message) else {
        return nil
      }
      _ = scanner.takes(":")
    case .table:
      guard hasZone, let thread = scanner.word(), thread.hasPrefix("0x"), scanner.word() != nil,
        let activity = scanner.word(), activity.hasPrefix("0x"), let pid = scanner.word(),
        pid.allSatisfy(\.isNumber), scanner.word() != nil, let name = scanner.name(before: ":")
      else { return nil }
      message.process = name
      message.pid = pid
      message.thread = thread
    }
    if scanner.takes("(") { scanner.pass(")") }
    if let (subsystem, category) = scanner.label() {
      message.subsystem = subsystem
      message.category = category
    }
    message.message = scanner.rest()
  }

  /// The row with its time.
  func message(_ times: SourceTime) -> LogMessage {
    var message = message
    message.time = LogMessage.Time(timeText, times)
    return message
  }
}

/// Reads a row from left to right.
struct RowScanner {
  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func skipBlanks() {
    while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// `2026-11-20 18:04:05.123456+0100`.
  mutating func dateTime() -> String? {
    let shape = Array("0000-00-00 00:00:00".utf8)
    guard bytes.count > shape.count else { return nil }
    for (byte, wanted) in zip(bytes, shape) {
      let isDigit = byte >= 0x30 && byte <= 0x39
      guard wanted == 0x30 ? isDigit : byte == wanted else { return nil }
    }
    place = bytes.firstIndex(of: 0x20).map { $0 + 1 } ?? bytes.count
    while place < bytes.count, bytes[place] > 0x20 { place += 1 }
    return text(0..<place)
  }

  mutating func word() -> String? {
    skipBlanks()
    let start = place
    while place < bytes.count, bytes[place] > 0x20 { place += 1 }
    return place > start ? text(start..<place) : nil
  }

  /// `Coffee App[412]`, `Coffee App[412:1f03]`.
  mutating func process(_ message: inout LogMessage) -> Bool {
    skipBlanks()
    let start = place
    var next = place
    while let open = bytes[next...].firstIndex(of: UInt8(ascii: "[")) {
      let pid = bytes[(open + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
      next = open + 1
      guard !pid.isEmpty, open > start else { continue }
      var end = pid.endIndex
      if end < bytes.count, bytes[end] == UInt8(ascii: ":") {
        end = bytes[(end + 1)...].prefix { HexDigit.value($0) != nil || $0 == 0x78 }.endIndex
        message.thread = text((pid.endIndex + 1)..<end)
      }
      guard end < bytes.count, bytes[end] == UInt8(ascii: "]") else { continue }
      message.process = text(start..<open)
      message.pid = text(pid.startIndex..<pid.endIndex)
      place = end + 1
      return true
    }
    return false
  }

  /// A name that may hold blanks.
  mutating func name(before mark: Character) -> String? {
    skipBlanks()
    guard let mark = mark.asciiValue, let end = bytes[place...].firstIndex(of: mark), end > place
    else { return nil }
    let name = text(place..<end)
    place = end + 1
    return name
  }

  /// Whether a mark stands next, which is then behind us.
  mutating func takes(_ mark: Character) -> Bool {
    let start = place
    skipBlanks()
    guard place < bytes.count, bytes[place] == mark.asciiValue else {
      place = start
      return false
    }
    place += 1
    return true
  }

  mutating func pass(_ mark: Character) {
    guard let mark = mark.asciiValue, let end = bytes[place...].firstIndex(of: mark) else { return }
    place = end + 1
  }

  /// `[subsystem:category]`.
  mutating func label() -> (String, String)? {
    let start = place
    guard takes("[") else { return nil }
    let inside = bytes[place...].prefix { $0 != UInt8(ascii: "]") && $0 > 0x20 }
    guard inside.endIndex < bytes.count, bytes[inside.endIndex] == UInt8(ascii: "]"),
      let colon = inside.firstIndex(of: UInt8(ascii: ":"))
    else {
      place = start
      return nil
    }
    place = inside.endIndex + 1
    return (text(inside.startIndex..<colon), text((colon + 1)..<inside.endIndex))
  }

  mutating func rest() -> String {
    skipBlanks()
    return text(place..<bytes.count)
  }
}

/// A whole export in one of these styles.
struct LogRows: Sendable {
  private let style: LogRow.Style
  private let times: SourceTime
  private var events: MessageEvents

  init(_ style: LogRow.Style, _ dialect: String, _ settings: SourceSettings) {
    self.style = style
    times = SourceTime(settings)
    events = MessageEvents(dialect, settings)
  }

  mutating func read(
    _ record: SourceRecord, into drafts: inout [EventDraft]
  ) -> RecordOutcome {
    if let row = LogRow(record.bytes, style) {
      return events.read(row.message(times), of: record, into: &drafts)
    }
    let isHeader = ["Timestamp", "Filtering the log data", "Skipping "].contains {
      record.bytes.starts(with: $0.utf8)
    }
    return .skipped(isHeader ? "header" : "continuation line")
  }

  mutating func finish(into drafts: inout [EventDraft]) { events.finish(into: &drafts) }
}

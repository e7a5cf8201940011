internal import ActivityCore

/// A line of a console: what an app printed, with whatever its author and Xcode put before it.
struct ConsoleLine {
  private(set) var message = LogMessage()

  /// How far into a line its time may stand.
  private static let headBytesMax = 96
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  init(_ line: [UInt8], _ times: SourceTime) {
    let bytes = Self.withoutEscapes(line)
    message.message = String(decoding: bytes, as: UTF8.self)
    var place = 0
    while place < min(bytes.count, Self.headBytesMax) {
      let byte = bytes[place]
      if byte >= 0x30, byte <= 0x39 {
        takeTime(bytes, place, times)
        return
      }
      guard CapturedText.isWordByte(byte), byte != UInt8(ascii: "-") else {
        place += 1
        continue
      }
      let word = bytes[place...].prefix { CapturedText.isWordByte($0) || $0 == UInt8(ascii: ".") }
      if Self.months.contains(String(decoding: word, as: UTF8.self)),
        Self.clock(bytes, after: word.endIndex)
      {
        message.time = .noDate
        return
      }
      guard Self.isTag(word, in: bytes) else { return }
      place = word.endIndex
    }
  }

  /// Whether a word stands in brackets, or is a level in capitals, and not part of a message.
  private static func isTag(_ word: ArraySlice<UInt8>, in bytes: [UInt8]) -> Bool {
    if word.startIndex > 0, word.endIndex < bytes.count {
      let around = (bytes[word.startIndex - 1], bytes[word.endIndex])
      if around == (UInt8(ascii: "["), UInt8(ascii: "]")) { return true }
      if around == (UInt8(ascii: "<"), UInt8(ascii: ">")) { return true }
    }
    return word.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// `20 18:04:05`, as syslog has it behind the month.
  private static func clock(_ bytes: [UInt8], after place: Int) -> Bool {
    let words = bytes[place...].prefix(20).split(separator: 0x20)
    return words.count >= 2 && words[1].count(where: { $0 == UInt8(ascii: ":") }) == 2
  }

  private mutating func takeTime(_ bytes: [UInt8], _ start: Int, _ times: SourceTime) {
    let run = bytes[start...].prefix { byte in
      byte >= 0x30 && byte <= 0x39 || "-/:.,TZ+".utf8.contains(byte)
    }
    let colons = run.count { $0 == UInt8(ascii: ":") }
    if colons >= 2,
      run.first(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") }) == nil
        || run.firstIndex(of: UInt8(ascii: ":")) == run.startIndex + 2
    {
      message.time = .noDate
      return
    }
    var words = [String(decoding: run, as: UTF8.self)]
    var rest = bytes[run.endIndex...]
    while words.count < 3, rest.first == 0x20 {
      let next = rest.dropFirst().prefix { byte in
        byte >= 0x30 && byte <= 0x39 || ":.,+-Z".utf8.contains(byte)
      }
      let isClock = words.count == 1 && colons == 0 && next.contains(UInt8(ascii: ":"))
      let isZone = next.count >= 3 && (next.first == 0x2B || next.first == 0x2D)
      guard isClock || isZone else { break }
      words.append(String(decoding: next, as: UTF8.self))
      rest = bytes[next.endIndex...]
    }
    let text = words.joined(separator: " ")
    guard text.contains(":"), text.count >= 16 else { return }
    message.time = LogMessage.Time(text, times)
    takeProcess(rest)
  }

  /// `CoffeeApp[412:1f03] message`, as Xcode has it behind the time.
  private mutating func takeProcess(_ rest: ArraySlice<UInt8>) {
    guard rest.first == 0x20 else { return }
    var head = LogMessage()
    var scanner = RowScanner(Array(rest))
    guard scanner.process(&head), !head.process.contains(" ") else { return }
    message.process = head.process
    message.pid = head.pid
    message.thread = head.thread
    _ = scanner.takes(":")
    if let (subsystem, category) = scanner.label() {
      message.subsystem = subsystem
      message.category = category
    }
    message.message = scanner.rest()
  }

  /// A line without the sequences that colour a terminal.
  static func withoutEscapes(_ line: [UInt8]) -> [UInt8] {
    let escape: UInt8 = 0x1B
    guard line.contains(escape) else { return line }
    var bytes: [UInt8] = []
    var place = 0
    while place < line.count {
      guard line[place] == escape else {
        bytes.append(line[place])
        place += 1
        continue
      }
      place += 1
      guard place < line.count else { break }
      if line[place] == UInt8(ascii: "[") {
        let end = line[(place + 1)...].firstIndex { (0x40...0x7E).contains($0) }
        place = end.map { $0 + 1 } ?? line.count
      } else if line[place] == UInt8(ascii: "]") {
        let end = line[place...].firstIndex { $0 == 0x07 || $0 == escape }
        place = end.map { line[$0] == escape ? $0 + 2 : $0 + 1 } ?? line.count
      } else {
        place += 1
      }
    }
    return bytes
  }
}

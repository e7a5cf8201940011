/// Spells rows as lines: the exact inverse of a `LineReader` that restores.
///
/// Members go out in one order: `seq`, `recorded-at`, `at`, `event`, handles, scope, the other
/// lifted members by column number, then what the payload holds, untouched. What the payload
/// holds is never written from a column, so odd spellings survive.
public struct LineWriter: Sendable {
  /// Whether lines carry `seq` and `recorded-at`, which a restore needs.
  public let isStamped: Bool

  private let words = LineName.words
  private static let others: [Member] = Member.allCases.filter { member in
    ![.token, .channel, .key, .contentBytes].contains(member)
  }
  private static let handles: [(HandleKind, LineName, Member?)] = [
    (.activity, .activityID, nil), (.token, .member(.token), .token),
    (.channel, .member(.channel), .channel), (.key, .member(.key), .key),
  ]

  /// A writer of lines, with or without what a log stamps.
  public init(stamped: Bool = true) { isStamped = stamped }

  /// A row as a line without line feed; nil when its payload or a name of it is lost.
  public func line(_ row: EventRow) -> [UInt8]? {
    var line: [UInt8] = []
    return append(row, to: &line) ? line : nil
  }

  /// Adds a row's line, without line feed.
  ///
  /// - Returns: false, and nothing added, when its payload or a name of it is lost.
  public func append(_ row: EventRow, to line: inout [UInt8]) -> Bool {
    guard let range = row.contents.lines[row.row] else { return false }
    let start = line.count
    let isWritten = row.contents.lines.bytes.withUnsafeBytes { bytes in
      append(row, UnsafeRawBufferPointer(rebasing: bytes[range]), to: &line)
    }
    if !isWritten { line.removeSubrange(start...) }
    return isWritten
  }

  private func append(
    _ row: EventRow, _ payload: UnsafeRawBufferPointer, to line: inout [UInt8]
  ) -> Bool {
    var members: [JSONMember] = []
    guard case .success(.object) = JSONScanner.members(of: payload, into: &members) else {
      return false
    }
    let present = names(of: members, payload)
    line.append(UInt8(ascii: "{"))
    appendStamps(row, to: &line)
    if row.kind != .unknown, !present.contains(.event) {
      appendName("event", to: &line)
      JSONText.append(row.kind.word.utf8, to: &line)
    }
    guard appendSubject(row, present, to: &line), appendOthers(row, present, to: &line) else {
      return false
    }
    if let first = members.first, let last = members.last {
      appendComma(to: &line)
      line.append(
        contentsOf: payload[(first.name.lowerBound - 1)..<last.value.range.upperBound])
    }
    line.append(UInt8(ascii: "}"))
    return true
  }

  private func names(
    of members: [JSONMember], _ payload: UnsafeRawBufferPointer
  ) -> LineNameSet {
    var present = LineNameSet()
    for member in members {
      let bytes = UnsafeRawBufferPointer(rebasing: payload[member.name])
      var name = words.value(of: bytes)
      if member.nameHasEscapes {
        var text: [UInt8] = []
        JSONText.unescape(bytes, into: &text)
        name = text.withUnsafeBytes { words.value(of: $0) }
      }
      if let name { present.insert(name) }
    }
    return present
  }

  private func appendStamps(_ row: EventRow, to line: inout [UInt8]) {
    if isStamped {
      appendName("seq", to: &line)
      DecimalText.append(row.seq, to: &line)
      appendInstant("recorded-at", row.recordedAt, to: &line)
    }
    appendInstant("at", row.at, to: &line)
  }

  private func appendInstant(_ name: String, _ instant: Timestamp?, to line: inout [UInt8]) {
    guard let instant else { return }
    appendName(name, to: &line)
    line.append(UInt8(ascii: "\""))
    instant.appendText(to: &line)
    line.append(UInt8(ascii: "\""))
  }

  /// Handles and scope; false when a name is lost.
  private func appendSubject(
    _ row: EventRow, _ present: LineNameSet, to line: inout [UInt8]
  ) -> Bool {
    guard let subject = row.entry(Int64(row.contents.columns.subject[row.row])) else {
      return false
    }
    let texts = row.contents.names.texts
    for (kind, name, member) in LineWriter.handles where !present.contains(name) {
      if subject.kind == kind {
        appendText(name, subject.name, texts, to: &line)
      } else if let member, let ordinal = row.value(member) {
        guard let other = row.entry(ordinal) else { return false }
        appendText(name, other.name, texts, to: &line)
      }
    }
    let scope: [(LineName, Int32)] = [
      (.environment, subject.environment), (.bundleID, subject.bundle), (.device, subject.device),
    ]
    for (name, code) in scope where !present.contains(name) {
      appendText(name, code, texts, to: &line)
    }
    return true
  }

  private func appendText(
    _ name: LineName, _ code: Int32, _ texts: TextTable, to line: inout [UInt8]
  ) {
    guard code >= 0 else { return }
    appendName(name.spelling, to: &line)
    JSONText.append(texts, Int(code), to: &line)
  }

  private func appendOthers(
    _ row: EventRow, _ present: LineNameSet, to line: inout [UInt8]
  ) -> Bool {
    for member in LineWriter.others where !present.contains(.member(member)) {
      guard let value = row.value(member) else { continue }
      appendName(member.name, to: &line)
      switch member.storage {
      case .seconds: DecimalText.appendSeconds(value, to: &line)
      case .whole: DecimalText.append(value, to: &line)
      case .flag: line.append(contentsOf: (value == 0 ? "false" : "true").utf8)
      case .word, .text: JSONText.append(row.contents.columns.texts, Int(value), to: &line)
      case .handle:
        guard let other = row.entry(value), other.name >= 0 else { return false }
        JSONText.append(row.contents.names.texts, Int(other.name), to: &line)
      case .size: break
      }
    }
    return true
  }

  private func appendComma(to line: inout [UInt8]) {
    if line.last != UInt8(ascii: "{") { line.append(UInt8(ascii: ",")) }
  }

  private func appendName(_ name: String, to line: inout [UInt8]) {
    appendComma(to: &line)
    line.append(UInt8(ascii: "\""))
    line.append(contentsOf: name.utf8)
    line.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
  }
}

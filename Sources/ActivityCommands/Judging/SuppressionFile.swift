internal import ActivityAudit
internal import ActivityCore

/// `--suppress FILE`: one JSON object a line, with `fingerprint`, `reason` and `until`.
struct SuppressionFile: Sendable {
  /// One line of it.
  struct Entry: Sendable {
    var suppression: Suppression
    /// `file:line`, as messages name it.
    var place: String
    /// `until` as it was written.
    var until: String
  }

  private(set) var entries: [Entry] = []

  /// Reads the files; the first line that is no suppression is an error.
  init(paths: [String]) throws {
    for path in paths {
      let lines = try SmallFile.bytes(path).split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
        entries.append(try SuppressionFile.entry(Array(line), "\(path):\(number + 1)"))
      }
    }
  }

  /// The report without what is suppressed; says which lines are past their date, and how many name
  /// nothing that was found.
  func apply(to report: AuditReport, _ console: Console) -> AuditReport {
    guard !entries.isEmpty else { return report }
    let now = report.coverage.now
    let found = Set(report.findings.map(\.fingerprint))
    var unmatched: Set<String> = []
    for entry in entries {
      let print = entry.suppression.fingerprint
      guard entry.suppression.holds(at: now) else {
        console.note(
          "\(entry.place): the suppression of \(print) ended with \(entry.until) and hides nothing")
        continue
      }
      if !found.contains(print) { unmatched.insert(print) }
    }
    if !unmatched.isEmpty {
      let suppressions = ReportText.count(unmatched.count, "suppression")
      console.note(
        "\(suppressions) matched no finding: \(unmatched.sorted()[0])"
          + (unmatched.count > 1 ? " …" : ""))
    }
    return report.suppressing(entries.map(\.suppression))
  }

  /// The same without a word, for a report that only stands beside another.
  func quietly(_ report: AuditReport) -> AuditReport {
    report.suppressing(entries.map(\.suppression))
  }

  private static let shape =
    #"{"fingerprint":"0123456789abcdef","reason":"why","until":"2026-12-31"}"#

  private static func entry(_ line: [UInt8], _ place: String) throws(CommandError) -> Entry {
    guard let json = JSONSlice(line), json.type == .object else {
      throw error(place, "this is no JSON object")
    }
    let members = Dictionary(
      json.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let digits = members["fingerprint"]?.string ?? ""
    guard digits.utf8.count == 16, digits.utf8.allSatisfy(isLowercaseHex) else {
      throw error(place, "'fingerprint' is not the 16 hex digits of a finding")
    }
    let reason = members["reason"]?.string ?? ""
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw error(place, "'reason' is missing: say why this finding is lived with")
    }
    guard let until = members["until"]?.string else {
      throw error(place, "'until' is missing: name the day on which to look again")
    }
    guard let instant = end(of: until) else {
      throw error(place, "'until' is neither a date nor an RFC 3339 time: '\(until)'")
    }
    return Entry(
      suppression: Suppression(fingerprint: digits, reason: reason, until: instant),
      place: place, until: until)
  }

  /// An instant, or the end of a day in UTC.
  private static func end(of text: String) -> Timestamp? {
    if let instant = Timestamp(rfc3339: text) { return instant }
    return Timestamp(rfc3339: text + "T00:00:00Z").map { $0 + .hours(24) }
  }

  private static func isLowercaseHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  private static func error(_ place: String, _ what: String) -> CommandError {
    CommandError("\(place): \(what)", hint: "one object a line: \(shape)")
  }
}

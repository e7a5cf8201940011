internal import ActivityAudit
internal import ActivityCore

/// A table for spreadsheets and `--group-by`'s own: a header, then a row a finding or a group.
///
/// Lines end with a line feed; cells are quoted as RFC 4180 says. Text from the log is shown, never
/// obeyed: controls are spelled out, and what a spreadsheet would take for a formula gets a `'`.
enum FindingCSV {
  /// Members of a finding in the order of its JSON; a list is one cell, parted by spaces.
  static let columns = [
    "rule", "severity", "verdict", "scope", "name", "activity-id", "key", "device", "build",
    "attributes-type", "from", "until", "visible-until", "wrong-card-seconds", "count", "first",
    "last", "devices", "evidence", "because", "also", "message", "advice", "fingerprint",
  ]

  /// Columns of the groups' table.
  static let groupColumns = [
    "by", "value", "decided", "leaked", "findings", "findings-per-1000",
    "confirmed-wrong-card-seconds", "inferred-wrong-card-seconds",
  ]

  static func show(_ page: AuditPage, _ console: Console) throws {
    if let comparison = page.comparison {
      try write(groupColumns.map { .plain($0) }, console)
      for group in comparison.groups { try write(row(group, comparison.grouping), console) }
      return
    }
    try write(columns.map { .plain($0) }, console)
    for finding in page.report.findings { try write(row(finding), console) }
  }

  /// One cell.
  enum Cell {
    /// Numbers, times and words of ours.
    case plain(String)
    /// Anything that a log may have put there.
    case text(String?)
  }

  private static func row(_ finding: Finding) -> [Cell] {
    let isNamed = finding.name != FindingScope.unnamed
    return [
      .plain(finding.rule), .plain(finding.severity.rawValue), .plain(finding.verdict.rawValue),
      .plain(finding.scope.rawValue), .text(isNamed ? finding.name : nil),
      .text(finding.activityID), .text(finding.key), .text(finding.device), .text(finding.build),
      .text(finding.attributesType), .plain(finding.from.rfc3339),
      .plain(finding.until?.rfc3339 ?? ""), .plain(finding.visibleUntil?.rfc3339 ?? ""),
      .plain("\(finding.wrongCard.microseconds / 1_000_000)"), .plain("\(finding.count)"),
      .plain("\(finding.first)"), .plain("\(finding.last)"), .plain("\(finding.devices)"),
      .plain(finding.evidence.map { "\($0)" }.joined(separator: " ")),
      .plain(finding.because.map { "\($0.rule):\($0.fingerprint)" }.joined(separator: " ")),
      .plain(finding.also.joined(separator: " ")), .text(finding.message), .text(finding.advice),
      .plain(finding.fingerprint),
    ]
  }

  private static func row(_ group: Comparison.Group, _ by: CardGrouping) -> [Cell] {
    [
      .plain(by.rawValue), .text(group.value), .plain("\(group.decided.cards)"),
      .plain("\(group.decided.leaked)"), .plain("\(group.findings)"),
      .plain(RateText.number(group.perThousand).map { "\($0)" } ?? ""),
      .plain("\(group.headline.confirmed.wrongCard.microseconds / 1_000_000)"),
      .plain("\(group.headline.inferred.wrongCard.microseconds / 1_000_000)"),
    ]
  }

  private static func write(_ cells: [Cell], _ console: Console) throws {
    try console.write(Array((cells.map(spelled).joined(separator: ",") + "\n").utf8))
  }

  /// A cell as it stands in the file.
  static func spelled(_ cell: Cell) -> String {
    switch cell {
    case .plain(let text): return quoted(text)
    case .text(nil): return ""
    case .text(let text?):
      // Controls, tabs and line ends among them, are spelled out and can no longer lead a cell, yet
      // a cell that began with one is marked like a formula.
      let isRisky = text.unicodeScalars.first.map(leadsFormula) ?? false
      return quoted((isRisky ? "'" : "") + Escape.text(text))
    }
  }

  /// Whether a spreadsheet may take a cell that begins so for a formula; the wide forms count where
  /// input is East Asian.
  private static func leadsFormula(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "\n": true
    case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ";")
    }
    guard needsQuotes else { return text }
    var spelled = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { spelled += "\"" }
      spelled.unicodeScalars.append(scalar)
    }
    return spelled + "\""
  }
}

internal import ActivityAudit

/// How an audit is printed: a file in this folder, a case and a line of `show`.
enum AuditFormat: String, CaseIterable {
  case text, json, jsonl, csv, junit, sarif, markdown, ids, keys
  case endPayloads = "end-payloads"

  /// Whether it has a place for groups side by side.
  var compares: Bool {
    switch self {
    case .text, .json, .jsonl, .csv, .markdown: true
    case .junit, .sarif, .ids, .keys, .endPayloads: false
    }
  }

  /// Whether it says itself how the report differs from a baseline.
  var tellsChange: Bool {
    switch self {
    case .text, .json, .sarif, .markdown: true
    case .jsonl, .csv, .junit, .ids, .keys, .endPayloads: false
    }
  }

  func show(_ page: AuditPage, _ console: Console) throws {
    switch self {
    case .text: try ReportText(page, console).show(page.report, all: page.showsAll)
    case .json: try FindingJSON.show(page, console)
    case .jsonl: try FindingJSON.showLines(page, console)
    case .csv: try FindingCSV.show(page, console)
    case .junit: try FindingJUnit.show(page, console)
    case .sarif: try FindingSARIF.show(page, console)
    case .markdown: try FindingMarkdown(page).show(console)
    case .ids: try FindingNames.showIDs(page.report, console)
    // Payloads read the contents of the log, which a page does not hold: the command writes them.
    case .endPayloads: break
    case .keys: try FindingNames.showKeys(page.report, console)
    }
  }
}

internal import ActivityAudit
internal import ActivityCore

/// A report for a pull request or an incident's page: headline, groups, examples.
struct FindingMarkdown {
  private let page: AuditPage
  private var report: AuditReport { page.report }

  init(_ page: AuditPage) { self.page = page }

  func show(_ console: Console) throws {
    var lines = ["# Live Activity audit", ""]
    lines += head()
    lines += changes()
    lines += groupsTable()
    for (number, group) in report.groups.enumerated() { lines += section(group, number + 1) }
    lines += comparison()
    if page.showsAll, !report.findings.isEmpty {
      lines += ["## All findings", ""] + examples(report.findings)
    }
    lines += rest()
    try console.write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  // MARK: Parts

  private func head() -> [String] {
    let coverage = report.coverage
    let headline = report.headline
    guard let window = coverage.window else {
      return ["Covers nothing: no event is selected.", ""]
    }
    var lines = [
      "Covers \(page.time.instant(window.from)) to \(page.time.instant(window.until)), "
        + "\(ReportText.count(coverage.rows, "event")) from "
        + "\(ReportText.count(coverage.recorders.count, "recorder"))."
    ]
    if let asked = page.asked { lines.append(ReportText.asked(asked, page.time)) }
    lines.append("")
    if headline.cards == 0, headline.missingCards == 0 {
      let count = report.findings.count
      let nothing = page.isNarrowed ? "Nothing found by what was asked for." : "Nothing found."
      return lines
        + [
          "**\(count == 0 ? nothing : "No wrong card; \(ReportText.count(count, "finding")).")**",
          "",
        ]
    }
    let facts = [
      (headline.cards, "told people something wrong"),
      (headline.missingCards, "never appeared"),
    ]
    let said = facts.filter { $0.0 > 0 }.map { "\(ReportText.count($0.0, "card")) \($0.1)" }
    lines += ["**\(said.joined(separator: "; ")).**", ""]
    for (word, total) in [("confirmed", headline.confirmed), ("inferred", headline.inferred)]
    where total.cards > 0 {
      lines.append(
        "- \(word): \(ReportText.minutes(total.wrongCard)) on "
          + "\(ReportText.count(total.cards, "card"))")
    }
    return lines + [""]
  }

  private func changes() -> [String] {
    guard let change = page.change else { return [] }
    return ["**\(change.summary)**", ""]
      + (change.worse.isEmpty ? [] : change.worse.map { "- " + escaped($0.line) } + [""])
  }

  private func groupsTable() -> [String] {
    guard !report.groups.isEmpty else { return [] }
    let head = [
      "#", "Rule", "Severity", "Confirmed", "Inferred", "Wrong-card minutes", "Type", "Build",
      "Began",
    ]
    let rows = report.groups.enumerated().map { number, group -> [String] in
      let wrong = group.headline.confirmed.wrongCard.microseconds
        .addingClamped(group.headline.inferred.wrongCard.microseconds)
      return [
        "\(number + 1)", group.rule, group.severity.rawValue, "\(group.confirmed)",
        "\(group.inferred)", ReportText.grouped(wrong / 60_000_000),
        escaped(group.attributesType ?? ""), escaped(group.build ?? ""),
        page.time.instant(group.first),
      ]
    }
    return table(head, rows)
  }

  private func section(_ group: FindingGroup, _ number: Int) -> [String] {
    let cause = group.examples.first { $0.fingerprint == group.cause }
    var lines = ["## \(number). \(group.rule)", ""]
    if let cause { lines += [escaped(cause.message), ""] }
    let examples = group.examples.filter { $0.fingerprint != cause?.fingerprint }
    if !examples.isEmpty { lines += self.examples(examples) }
    let shown = group.examples.count
    if group.count > shown { lines += ["… \(group.count - shown) more.", ""] }
    if let advice = (cause ?? group.examples.first)?.advice {
      lines += ["What to do: \(escaped(advice))", ""]
    }
    return lines
  }

  private func examples(_ findings: [Finding]) -> [String] {
    let rows = findings.map { finding in
      [
        escaped(finding.key ?? finding.name)
          + (page.change?.isNew(finding) ?? false ? " **new**" : ""),
        finding.rule, finding.verdict.rawValue, page.time.instant(finding.from),
        finding.until.map(page.time.instant) ?? "", escaped(finding.device ?? ""),
        escaped(finding.message),
      ]
    }
    return table(["Card", "Rule", "Verdict", "From", "Until", "Device", "What"], rows)
  }

  private func comparison() -> [String] {
    guard let comparison = page.comparison else { return [] }
    let by = comparison.grouping.rawValue
    let rows = comparison.groups.map { group in
      [
        group.value.map(escaped) ?? "", "\(group.decided.cards)", "\(group.decided.leaked)",
        "\(group.findings)", RateText.text(group.perThousand),
        ReportText.grouped(group.headline.confirmed.wrongCard.microseconds / 60_000_000),
        ReportText.grouped(group.headline.inferred.wrongCard.microseconds / 60_000_000),
      ]
    }
    return ["## By \(by)", ""]
      + table(
        [
          by, "Decided cards", "Leaked", "Findings", "Per 1,000 decided", "Confirmed minutes",
          "Inferred minutes",
        ], rows)
  }

  private func rest() -> [String] {
    var parts = ["\(ReportText.count(report.liveCount, "card")) still live"]
    if report.infoCount > 0 { parts.append(ReportText.count(report.infoCount, "info")) }
    if !report.suppressed.isEmpty { parts.append("\(report.suppressed.count) suppressed") }
    let skipped = report.coverage.notJudged.map(\.rule)
    if !skipped.isEmpty { parts.append("not judged: \(skipped.joined(separator: ", "))") }
    let uncovered = page.uncovered.map { "- \(escaped($0.recorder)): \(escaped($0.why))" }
    return [parts.joined(separator: "; ") + "."]
      + (uncovered.isEmpty ? [] : ["", "Coverage is missing:", ""] + uncovered)
  }

  // MARK: Marks

  private func table(_ head: [String], _ rows: [[String]]) -> [String] {
    let lines = [head, head.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" } + [""]
  }

  private func escaped(_ text: String) -> String { FindingMarkdown.escaped(text) }

  /// A text that Markdown shows as it is: no markup, link, cell, HTML; and nobody is notified.
  static func escaped(_ text: String) -> String {
    var shown = ""
    for scalar in Escape.text(text).unicodeScalars {
      switch scalar {
      case "<": shown += "&lt;"
      case ">": shown += "&gt;"
      case "&": shown += "&amp;"
      case "\\", "`", "*", "_", "{", "}", "[", "]", "|", "~", "$": shown += "\\\(scalar)"
      // The pages that this is for make a mention or a reference of what follows them.
      case "@", "#": shown += "\(scalar)<!-- -->"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    // What such pages take for a link without being told.
    for word in ["://", "www.", "WWW.", "Www.", "GH-"] {
      shown = shown.replacing(word, with: "\(word.dropLast())<!-- -->\(word.suffix(1))")
    }
    return shown
  }
}

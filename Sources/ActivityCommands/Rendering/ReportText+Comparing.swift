internal import ActivityAudit
internal import ActivityCore

/// Groups side by side, and what is different from a baseline.
extension ReportText {
  init(_ page: AuditPage, _ console: Console) {
    time = page.time
    self.console = console
    command = page.command
    asked = page.asked
    isNarrowed = page.isNarrowed
    comparison = page.comparison
    change = page.change
    assumed = page.assumed
  }

  /// More groups than this are cut; `-o csv` has all.
  private static let groupsMax = 20

  func printComparison() throws {
    if let change {
      try console.line("")
      try console.line(Styled("\(ReportText.capitalized(change.summary)).", .bold))
      for worse in change.worse { try console.line(Styled("   " + worse.line, .red)) }
    }
    guard let comparison else { return }
    try console.line("")
    var table = Table([
      .text(comparison.grouping.rawValue.uppercased()), .number("DECIDED"), .number("LEAKED"),
      .number("FINDINGS"), .number("PER 1,000"), .number("MIN CONFIRMED"),
      .number("MIN INFERRED"),
    ])
    for group in comparison.groups.prefix(ReportText.groupsMax) {
      let totals = [group.headline.confirmed, group.headline.inferred]
      table.add(
        [Styled(group.value ?? "-")]
          + [group.decided.cards, group.decided.leaked, group.findings].map {
            Styled(ReportText.grouped(Int64($0)))
          } + [Styled(RateText.text(group.perThousand))]
          + totals.map { Styled(ReportText.grouped($0.wrongCard.microseconds / 60_000_000)) })
    }
    for line in table.lines(width: console.width) { try console.line(line) }
    let more = comparison.groups.count - ReportText.groupsMax
    if more > 0 {
      try console.line(
        Styled("… \(more) more: \(command) --group-by \(comparison.grouping.rawValue) -o csv", .dim)
      )
    }
    try wrapped(
      "Decided cards were ended by anybody or left behind; findings of cards that still live are "
        + "left out.")
  }

  /// A card's name, marked when the baseline does not have the finding.
  func label(_ finding: Finding) -> String {
    (finding.key ?? finding.name) + (change?.isNew(finding) ?? false ? " (new)" : "")
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

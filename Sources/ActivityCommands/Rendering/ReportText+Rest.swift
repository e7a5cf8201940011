internal import ActivityAudit
internal import ActivityCore

/// What does not get a paragraph of its own, so that a report of the worst day is read in one go.
extension ReportText {
  /// With up to so many groups each gets its examples.
  private static let groupsInFull = 8
  /// With more, so many do, the worst first; the others get one line a rule.
  private static let groupsAhead = 3
  /// Examples of each of those.
  private static let examplesAhead = 3

  /// Groups one by one, then the others rule by rule.
  func printGroups(_ report: AuditReport) throws {
    let isLong = report.groups.count > ReportText.groupsInFull
    let ahead = isLong ? ReportText.groupsAhead : report.groups.count
    var advised: Set<String> = []
    for (number, group) in report.groups.prefix(ahead).enumerated() {
      try console.line("")
      let examplesMax = isLong ? ReportText.examplesAhead : Int.max
      try show(group, number: number + 1, examplesMax: examplesMax, report)
      // The same advice is said once, however many types and builds it is for.
      guard advised.insert(group.rule).inserted else { continue }
      if let advice = (cause(of: group) ?? group.examples.first)?.advice {
        try wrapped("→ " + advice, indent: 3)
      }
    }
    if isLong { try printRules(Array(report.groups.dropFirst(ahead))) }
  }

  /// One line a rule: how often, how long, and what the first of them is.
  private func printRules(_ groups: [FindingGroup]) throws {
    var order: [String] = []
    var ofRule: [String: [FindingGroup]] = [:]
    for group in groups {
      if ofRule[group.rule] == nil { order.append(group.rule) }
      ofRule[group.rule, default: []].append(group)
    }
    try console.line("")
    try console.line(
      Styled("And \(ReportText.count(groups.count, "group")) more, by rule:", .bold)
        + Styled("  \(command) --rule RULE shows one", .dim))
    var table = Table([
      .text(""), .text(""), .number(""), .number(""), .text("", shrinks: true),
    ])
    for rule in order {
      let groups = ofRule[rule] ?? []
      let minutes = groups.reduce(Int64(0)) { sum, group in
        let (confirmed, inferred) = (group.headline.confirmed, group.headline.inferred)
        return sum.addingClamped(
          (confirmed.wrongCard.microseconds + inferred.wrongCard.microseconds) / 60_000_000)
      }
      table.add([
        Styled("   \(rule)"), ReportText.severity(groups.map(\.severity).max() ?? .info),
        Styled(ReportText.grouped(Int64(groups.reduce(0) { $0 + $1.count }))),
        Styled(minutes > 0 ? "\(ReportText.grouped(minutes)) min" : ""),
        Styled(groups.first?.examples.first?.message ?? ""),
      ])
    }
    for line in table.lines(width: console.width) { try console.line(line) }
  }

  /// What can still be done for cards that were left behind, and of which nothing can.
  func printRemedy(_ report: AuditReport) throws {
    guard !isNarrowed else { return }
    let reachable = report.remedies.count { $0.isReachable }
    if reachable > 0 {
      try console.line("")
      try wrapped(
        "→ \(ReportText.count(reachable, "card")) left behind can still be ended: "
          + "\(command) -o end-payloads writes the pushes for it; nothing is sent.")
    }
    let now = report.coverage.now
    let lasting = report.remedies.compactMap { remedy -> Timestamp? in
      guard case .pastLimit(let until) = remedy.reach, until > now else { return nil }
      return until
    }
    guard let last = lasting.max() else { return }
    if reachable == 0 { try console.line("") }
    try wrapped(
      "\(ReportText.count(lasting.count, "card")) past 8 h can be reached no more: on screen until "
        + "\(time.instant(last)) at the latest.")
  }
}

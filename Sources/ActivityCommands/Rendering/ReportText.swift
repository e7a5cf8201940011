internal import ActivityAudit
internal import ActivityCore

/// An audit for a tired person: what it rests on, how bad it is, then cause by cause.
struct ReportText {
  let time: TimeText
  let console: Console
  /// The command that asked, to go on with.
  let command: String
  /// The range of time asked for, when one was.
  var asked: Range<Int64>?
  /// Whether rules or a filter leave out some of what was found.
  var isNarrowed = false
  /// Groups side by side, when asked for.
  var comparison: Comparison?
  /// What is different from the baseline, when one was given.
  var change: BaselineChange?
  /// What an assumption would have changed, when one was made.
  var assumed: AssumedText?

  func show(_ report: AuditReport, all: Bool) throws {
    try printCoverage(report.coverage)
    try console.line("")
    try printHeadline(report)
    if let assumed {
      try console.line("")
      try wrapped(assumed.title)
      for line in assumed.lines { try console.line(line) }
    }
    try printComparison()
    try printGroups(report)
    try printRemedy(report)
    try printRest(report, all: all)
  }

  static func severity(_ severity: Severity) -> Styled {
    switch severity {
    case .error: Styled("error", .red)
    case .warning: Styled("warning", .yellow)
    case .info: Styled("info", .dim)
    }
  }

  /// `24,130 wrong-card minutes`.
  static func minutes(_ span: Timestamp.Span) -> String {
    let minutes = span.microseconds / 60_000_000
    return "\(grouped(minutes)) wrong-card \(minutes == 1 ? "minute" : "minutes")"
  }

  /// Digits in threes: `24,130`.
  static func grouped(_ number: Int64) -> String {
    let digits = Array(String(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, digits[index - 1] != "-" { text += "," }
      text.append(digit)
    }
    return text
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(Int64(number))) \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: Coverage

  private func printCoverage(_ coverage: AuditCoverage) throws {
    guard let window = coverage.window else {
      try console.line("Covers nothing: no event is selected.")
      return
    }
    try wrapped(
      "Covers \(time.instant(window.from)) to \(time.instant(window.until)) "
        + "(\(coverage.clock.rawValue) clock), now \(time.instant(coverage.now)): "
        + "\(ReportText.count(coverage.rows, "event")) from "
        + recorders(coverage.recorders) + ".")
    if let asked { try wrapped(ReportText.asked(asked, time)) }
    for (missing, rules) in notJudged(coverage) {
      try wrapped("Not judged, the log has no \(missing): \(rules).")
    }
    for recorder in coverage.recorders where !recorder.holes.isEmpty {
      let holes = recorder.holes.map { "\(time.instant($0.from)) to \(time.instant($0.until))" }
      try wrapped("\(recorder.name ?? "(unnamed)") lost \(holes.joined(separator: ", ")).")
    }
    try printLosses(coverage)
    var doubts: [String] = []
    if coverage.unattachedAnswers > 0 {
      doubts.append("\(ReportText.count(coverage.unattachedAnswers, "answer")) name no act")
    }
    if coverage.unfollowed > 0 {
      doubts.append(
        "\(ReportText.count(coverage.unfollowed, "event")) by key or channel not followed: too many"
      )
    }
    if coverage.unnamedRows > 0 {
      doubts.append("\(ReportText.count(coverage.unnamedRows, "event")) lost their name to damage")
    }
    if !doubts.isEmpty { try wrapped("Note: \(doubts.joined(separator: "; ")).") }
  }

  /// The range of time asked for, as a sentence.
  static func asked(_ range: Range<Int64>, _ time: TimeText) -> String {
    let from = range.lowerBound == .min ? nil : range.lowerBound.stamp
    let until = range.upperBound == .max ? nil : range.upperBound.stamp
    let parts = [
      from.map { "from \(time.instant($0))" }, until.map { "until \(time.instant($0))" },
    ]
    return "Only what overlaps the time \(parts.compactMap(\.self).joined(separator: " "))."
  }

  private func recorders(_ all: [AuditCoverage.Recorder]) -> String {
    let named = all.prefix(6).map { $0.name ?? "(no recorder named)" }
    let more = all.count > 6 ? " and \(all.count - 6) more" : ""
    return ReportText.count(all.count, "recorder") + ": " + named.joined(separator: ", ") + more
  }

  private func notJudged(_ coverage: AuditCoverage) -> [(String, String)] {
    var order: [String] = []
    var rules: [String: [String]] = [:]
    for entry in coverage.notJudged {
      let missing = entry.missing.map(\.said).joined(separator: " or ")
      if rules[missing] == nil { order.append(missing) }
      rules[missing, default: []].append(entry.rule)
    }
    return order.map { ($0, (rules[$0] ?? []).joined(separator: ", ")) }
  }

  // MARK: Headline

  private func printHeadline(_ report: AuditReport) throws {
    let headline = report.headline
    let cards = headline.cards
    guard cards > 0 || headline.missingCards > 0 else {
      let nothing =
        isNarrowed
        ? "Nothing found by what was asked for."
        : report.coverage.redactedCards > 0
          ? "Nothing found in what could be judged."
          : "Nothing found: no card told anybody something wrong."
      let text =
        report.findings.isEmpty
        ? nothing : "No wrong card; \(ReportText.count(report.findings.count, "finding"))."
      try console.line(Styled(text, report.findings.isEmpty ? .green : .bold))
      return
    }
    try wrapped(lead(report))
    try total("CONFIRMED", headline.confirmed)
    try total("INFERRED ", headline.inferred)
    if headline.missingCards > 0 {
      try console.line(
        Styled("MISSING    ", .bold)
          + Styled("\(ReportText.count(headline.missingCards, "card")) never appeared"))
    }
    var parts: [String] = []
    if let since = headline.since { parts.append("since \(time.instant(since))") }
    if !headline.types.isEmpty { parts.append(ReportText.some(headline.types)) }
    if !headline.builds.isEmpty { parts.append("build " + ReportText.some(headline.builds)) }
    try wrapped(parts.joined(separator: " · "), indent: 11)
  }

  /// The first of many names, and how many more there are.
  private static func some(_ names: [String]) -> String {
    let more = names.count > 6 ? " and \(names.count - 6) more" : ""
    return names.prefix(6).joined(separator: ", ") + more
  }

  /// What a tired person must know first.
  private func lead(_ report: AuditReport) -> String {
    let headline = report.headline
    let cards = headline.cards
    var text = cards > 0 ? "\(ReportText.count(cards, "card")) told people something wrong" : ""
    if headline.missingCards > 0 {
      text +=
        (text.isEmpty ? "" : ", ")
        + "\(ReportText.count(headline.missingCards, "card")) never appeared"
    }
    let longest = report.findings.max { $0.wrongCard < $1.wrongCard }
    if let longest, longest.wrongCard.microseconds > 0 {
      text +=
        "; the longest, \(longest.key ?? longest.name), for "
        + DurationText.text(longest.wrongCard)
    }
    guard let first = report.groups.first, first.cause != nil, report.groups.count > 1 else {
      return text + "."
    }
    return text + ". Most of it has one cause: \(first.rule)."
  }

  /// `53 end-not-delivered, 29 late-end`: what a cause explains, most first.
  func caused(by cause: Finding, _ report: AuditReport) -> String {
    var counts: [String: Int] = [:]
    for finding in report.findings {
      let isCaused = finding.because.contains { $0.fingerprint == cause.fingerprint }
      if isCaused { counts[finding.rule, default: 0] += 1 }
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return sorted.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  private func total(_ label: String, _ total: Headline.Total) throws {
    guard total.cards > 0 else { return }
    var text =
      "\(ReportText.minutes(total.wrongCard)) on \(ReportText.count(total.cards, "card"))"
    if total.devices > 0 { text += ", \(ReportText.count(total.devices, "device"))" }
    if total.cardsWithoutDevice > 0 {
      text += ", \(ReportText.count(total.cardsWithoutDevice, "card")) of unknown device"
    }
    try console.line(Styled("\(label)  ", .bold) + Styled(text))
  }

  // MARK: The rest

  private func printRest(_ report: AuditReport, all: Bool) throws {
    if all {
      try console.line("")
      try printAll(report.findings)
    }
    try console.line("")
    // Of cards without a readable id many an end is among the lines that nobody can attribute.
    let live = report.coverage.redactedCards > 0 ? "still live, or not seen to end" : "still live"
    var parts = ["\(ReportText.count(report.liveCount, "card")) \(live), nothing to say of them"]
    if report.infoCount > 0 { parts.append(ReportText.count(report.infoCount, "info")) }
    if !report.suppressed.isEmpty { parts.append("\(report.suppressed.count) suppressed") }
    try console.line(Styled(parts.joined(separator: "; ") + ".", .dim))
    for state in report.live {
      let since = state.startedAt ?? state.startedBefore
      try console.line(
        "   \(state.key ?? "-")  \(state.name)  \(state.phase.word)  since "
          + (since.map(time.instant) ?? "-"))
    }
  }

  private func printAll(_ findings: [Finding]) throws {
    var table = Table([
      .text("RULE"), .text("SEVERITY"), .text("VERDICT"), .text("KEY"), .text("FROM"),
      .text("UNTIL"), .number("MIN"), .text("MESSAGE", shrinks: true), .text("NAME"),
    ])
    for finding in findings {
      table.add([
        Styled(finding.rule), ReportText.severity(finding.severity),
        Styled(finding.verdict.rawValue), Styled(key(finding)),
        Styled(time.instant(finding.from)), Styled(finding.until.map(time.instant) ?? "-"),
        Styled("\(finding.wrongCard.microseconds / 60_000_000)"), Styled(finding.message),
        Styled(finding.name),
      ])
    }
    for line in table.lines(width: console.width) { try console.line(line) }
  }

  /// The key, marked when the baseline does not have the finding.
  private func key(_ finding: Finding) -> String {
    (finding.key ?? "-") + (change?.isNew(finding) ?? false ? " (new)" : "")
  }

  func wrapped(_ text: String, indent: Int = 0) throws {
    let margin = String(repeating: " ", count: indent)
    for line in Wrap.lines(text, width: (console.width ?? 100) - indent) {
      try console.line(margin + line)
    }
  }
}

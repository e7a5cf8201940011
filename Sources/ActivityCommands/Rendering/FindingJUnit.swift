internal import ActivityAudit
internal import ActivityCore

/// An audit as a test run: a case a rule, for the build servers that read JUnit's XML.
///
/// A rule with findings of severity error or warning has failed; `type` says how sure that is.
/// Infos fail nothing and stand in `system-out`. A rule the log cannot judge was skipped.
enum FindingJUnit {
  static func show(_ page: AuditPage, _ console: Console) throws {
    var findings: [String: [Finding]] = [:]
    for finding in page.report.findings { findings[finding.rule, default: []].append(finding) }
    let missing = Dictionary(
      page.report.coverage.notJudged.map { ($0.rule, $0.missing) },
      uniquingKeysWith: { first, _ in first })
    let failed = page.rules.count { rule in
      (findings[rule.id] ?? []).contains { $0.severity > .info }
    }
    let skipped = page.rules.count { missing[$0.id] != nil && findings[$0.id] == nil }
    let now = page.report.coverage.now.rfc3339.prefix(19)
    try put(#"<?xml version="1.0" encoding="UTF-8"?>"#, console)
    try put(
      #"<testsuite name="activitylog" tests="\#(page.rules.count)" failures="\#(failed)""#
        + #" errors="0" skipped="\#(skipped)" time="0" timestamp="\#(now)">"#, console)
    for rule in page.rules {
      try show(rule, findings[rule.id] ?? [], missing: missing[rule.id] ?? [], console)
    }
    try put("</testsuite>", console)
  }

  private static func show(
    _ rule: RuleInfo, _ findings: [Finding], missing: [RuleInfo.Need], _ console: Console
  ) throws {
    let open =
      #"  <testcase classname="activitylog.\#(rule.scope.rawValue)" name="\#(rule.id)" time="0""#
    let bad = findings.filter { $0.severity > .info }
    let infos = findings.filter { $0.severity == .info }
    if findings.isEmpty {
      guard !missing.isEmpty else { return try put(open + "/>", console) }
      let needs = missing.map(\.rawValue).joined(separator: " and no ")
      try put(open + ">", console)
      try put(#"    <skipped message="not judged, the log has no \#(needs)"/>"#, console)
      return try put("  </testcase>", console)
    }
    try put(open + ">", console)
    if !bad.isEmpty {
      let confirmed = bad.count { $0.verdict == .confirmed }
      let verdict: Verdict = confirmed > 0 ? .confirmed : .inferred
      let count = ReportText.count(bad.count, "finding")
      try put(
        #"    <failure type="\#(verdict.rawValue)" message="\#(count): \#(confirmed) confirmed, "#
          + #"\#(bad.count - confirmed) inferred">"#, console)
      try put(XMLText.escaped(rule.summary), console)
      for finding in bad { try put(line(finding), console) }
      try put("    </failure>", console)
    }
    if !infos.isEmpty {
      try put("    <system-out>", console)
      for finding in infos { try put(line(finding), console) }
      try put("    </system-out>", console)
    }
    try put("  </testcase>", console)
  }

  /// One finding on a line.
  private static func line(_ finding: Finding) -> String {
    let span = finding.from.rfc3339 + (finding.until.map { " to \($0.rfc3339)" } ?? " on")
    let subject = finding.key.map { "\($0) (\(finding.name))" } ?? finding.name
    let seqs = finding.evidence.map { "\($0)" }.joined(separator: ", ")
    let evidence = seqs.isEmpty ? "" : "; events \(seqs)"
    return XMLText.escaped(
      "\(finding.severity.rawValue), \(finding.verdict.rawValue): \(subject): "
        + "\(finding.message); \(span)\(evidence); fingerprint \(finding.fingerprint)")
  }

  private static func put(_ line: String, _ console: Console) throws {
    try console.write(Array((line + "\n").utf8))
  }
}

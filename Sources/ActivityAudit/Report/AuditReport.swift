public import ActivityCore

/// What an audit found, what it rests on, and what it adds up to.
///
/// The same log and options give the same report.
public struct AuditReport: Sendable {
  public var coverage: AuditCoverage
  public var headline: Headline
  /// Worst first: by severity, minutes, beginning and name.
  public var findings: [Finding]
  /// The same findings by cause, infos left out.
  public var groups: [FindingGroup]
  /// How many cards there are of which nothing can be said yet.
  public var liveCount: Int
  /// Those cards, when asked for, by name.
  public var live: [ActivityState]
  /// How many findings are of severity info.
  public var infoCount: Int

  init(_ result: Audit.Result, _ log: AuditLog, unnamedRows: Int) {
    let options = log.options
    let chosen = result.findings.filter { AuditReport.isChosen($0, options, now: log.now) }
    findings = chosen.map { ($0, $0.wrongCard) }.sorted(by: AuditReport.isWorse).map(\.0)
    headline = Headline(findings)
    groups = FindingGroup.groups(of: findings, examplesMax: options.examplesMax)
    coverage = AuditCoverage(result, log, unnamedRows: unnamedRows)
    liveCount = result.liveCount
    live = result.live.sorted { ($0.name, $0.firstSeq) < ($1.name, $1.firstSeq) }
    infoCount = findings.count { $0.severity == .info }
  }

  /// Whether findings of at least this severity were made, confirmed or inferred.
  public func fails(on severity: Severity) -> Bool { count(atLeast: severity) > 0 }

  /// How many findings of at least this severity were made, confirmed and inferred.
  public func count(atLeast severity: Severity) -> Int {
    findings.count { $0.severity >= severity }
  }

  private static func isChosen(_ finding: Finding, _ options: AuditOptions, now: Timestamp) -> Bool
  {
    if let rules = options.rules, !rules.contains(finding.rule) { return false }
    if options.skip.contains(finding.rule) { return false }
    if let until = options.until, finding.from >= until { return false }
    guard let since = options.since else { return true }
    guard let over = finding.until else { return true }
    // What happened at one instant overlaps a window that begins there.
    return over > since || over == finding.from && over >= since
  }

  private static func isWorse(
    _ a: (Finding, length: Timestamp.Span), _ b: (Finding, length: Timestamp.Span)
  ) -> Bool {
    if a.0.severity != b.0.severity { return a.0.severity > b.0.severity }
    if a.length != b.length { return a.length > b.length }
    return (a.0.from, a.0.name, a.0.rule, a.0.fingerprint)
      < (b.0.from, b.0.name, b.0.rule, b.0.fingerprint)
  }
}

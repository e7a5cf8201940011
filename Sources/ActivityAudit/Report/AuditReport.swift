public import ActivityCore

/// What an audit found, what it rests on, and what it adds up to.
///
/// The same log and options give the same report.
public struct AuditReport: Sendable {
  /// What it rests on.
  public var coverage: AuditCoverage
  /// What the findings add up to.
  public var headline: Headline
  /// Worst first: by severity, minutes, beginning and name.
  public var findings: [Finding]
  /// The same findings by cause, infos left out.
  public var groups: [FindingGroup]
  /// How many cards there are of which nothing can be said yet.
  public var liveCount: Int
  /// Those cards, when asked for, by name.
  public var live: [ActivityState]
  /// What would end the cards that were left behind, when asked for, by name.
  public var remedies: [EndRemedy]
  /// How many findings are of severity info.
  public var infoCount: Int
  /// The cards that rates are counted over.
  public var decided: Decided
  /// Findings that suppressions leave out, worst first; they count nowhere else.
  public var suppressed: [SuppressedFinding] = []

  init(_ result: Audit.Result, _ log: AuditLog, unnamedRows: Int) {
    let options = log.options
    let chosen = result.findings.filter { AuditReport.isChosen($0, options, now: log.now) }
    findings = AuditReport.sorted(chosen)
    headline = Headline(findings)
    groups = FindingGroup.groups(of: findings, examplesMax: options.examplesMax)
    coverage = AuditCoverage(result, log, unnamedRows: unnamedRows)
    liveCount = result.liveCount
    live = result.live.sorted { ($0.name, $0.firstSeq) < ($1.name, $1.firstSeq) }
    remedies = result.remedies.sorted {
      ($0.name, $0.seqs.lowerBound) < ($1.name, $1.seqs.lowerBound)
    }
    infoCount = findings.count { $0.severity == .info }
    decided = result.decided
  }

  /// Whether findings of at least this severity were made, confirmed or inferred.
  public func fails(on severity: Severity) -> Bool { count(atLeast: severity) > 0 }

  /// How many findings of at least this severity were made, confirmed and inferred.
  public func count(atLeast severity: Severity) -> Int {
    findings.count { $0.severity >= severity }
  }

  /// Rules whose findings are only listed when they are asked for by name.
  private static let hidden = Set(AuditRules.all.filter { $0.info.isHidden }.map { $0.info.id })

  private static func isChosen(_ finding: Finding, _ options: AuditOptions, now: Timestamp) -> Bool
  {
    if let rules = options.rules {
      if !rules.contains(finding.rule) { return false }
    } else if hidden.contains(finding.rule) {
      return false
    }
    if options.skip.contains(finding.rule) { return false }
    if let until = options.until, finding.from >= until { return false }
    guard let since = options.since else { return true }
    // One that lasts is over when the card is gone from the screen, at the latest.
    let over = finding.until ?? finding.visibleUntil ?? now
    // What happened at one instant overlaps a window that begins there.
    return over > since || over == finding.from && over >= since
  }

  /// Worst first. Numbers are sorted and not findings, which are large.
  private static func sorted(_ findings: [Finding]) -> [Finding] {
    let lengths = findings.map(\.wrongCard)
    let order = findings.indices.sorted { a, b in
      let (one, other) = (findings[a], findings[b])
      if one.severity != other.severity { return one.severity > other.severity }
      if lengths[a] != lengths[b] { return lengths[a] > lengths[b] }
      if one.from != other.from { return one.from < other.from }
      return (one.name, one.rule, one.fingerprint) < (other.name, other.rule, other.fingerprint)
    }
    return order.map { findings[$0] }
  }
}

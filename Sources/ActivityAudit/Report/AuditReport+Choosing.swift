extension AuditReport {
  /// The same report of some of its findings: headline, groups and counts are theirs alone.
  package func choosing(_ keeps: (Finding) -> Bool, examplesMax: Int) -> AuditReport {
    var report = self
    report.findings = findings.filter(keeps)
    report.suppressed = suppressed.filter { keeps($0.finding) }
    report.headline = Headline(report.findings)
    report.groups = FindingGroup.groups(of: report.findings, examplesMax: examplesMax)
    report.infoCount = report.findings.count { $0.severity == .info }
    return report
  }
}

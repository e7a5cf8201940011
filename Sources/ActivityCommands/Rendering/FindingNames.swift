internal import ActivityAudit
internal import ActivityCore

/// What other tools go on with: one name a line, each once, in the order of the findings.
enum FindingNames {
  /// Activity ids, or the printed names of activities without one; findings about no single
  /// activity are left out.
  static func showIDs(_ report: AuditReport, _ console: Console) throws {
    var said: Set<String> = []
    for finding in report.findings where finding.name != FindingScope.unnamed {
      if said.insert(finding.name).inserted { try console.line(finding.name) }
    }
    for state in report.live where said.insert(state.name).inserted {
      try console.line(state.name)
    }
  }

  /// Business keys; how many findings have none is said on standard error.
  static func showKeys(_ report: AuditReport, _ console: Console) throws {
    var said: Set<String> = []
    var without = 0
    for finding in report.findings {
      guard let key = finding.key else {
        without += 1
        continue
      }
      if said.insert(key).inserted { try console.line(key) }
    }
    for key in report.live.compactMap(\.key) where said.insert(key).inserted {
      try console.line(key)
    }
    if without > 0 {
      console.note("\(ReportText.count(without, "finding")) without a key left out")
    }
  }
}

internal import ActivityCore

/// Dismissal dates that do not mean what they say.
package struct DismissalDateOutOfWindow: AuditRule {
  package static let occurrences = RuleThreshold(
    "dismissal-date-out-of-window", "occurrences", 3, "acts", "acts before a type is warned of")
  package static let tolerance = RuleThreshold(
    "dismissal-date-out-of-window", "tolerance", 60, "seconds",
    "how far beyond the window a date may lie")

  private let least: Int
  private let tolerance: Timestamp.Span

  package static var wants: LifeTraits { .strangeDismissal }

  package init(_ settings: RuleSettings) {
    least = max(1, settings.count(DismissalDateOutOfWindow.occurrences))
    tolerance = settings.span(DismissalDateOutOfWindow.tolerance)
  }

  package static let info = RuleInfo(
    id: "dismissal-date-out-of-window", severity: .warning,
    summary: "a dismissal date is cut, ignored, or works against the end's own policy",
    reason: "The card goes earlier or stays longer than its sender believes.",
    condition: """
      In one type and build, 3 times or more: an end's dismissal date is more than 4 hours (and 60 \
      seconds) after it, which the system cuts; or it lies ahead while the end's policy is \
      immediate; or an act that is no end has one, which is ignored (an info). Refused acts do not \
      count; a date at or before the end dismisses at once and is right; one in a wrong unit \
      belongs to timestamp-unit. One finding for each type and build and each of the three.
      """,
    advice:
      "Count the dismissal date from the end's own time, within 4 hours; 0 dismisses at once.",
    scope: .typeAndBuild, yieldsTo: ["timestamp-unit"], yielding: .sameRow,
    thresholds: [occurrences, tolerance],
    fires: [
      RuleExample(
        "until tomorrow",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        20m end A source=push timestamp=@20m dismissal-date=@24h content=2
        21m end B source=push timestamp=@21m dismissal-date=@24h content=2
        22m end C source=push timestamp=@22m dismissal-date=@24h content=2
        """, finds: .confirmed),
      RuleExample(
        "at once, it says, and in two hours",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        20m end A source=push dismissal-policy=immediate dismissal-date=@2h content=2
        21m end B source=push dismissal-policy=immediate dismissal-date=@2h content=2
        22m end C source=push dismissal-policy=immediate dismissal-date=@2h content=2
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "past and zero mean at once",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        20m end A source=push timestamp=@20m dismissal-date=0 content=2
        21m end B source=push timestamp=@21m dismissal-date=@19m content=2
        22m end C source=push dismissal-policy=immediate dismissal-date=@22m content=2
        """),
      RuleExample(
        "four hours to the second",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        20m end A source=push timestamp=@20m dismissal-date=@4h20m content=2
        21m end B source=push timestamp=@21m dismissal-date=@4h21m content=2
        22m end C source=push timestamp=@22m dismissal-date=@4h22m2s content=2
        """),
    ])

  private enum Fault: Int, CaseIterable {
    case cut, contradicts, ignored
  }

  private var wrong: [TypeAndBuild: [Fault: RowTally]] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let mayBeStray = life.log.contentMarks.contains(.strayDismissal)
    for entry in life.entries {
      guard let kind = entry.kind, kind.isAct, !entry.isRefused else { continue }
      var fault: Fault?
      if kind == .end {
        fault = self.fault(of: entry, life.log)
      } else if mayBeStray,
        life.log.content(of: entry)?.marks.contains(.strayDismissal) ?? false
      {
        fault = .ignored
      }
      guard let fault else { continue }
      wrong[TypeAndBuild(life), default: [:]][fault, default: RowTally()].add(entry, of: life)
    }
  }

  private func fault(of end: Entry, _ log: AuditLog) -> Fault? {
    guard let date = end.date, date > end.at, DateUnit.wrong(date, at: end.at) == nil else {
      return nil
    }
    if date > end.at + log.limits.lingering + tolerance { return .cut }
    return end.isImmediate && date > end.at + tolerance ? .contradicts : nil
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, faults) in wrong.sorted(by: { $0.key.precedes($1.key, log) }) {
      for fault in Fault.allCases {
        guard let tally = faults[fault], tally.count >= least else { continue }
        var finding = Finding(
          DismissalDateOutOfWindow.info, .confirmed, tally: tally, scope, log,
          message: message(fault, tally.count), severity: fault == .ignored ? .info : nil)
        finding.fingerprint = Fingerprint.of(
          DismissalDateOutOfWindow.info.id,
          [log.text(scope.type) ?? "", log.text(scope.build) ?? "", "\(fault)"])
        findings.append(finding)
      }
    }
  }

  private func message(_ fault: Fault, _ count: Int) -> String {
    switch fault {
    case .cut: "\(Wording.count(count, "end")) dismissed over 4 h later, which is cut to 4 h"
    case .contradicts: "\(Wording.count(count, "end")) with policy immediate and a later date"
    case .ignored: "\(Wording.count(count, "act")) other than ends with a dismissal date"
    }
  }
}

internal import ActivityCore

/// Alerts that are thought to be ignored.
package struct AlertWithoutTitle: AuditRule {
  package static let occurrences = RuleThreshold(
    "alert-without-title", "occurrences", 3, "alerts", "alerts before a type is warned of")

  private let least: Int

  package static var wants: LifeTraits { .untitled }

  package init(_ settings: RuleSettings) {
    least = max(1, settings.count(AlertWithoutTitle.occurrences))
  }

  package static let info = RuleInfo(
    id: "alert-without-title", severity: .warning,
    summary: "alerts of updates or ends lack a title",
    reason: "Senders report that a device ignores such an alert: no light, no sound.",
    condition: """
      An update, an end or an act that is only an alert, by push and not refused, carries an alert \
      without title and without title-loc-key, 3 times or more in one type and build. An empty \
      title counts as a title.
      """,
    advice: "Give every alert a title or a title-loc-key.",
    scope: .typeAndBuild, reads: .all, thresholds: [occurrences],
    fires: [
      RuleExample(
        "three bodies",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m stale-date=@40m alert={"body":"Goal"} content=2
        15m update A source=push timestamp=@15m stale-date=@50m alert={"body":"Goal"} content=3
        25m end A source=push timestamp=@25m alert={"body":"Over"} content=4
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "localised titles",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m alert={"title":{"loc-key":"G"},"body":"B"} content=2
        15m update A source=push timestamp=@15m alert={"title-loc-key":"G","loc-key":"B"} content=3
        25m update A source=push timestamp=@25m alert={"title":"","body":"B"} content=4
        35m end A source=app device=phone content=5
        """),
      RuleExample(
        "once",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m alert={"body":"Goal"} content=2
        25m end A source=app device=phone content=3
        """),
    ])

  private var bare: [TypeAndBuild: RowTally] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    for entry in life.entries
    where entry.hasAlert && entry.kind != .start && entry.isByPush && !entry.isRefused {
      guard let facts = life.log.content(of: entry), !facts.hasTitle else { continue }
      bare[TypeAndBuild(life), default: RowTally()].add(entry, of: life)
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in bare.sorted(by: { $0.key.precedes($1.key, log) })
    where tally.count >= least {
      findings.append(
        Finding(
          AlertWithoutTitle.info, .confirmed, tally: tally, scope, log,
          message: "\(Wording.count(tally.count, "alert")) without a title"))
    }
  }
}

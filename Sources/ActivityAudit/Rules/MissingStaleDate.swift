internal import ActivityCore

/// Content that never says until when it holds.
package struct MissingStaleDate: AuditRule {
  package static let occurrences = RuleThreshold(
    "missing-stale-date", "occurrences", 3, "contents", "contents before a type is named")
  package static let short = RuleThreshold(
    "missing-stale-date", "short", 600, "seconds", "cards that live no longer than this need none")

  private let least: Int
  private let short: Timestamp.Span

  package static var wants: LifeTraits { .undated }

  package init(_ settings: RuleSettings) {
    least = max(1, settings.count(MissingStaleDate.occurrences))
    short = settings.span(MissingStaleDate.short)
  }

  package static let info = RuleInfo(
    id: "missing-stale-date", severity: .info,
    summary: "content without a stale date",
    reason: "When its sender falls silent, the card goes on looking current for hours.",
    condition: """
      A start or update that took effect has content and no stale date, 3 times or more in one \
      type and build, on cards that lived more than 10 minutes, or have by the end of their \
      record, and are neither transient nor another producer's.
      """,
    advice: "Set the stale date to twice the usual time between two updates.",
    scope: .typeAndBuild, thresholds: [occurrences, short],
    fires: [
      RuleExample(
        "two updates and a start",
        """
        0m start A source=app device=phone content
        10m update A source=push timestamp=@10m content=2
        20m update A source=push timestamp=@20m content=3
        30m end A source=app device=phone content=4
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "each content has one",
        """
        0m start A source=app device=phone stale-date=@20m content
        10m update A source=push timestamp=@10m stale-date=@30m content=2
        20m update A source=push timestamp=@20m stale-date=@40m content=3
        30m end A source=app device=phone content=4
        """),
      RuleExample(
        "a card of minutes",
        """
        0m start A source=app device=phone content
        2m update A source=push timestamp=@2m content=2
        3m update A source=push timestamp=@3m content=3
        6m end A source=app device=phone content=4
        """),
      RuleExample(
        "transient cards live otherwise",
        """
        0m start A source=app device=phone style=transient content
        10m update A source=app device=phone content=2
        20m update A source=app device=phone content=3
        30m end A source=app device=phone content=4
        """),
    ])

  private var bare: [TypeAndBuild: Tally] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt else { return }
    let over = life.endedAt ?? min(life.limit, max(life.seenUntil, life.opening))
    guard over - life.opening > short else { return }
    let scope = TypeAndBuild(life)
    for entry in life.entries
    where entry.isAppliedAct && entry.hasContent && entry.staleDate == nil
      && (entry.kind == .start || entry.kind == .update)
    {
      bare[scope, default: Tally()].add(entry, of: life)
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in bare.sorted(by: { $0.key.precedes($1.key, log) })
    where tally.count >= least {
      findings.append(
        Finding(
          MissingStaleDate.info, .confirmed, tally: tally, scope, log,
          message: """
            \(Wording.count(tally.count, "content")) without a stale date on \
            \(Wording.count(tally.cards.count, "card"))
            """))
    }
  }
}

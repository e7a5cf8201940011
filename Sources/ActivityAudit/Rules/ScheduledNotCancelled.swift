internal import ActivityCore

/// A card that was to appear for something that no longer happens.
package struct ScheduledNotCancelled: AuditRule {
  package static let info = RuleInfo(
    id: "scheduled-not-cancelled", severity: .error,
    summary: "a scheduled card was left in place although its work was cancelled or finished",
    reason: "The phone announces what will not happen.",
    condition: """
      The work of a scheduled card's key was finished or cancelled before its start date, and not \
      taken up again, and nobody ended the card before that date. Before the date it is a warning, \
      from 5 minutes after the work was over. Confirmed when a row after the date shows the card \
      or ends it, else inferred.
      """,
    advice: "List pending cards whenever the work changes, and end those whose work is over.",
    scope: .activity, needs: [.work],
    thresholds: [grace],
    fires: [
      RuleExample(
        "the lesson is cancelled, its card appears",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        20m work key=K outcome=cancelled
        60m1s state A device=phone state=active
        62m dismiss A device=phone by=person
        """, finds: .confirmed),
      RuleExample(
        "it will appear in half an hour",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        20m work key=K outcome=cancelled
        30m inventory device=phone
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "ended before its date",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        20m work key=K outcome=cancelled
        40m end A source=app device=phone
        70m inventory device=phone
        """),
      RuleExample(
        "it happens after all",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        20m work key=K outcome=cancelled
        25m work key=K outcome=open
        60m1s state A device=phone state=active
        90m end A source=app device=phone
        """),
      RuleExample(
        "cancelled a minute ago",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        20m work key=K outcome=cancelled
        21m inventory device=phone
        """),
    ])

  private static let grace = RuleThreshold(
    "scheduled-not-cancelled", "grace", 300, "seconds",
    "how long after its work a pending card may stay in place")

  private let grace: Timestamp.Span

  package static var wants: LifeTraits { .scheduled }

  package init(_ settings: RuleSettings) { grace = settings.span(ScheduledNotCancelled.grace) }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard let start = life.entries.first(where: { $0.kind == .start && $0.isAppliedAct }),
      let date = start.date, date > start.at, life.opening == date, !life.isChannel,
      let done = life.log.finish(of: life.key, from: start.at, until: min(date, life.log.now))
    else { return }
    if let endedAt = life.endedAt, endedAt < date { return }
    guard !life.entries.contains(where: { $0.at < date && $0.after.isOver }) else { return }
    let isDue = life.log.now >= date
    guard isDue || life.log.now - done >= grace else { return }
    let later = life.entries.first {
      $0.at >= date
        && ($0.isAppliedAct || $0.shown.isLive || $0.kind == .stale || $0.kind == .dismiss)
    }
    let length = Wording.length(date - done)
    findings.append(
      Finding(
        ScheduledNotCancelled.info, later == nil ? .inferred : .confirmed, about: life,
        from: isDue ? date : done, until: isDue ? life.endedAt : nil,
        evidence: [start, later].compactMap(\.self),
        message: isDue
          ? "its work was over \(length) before its start date, and it appeared all the same"
          : "its work is over, and it will appear at its start date",
        severity: isDue ? nil : .warning))
  }
}

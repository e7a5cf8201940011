internal import ActivityCore

/// Updates that say what the card shows already.
package struct NoOpUpdate: AuditRule {
  package static let occurrences = RuleThreshold(
    "no-op-update", "occurrences", 3, "updates", "updates before a type is named")
  package static let doubled = RuleThreshold(
    "no-op-update", "doubled", 2, "seconds",
    "within which equal contents of two recorders are one action written down twice")

  private let least: Int
  private let doubled: Timestamp.Span

  package static var wants: LifeTraits { .sameContent }

  package init(_ settings: RuleSettings) {
    least = max(1, settings.count(NoOpUpdate.occurrences))
    doubled = settings.span(NoOpUpdate.doubled)
  }

  package static let info = RuleInfo(
    id: "no-op-update", severity: .info,
    summary: "updates with the content that the card shows already",
    reason: "Each counts against the budget, and a locked device may not even redraw for it.",
    condition: """
      An update that took effect has byte for byte the content-state of the act before it that \
      brought one, the same stale date and relevance, and no alert; it is no attempt or second \
      record of an act, nor was it written within 2 seconds by another recorder; 3 times or more \
      in one type and build. An update that moves the stale date is a sign of life, and useful.
      """,
    advice: "Send only what changes; where a redraw is wanted, give the content a revision number.",
    scope: .typeAndBuild, reads: .all, thresholds: [occurrences, doubled],
    fires: [
      RuleExample(
        "the same three times",
        """
        0m start A source=app device=phone stale-date=@1h content=1
        5m update A source=push timestamp=@5m stale-date=@1h content=2
        10m update A source=push timestamp=@10m stale-date=@1h content=2
        15m update A source=push timestamp=@15m stale-date=@1h content=2
        20m update A source=push timestamp=@20m stale-date=@1h content=2
        30m end A source=app device=phone content=3
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "a heartbeat moves the stale date",
        """
        0m start A source=app device=phone stale-date=@10m content
        5m update A source=push timestamp=@5m stale-date=@15m content
        10m update A source=push timestamp=@10m stale-date=@20m content
        15m update A source=push timestamp=@15m stale-date=@25m content
        30m end A source=app device=phone content=3
        """),
      RuleExample(
        "attempts of one update",
        """
        0m start A source=app device=phone stale-date=@1h content=1
        5m update A source=push apns-id=P1 stale-date=@1h status=503 content=2
        5m1s update A source=push apns-id=P1 stale-date=@1h status=200 content=2
        5m2s update A source=push apns-id=P1 stale-date=@1h status=200 content=2
        5m3s update A source=push apns-id=P1 stale-date=@1h status=200 content=2
        30m end A source=app device=phone content=3
        """),
      RuleExample(
        "app and push handler write one action down",
        """
        0m start A source=app recorder=phone device=phone stale-date=@1h content=1
        5m update A source=app recorder=phone stale-date=@1h content=2
        5m1s update A source=push recorder=push-1 stale-date=@1h content=2
        10m update A source=app recorder=phone stale-date=@1h content=3
        10m1s update A source=push recorder=push-1 stale-date=@1h content=3
        15m update A source=app recorder=phone stale-date=@1h content=4
        15m1s update A source=push recorder=push-1 stale-date=@1h content=4
        30m end A source=app recorder=phone device=phone content=5
        """),
    ])

  private var idle: [TypeAndBuild: Tally] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.entries.count > 1 else { return }
    var acts: [Int]?
    var former: (entry: Entry, place: Int, facts: ContentFacts)?
    for (place, entry) in life.entries.enumerated() where entry.isAppliedAct && entry.hasContent {
      guard let facts = life.log.content(of: entry) else { continue }
      defer { former = (entry, place, facts) }
      guard let last = former, entry.kind == .update, !entry.hasAlert,
        facts.digest == last.facts.digest, facts.relevance == last.facts.relevance,
        entry.staleDate == last.entry.staleDate
      else { continue }
      if entry.recorder != last.entry.recorder, entry.at - last.entry.at <= doubled { continue }
      let numbers = acts ?? Acts(life.entries).number
      acts = numbers
      guard numbers[place] != numbers[last.place] else { continue }
      idle[TypeAndBuild(life), default: Tally()].add(entry, of: life)
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in idle.sorted(by: { $0.key.precedes($1.key, log) })
    where tally.count >= least {
      findings.append(
        Finding(
          NoOpUpdate.info, .confirmed, tally: tally, scope, log,
          message: """
            \(Wording.count(tally.count, "update")) on \
            \(Wording.count(tally.cards.count, "card")) changed nothing
            """))
    }
  }
}

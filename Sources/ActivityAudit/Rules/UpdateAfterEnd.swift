internal import ActivityCore

/// News for a card that its own side had ended.
package struct UpdateAfterEnd: AuditRule {
  package static var wants: LifeTraits { .afterEnd }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "update-after-end", severity: .error,
    summary: "an update or alert was sent after the activity was ended",
    reason: """
      The system ignores it: either the card was ended too early, or a producer does not know that \
      it is over.
      """,
    condition: """
      An update or alert that was not refused, and is no later attempt or second record of an act \
      before the end, came after an end that took effect. The system's own end does not count, nor \
      a person's dismissal; an act on a key or a channel alone is meant for the cards that live. \
      Between two recorders 5 seconds are allowed for their clocks. Inferred when nobody answered \
      the end's push, else confirmed.
      """,
    advice: """
      Stop every producer of updates before ending; let each ask whether the activity still lives.
      """,
    scope: .activity, yieldsTo: ["out-of-order-timestamp"], yielding: .sameRow,
    fires: [
      RuleExample(
        "the server goes on after the app ended it",
        """
        0m start A source=app recorder=phone device=phone content
        25m end A source=app recorder=phone device=phone
        31m update A source=push recorder=push-1 status=200 content
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "the phone's clock is a second behind",
        """
        0m start A source=app recorder=phone device=phone content
        25m end A source=app recorder=phone device=phone
        25m1s update A source=push recorder=push-1 status=200 content
        """),
      RuleExample(
        "a refused update changes nothing",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        25m end A source=app device=phone
        31m update A source=push token=t1 status=410 content
        """),
      RuleExample(
        "a broadcast speaks to the cards that live",
        """
        0m start A source=app device=phone input-push-channel=match content
        25m end A source=app device=phone
        31m update source=broadcast channel=match status=200 content
        """),
      RuleExample(
        "the server cannot know that a person swiped it away",
        """
        0m start A source=app device=phone content
        10m dismiss A device=phone by=person
        12m update A source=push status=200 content
        """),
    ])

  private static let skew = Timestamp.Span.seconds(5)

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard let endedAt = life.endedAt, !life.isChannel,
      let end = life.entries.last(where: {
        $0.kind == .end && $0.outcome.isApplied && $0.at == endedAt
      }), life.entries.contains(where: { $0.outcome == .afterEnd && $0.at >= endedAt })
    else { return }
    let acts = Acts(life.entries).number
    var earlier: Set<Int> = []
    var late: [Entry] = []
    for (entry, act) in zip(life.entries, acts) where act >= 0 {
      if entry.at <= endedAt, entry.outcome != .afterEnd { earlier.insert(act) }
      guard entry.kind == .update || entry.kind == .alert, entry.outcome == .afterEnd,
        !earlier.contains(act), !entry.fansOut
      else { continue }
      let allowed = entry.recorder == end.recorder ? .seconds(0) : UpdateAfterEnd.skew
      if entry.at - endedAt > allowed { late.append(entry) }
    }
    guard let first = late.first, let last = late.last else { return }
    var finding = Finding(
      UpdateAfterEnd.info, life.isEndInferred ? .inferred : .confirmed, about: life,
      from: first.at, until: last.at, evidence: [end] + late,
      message: """
        \(Wording.count(late.count, "update")) came after its end, the first \
        \(Wording.length(first.at - endedAt)) later
        """)
    finding.count = late.count
    findings.append(finding)
  }
}

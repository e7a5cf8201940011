internal import ActivityCore

/// News that the device dropped because it already had newer.
package struct OutOfOrderTimestamp: AuditRule {
  package static var wants: LifeTraits { .older }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "out-of-order-timestamp", severity: .error,
    summary: "content with an older timestamp than what the card already showed",
    reason: "The device drops it without a word, whatever APNs answered.",
    condition: """
      An update's timestamp, in whole seconds, is below the largest that took effect, and it is no \
      later attempt or second record of an act. Equal seconds are in order. An end with an older \
      timestamp takes effect all the same and is counted. Confirmed when it has a timestamp of its \
      own and was not left unanswered, else inferred.
      """,
    advice: """
      Take the timestamp when the data is produced, from one clock, and keep the largest one sent.
      """,
    scope: .activity,
    fires: [
      RuleExample(
        "a second sender takes the match back",
        """
        0m start A source=app device=phone content
        27m update A source=push status=200 timestamp=@27m content
        28m update A source=push status=200 timestamp=@26m content
        50m end A source=push status=200 timestamp=@50m
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "equal seconds are in order",
        """
        0m start A source=app device=phone content
        27m update A source=push status=200 timestamp=@27m content
        28m update A source=push status=200 timestamp=@27m content
        50m end A source=push status=200 timestamp=@50m
        """),
      RuleExample(
        "a later attempt of what came through before",
        """
        0m start A source=app device=phone content
        26m update A source=push status=200 timestamp=@26m apns-id=P1 content
        27m update A source=push status=200 timestamp=@27m apns-id=P2 content
        28m update A source=push status=200 timestamp=@26m apns-id=P1 content
        50m end A source=push status=200 timestamp=@50m
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard
      life.entries.contains(where: { $0.outcome == .older || $0.outcome == .appliedOlder })
    else { return }
    let acts = Acts(life.entries).number
    var seen: Set<Int> = []
    var older: [Entry] = []
    for (entry, act) in zip(life.entries, acts) where act >= 0 {
      let isFirst = seen.insert(act).inserted
      guard isFirst, entry.outcome == .older || entry.outcome == .appliedOlder else { continue }
      older.append(entry)
    }
    guard let first = older.first, let last = older.last else { return }
    let isSure = older.contains { $0.statesVersion && (!$0.isByPush || $0.isAnswered) }
    let ends = older.contains { $0.kind == .end } ? "; an end among them took effect" : ""
    var finding = Finding(
      OutOfOrderTimestamp.info, isSure ? .confirmed : .inferred, about: life, from: first.at,
      until: last.at, evidence: older,
      message: """
        \(Wording.count(older.count, "act")) with an older timestamp than what it showed\(ends)
        """)
    finding.count = older.count
    findings.append(finding)
  }
}

internal import ActivityCore

/// News that did not reach a card.
package struct UpdateNotDelivered: AuditRule {
  package static var wants: LifeTraits { .lostUpdate }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "update-not-delivered", severity: .error,
    summary: "an update was refused or dropped, and the card kept showing the former content",
    reason: "The person saw what was no longer true, and an alert it carried was never heard.",
    condition: """
      An update of a live card did not take effect (refused, too big, in the future, not \
      decodable), nor within 5 minutes by another attempt of its own. Error when it was over 5 \
      minutes until the next content or the end, or when it carried an alert; else warning. Not \
      judged when the card's record ends within 5 minutes of it and nothing followed. An older or \
      late update belongs to other rules.
      """,
    advice: "Repeat refused updates with the newest content; watch the rate of refusals.",
    scope: .activity, needs: [.responses],
    fires: [
      RuleExample(
        "a goal is shown 14 minutes late",
        """
        0m start A source=app device=phone content
        31m update A source=push status=500 alert content
        45m update A source=push status=200 content
        50m end A source=push status=200
        """, finds: .confirmed),
      RuleExample(
        "the newest content never came",
        """
        0m start A source=app device=phone content
        31m update A source=push status=503 content
        50m end A source=push status=200
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "its own third attempt is taken",
        """
        0m start A source=app device=phone content
        20m update A source=push status=503 apns-id=P1 content
        20m1s update A source=push status=503 apns-id=P1 content
        20m4s update A source=push status=200 apns-id=P1 content
        50m end A source=push status=200
        """),
      RuleExample(
        "410 after a person swiped it away",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        4m dismiss A device=phone by=person
        9m update A source=push token=t1 status=410 reason=Unregistered content
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.isOpen else { return }
    let lost = losses(life)
    guard let first = lost.first, let last = lost.last else { return }
    let long = lost.contains { ($0.until ?? life.seenUntil) - $0.entry.at > Leak.grace }
    let alerted = lost.contains { $0.entry.hasAlert }
    let isKnown = lost.contains { $0.entry.isRefused || $0.entry.outcome == .undecodable }
    let length = Interval.union(
      lost.compactMap { life.seen(from: $0.entry.at, until: $0.until) })
    let updates = Wording.count(lost.count, "update")
    var finding = Finding(
      UpdateNotDelivered.info, isKnown ? .confirmed : .inferred, about: life,
      from: first.entry.at, until: last.until, evidence: lost.map(\.entry),
      message: """
        \(updates) did not reach it (\(Wording.loss(first.entry, life.log))); it showed old \
        content for \(Wording.length(length))\(alerted ? ", and an alert was lost" : "")
        """, severity: long || alerted ? .error : .warning)
    finding.count = lost.count
    finding.wrong = lost.compactMap { life.seen(from: $0.entry.at, until: $0.until) }
    findings.append(finding)
  }

  /// One lost act: its first row, and when newer content or the end came.
  private struct Loss {
    var entry: Entry
    var until: Timestamp?
  }

  private func losses(_ life: Timeline) -> [Loss] {
    guard life.entries.contains(where: { $0.kind == .update && $0.isLostAct }) else { return [] }
    let acts = Acts(life.entries).number
    var delivered: [Int: Timestamp] = [:]
    for (entry, act) in zip(life.entries, acts) where act >= 0 && entry.isAppliedAct {
      if delivered[act] == nil { delivered[act] = entry.at }
    }
    let news = UpdateNotDelivered.news(life.entries)
    var mark = Int64.min
    var seen: Set<Int> = []
    var lost: [Loss] = []
    for (place, entry) in life.entries.enumerated() {
      if entry.isAppliedAct, entry.kind != .alert { mark = max(mark, entry.version) }
      // `after` tells a 410 to the newest token, which is an end.
      guard entry.kind == .update, entry.isLostAct, entry.before.isLive, entry.after.isLive,
        entry.version >= mark, seen.insert(acts[place]).inserted
      else { continue }
      if let own = delivered[acts[place]], own - entry.at < Leak.grace { continue }
      if news[place] == nil, life.seenUntil - entry.at < Leak.grace { continue }
      lost.append(Loss(entry: entry, until: news[place]))
    }
    return lost
  }

  /// By entry: when new content or the end came after it.
  private static func news(_ entries: [Entry]) -> [Timestamp?] {
    var next: Timestamp?
    var times = [Timestamp?](repeating: nil, count: entries.count)
    for (place, entry) in entries.enumerated().reversed() {
      times[place] = next
      let isContent = entry.hasContent && (entry.isAppliedAct || entry.kind == .state)
      if isContent || entry.after.isOver { next = entry.at }
    }
    return times
  }
}

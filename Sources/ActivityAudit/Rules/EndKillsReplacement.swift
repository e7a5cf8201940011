internal import ActivityCore

/// The teardown of one card that hit the one that replaced it.
package struct EndKillsReplacement: AuditRule {
  package static let info = RuleInfo(
    id: "end-kills-replacement", severity: .error,
    summary: "an end meant for the former card ended the one that replaced it",
    reason: "The order goes on, and the person has no card of it.",
    condition: """
      Of two cards of one key on one device, the later one ended although its work was not over, \
      and its end was meant for the earlier one: the end's timestamp is more than 5 seconds before \
      the later card began, while the earlier one had begun; or it came within 5 seconds of the \
      later card's start, while the earlier card was still live and was being ended too. An end \
      that a person asked for is none. Confirmed when the device is known and the end was not left \
      unanswered, else inferred.
      """,
    advice: """
      Put start, update and end of a key in one queue; end cards by id, never all of them after a \
      start.
      """,
    scope: .activity, needs: [.key],
    thresholds: [pending, skew],
    fires: [
      RuleExample(
        "a restart that was planned before the renewal",
        """
        0m start A key=K source=app device=phone content
        30m start B key=K source=app device=phone timestamp=@28m content
        30m10s end A key=K source=app device=phone content=2
        33m end B key=K source=push status=200 timestamp=@29m content=2
        """, finds: .confirmed),
      RuleExample(
        "all are ended just after the new one began",
        """
        0m start A key=K source=app device=phone content
        30m start B key=K source=app device=phone content
        30m2s end A key=K source=app device=phone content=2
        30m2s end B key=K source=app device=phone content=2
        """, finds: .confirmed),
      RuleExample(
        "nobody answered the late end",
        """
        0m start A key=K source=app device=phone content
        30m start B key=K source=app device=phone timestamp=@28m content
        30m10s end A key=K source=app device=phone content=2
        33m end B key=K source=push timestamp=@29m content=2
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "the person cancels at once",
        """
        0m start A key=K source=app device=phone content
        30m end A key=K source=app device=phone content=2
        30m20s start B key=K source=app device=phone content
        30m24s end B key=K source=app device=phone dismissal-policy=immediate content=2
        """),
      RuleExample(
        "the work is over just as the card was renewed",
        """
        0m start A key=K source=app device=phone content
        30m start B key=K source=app device=phone content
        30m1s work key=K outcome=finished
        30m2s end A key=K source=app device=phone content=2
        30m2s end B key=K source=app device=phone content=2
        """),
      RuleExample(
        "an end whose timestamp is its own",
        """
        0m start A key=K source=app device=phone content
        30m start B key=K source=app device=phone content
        30m10s end A key=K source=push status=200 timestamp=@30m10s content=2
        50m end B key=K source=push status=200 timestamp=@50m content=2
        """),
    ])

  private static let pending = RuleThreshold(
    "end-kills-replacement", "pending", 5, "seconds", "how soon after a start a stray end comes")
  private static let skew = RuleThreshold(
    "end-kills-replacement", "skew", 5, "seconds", "how far clocks may be apart")

  private let pending: Timestamp.Span
  private let skew: Timestamp.Span
  private var cards = CardsOfKey()

  package static var wants: LifeTraits { .sharedKey }

  package init(_ settings: RuleSettings) {
    pending = settings.span(EndKillsReplacement.pending)
    skew = settings.span(EndKillsReplacement.skew)
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) { cards.add(life) }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for succession in cards.successions(log) {
      for (former, card) in zip(succession, succession.dropFirst()) {
        guard former.number != card.number, let end = card.end,
          let why = reason(former, card, end)
        else { continue }
        // Work that ends with the card, or just after it, is why it was ended.
        let margin = end.at + pending
        let from = min(former.opening, former.firstAt)
        guard log.finish(of: card.key, from: from, until: margin) == nil else { continue }
        let isConfirmed = !card.isEndInferred && !card.device.isAbsent
        findings.append(
          Finding(
            EndKillsReplacement.info, isConfirmed ? .confirmed : .inferred, about: card, log,
            from: end.at, until: nil, evidence: [former.openingSeq, card.openingSeq, end.seq],
            message:
              "\(why), which this one had replaced \(Wording.length(end.at - card.opening)) before")
        )
      }
    }
  }

  /// What shows that an end was meant for the former card; nil when nothing does.
  private func reason(_ former: CardNote, _ card: CardNote, _ end: CardNote.End) -> String? {
    guard end.source != .person, end.source != .intent else { return nil }
    let name = "the former card"
    if let version = end.version {
      let meant = Timestamp(seconds: version)
      if card.opening - meant > skew, meant >= former.opening,
        former.opening < card.opening
      {
        return "its end was made for \(name)"
      }
    }
    guard end.at - card.opening <= pending, former.until > card.opening,
      let asked = former.endAskedAt, asked - end.at <= pending
    else { return nil }
    return "it was ended together with \(name)"
  }
}

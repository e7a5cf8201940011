internal import ActivityCore

/// Two cards for one thing on one phone.
package struct DuplicateLive: AuditRule {
  package static let info = RuleInfo(
    id: "duplicate-live", severity: .error,
    summary: "two live cards of one key on one device",
    reason: "The person sees the same order twice, and one of the two is usually wrong.",
    condition: """
      Two activities of one key on one device (and of one app and environment) were live at the \
      same time for more than 60 seconds, and 5 more for the clocks. A renewal does not count: the \
      former card's end was asked for within 60 seconds of the next start and took effect. Cards \
      that overlap in a row are one finding, about the first that was one too many; its minutes \
      are the overlaps. Confirmed when rows show both alive beyond that time. Where no device is \
      known, a warning without minutes, inferred: the two may be on two phones.
      """,
    advice: """
      Let one place own the card of a key; wait for the end of the old one before a start; hold \
      updates back until the token is known; put a collapse id on starts.
      """,
    scope: .activity, needs: [.key],
    thresholds: [overlap, skew],
    fires: [
      RuleExample(
        "after a relaunch the app starts a second card",
        """
        0m start A key=K source=app device=phone content
        20m start B key=K source=app device=phone content
        40m end A key=K source=app device=phone content=2
        41m end B key=K source=app device=phone content=2
        """, finds: .confirmed),
      RuleExample(
        "the former card's only end is a push nobody answered",
        """
        0m start A key=K source=app device=phone content
        20m start B key=K source=app device=phone content
        30m update B key=K source=push status=200 content
        40m end A key=K source=push content=2
        41m end B key=K source=app device=phone content=2
        """, finds: .inferred),
      RuleExample(
        "no device is known",
        """
        0m start A key=K source=app content
        20m start B key=K source=app content
        40m end A key=K source=app content=2
        41m end B key=K source=app content=2
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "renewed on purpose: the new card first, then the old one's end",
        """
        0m start A key=K source=app device=phone content
        20m start B key=K source=app device=phone content
        20m40s end A key=K source=app device=phone content=2
        41m end B key=K source=app device=phone content=2
        """),
      RuleExample(
        "the old card's end needs a second attempt",
        """
        0m start A key=K source=app device=phone content
        20m start B key=K source=app device=phone content
        20m20s end A key=K source=push status=503 apns-id=P1 content=2
        22m end A key=K source=push status=200 apns-id=P1 content=2
        41m end B key=K source=app device=phone content=2
        """),
      RuleExample(
        "a push start and the card that it became",
        """
        0m token device=phone token=s1 token-kind=start
        1m start key=K source=push token=s1 status=200 alert content
        1m2s token A key=K device=phone token=t1
        41m end A key=K source=app device=phone content=2
        """),
      RuleExample(
        "one order on two phones",
        """
        0m start A key=K source=app device=phone content
        20m start B key=K source=app device=tablet content
        40m end A key=K source=app device=phone content=2
        41m end B key=K source=app device=tablet content=2
        """),
      RuleExample(
        "a token that rotates unannounced is no second card",
        """
        0m update key=K source=push token=t1 status=200 content
        20m update key=K source=push token=t2 status=200 content
        40m end key=K source=push token=t1 status=200
        41m end key=K source=push token=t2 status=200
        """),
    ])

  private static let overlap = RuleThreshold(
    "duplicate-live", "overlap", 60, "seconds", "how long the cards of a renewal may overlap")
  private static let skew = RuleThreshold(
    "duplicate-live", "skew", 5, "seconds", "how far clocks may be apart")

  private let renewal: Timestamp.Span
  private let allowed: Timestamp.Span
  private var cards = CardsOfKey()

  package static var wants: LifeTraits { .sharedKey }

  package init(_ settings: RuleSettings) {
    renewal = settings.span(DuplicateLive.overlap)
    allowed = Timestamp.Span(
      microseconds: renewal.microseconds.addingClamped(
        settings.span(DuplicateLive.skew).microseconds))
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) { cards.add(life) }

  /// Cards that overlap in a row.
  private struct Stack {
    var former: CardNote
    var extra: CardNote
    var overlaps: [Interval]
    var until: Timestamp
    var seqs: [Int64]
    var count = 1
    var isConfirmed: Bool
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for succession in cards.successions(log) {
      for stack in stacks(succession) { findings.append(DuplicateLive.finding(stack, log)) }
    }
  }

  private func stacks(_ succession: [CardNote]) -> [Stack] {
    var stacks: [Stack] = []
    var open: Stack?
    var longest = succession[0]
    for card in succession.dropFirst() {
      if card.number != longest.number, isDouble(longest, card) {
        let both = Interval(from: card.opening, until: min(longest.until, card.until))
        let shown = longest.aliveUntil - card.opening > allowed && !card.isStartInDoubt
        if var stack = open, card.opening < stack.until {
          stack.overlaps.append(both)
          stack.until = max(stack.until, both.until)
          stack.seqs.append(card.openingSeq)
          stack.count += 1
          stack.isConfirmed = stack.isConfirmed || shown
          open = stack
        } else {
          if let open { stacks.append(open) }
          open = Stack(
            former: longest, extra: card, overlaps: [both], until: both.until,
            seqs: [longest.openingSeq, card.openingSeq, longest.aliveSeq], isConfirmed: shown)
        }
      }
      if card.until > longest.until { longest = card }
    }
    if let open { stacks.append(open) }
    return stacks
  }

  /// Whether two cards were live together for longer than a renewal takes.
  private func isDouble(_ former: CardNote, _ card: CardNote) -> Bool {
    guard min(former.until, card.until) - card.opening > allowed else { return false }
    guard let asked = former.endAskedAt, former.endedAt != nil else { return true }
    return asked - card.opening > renewal || card.opening - asked > renewal
  }

  private static func finding(_ stack: Stack, _ log: AuditLog) -> Finding {
    let isPlaced = !stack.extra.device.isAbsent
    let length = Wording.length(Interval.union(stack.overlaps))
    let place = isPlaced ? "on one device" : "device not known"
    // A start without an id is called by its seq, which is not the same in every import.
    let other = stack.former.activityID(log) ?? "another card"
    var finding = Finding(
      info, isPlaced && stack.isConfirmed ? .confirmed : .inferred, about: stack.extra, log,
      from: stack.extra.opening, until: stack.until, evidence: stack.seqs,
      message: """
        it was live together with \(other) of the same key for \(length) \
        (\(Wording.count(stack.count + 1, "card")), \(place))
        """, severity: isPlaced ? nil : .warning)
    finding.count = stack.count
    if isPlaced { finding.wrong = stack.overlaps }
    return finding
  }
}

internal import ActivityCore

/// A card that came back although a person had removed it.
package struct RestartedAfterUserDismissal: AuditRule {
  package static let info = RuleInfo(
    id: "restarted-after-user-dismissal", severity: .warning,
    summary: "a card was started again after a person had removed it",
    reason: "People who swipe a card away and see it return switch Live Activities off.",
    condition: """
      A person removed a live card, and within 4 hours a start of the same key on that device came \
      from elsewhere than the app in the foreground: by push, broadcast, schedule or the system. \
      Info and inferred where it is not known who removed the card. The removal of an ended card \
      does not count, nor the system's about 4 hours after an end. Inferred too when nobody \
      answered the start's push, else confirmed.
      """,
    advice: "Record the swipe, tell the server, and wait for the person to ask for a card again.",
    scope: .activity, needs: [.key, .deviceEvidence],
    thresholds: [quiet],
    fires: [
      RuleExample(
        "the server starts it again after a swipe",
        """
        0m start A key=K source=app device=phone content
        20m dismiss A device=phone by=person
        35m start B key=K source=push device=phone status=200 alert content
        50m end B key=K source=app device=phone
        """, finds: .confirmed),
      RuleExample(
        "the start's push was not answered",
        """
        0m start A key=K source=app device=phone content
        20m dismiss A device=phone by=person
        35m start B key=K source=push device=phone alert content
        50m end B key=K source=app device=phone
        """, finds: .inferred),
      RuleExample(
        "it is gone, and who removed it is not known",
        """
        0m start A key=K source=app device=phone content
        20m state A device=phone state=dismissed
        35m start B key=K source=push device=phone status=200 alert content
        50m end B key=K source=app device=phone
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "the person has asked for it again, and pushes follow",
        """
        0m start A key=K source=app device=phone content
        10m dismiss A device=phone by=person
        12m start B key=K source=app device=phone content
        40m end B source=push status=200 content=2
        45m start C key=K source=push device=phone status=200 alert content
        60m end C source=app device=phone content=3
        """),
      RuleExample(
        "the person starts it again in the app",
        """
        0m start A key=K source=app device=phone content
        20m dismiss A device=phone by=person
        35m start B key=K source=app device=phone content
        50m end B key=K source=app device=phone
        """),
      RuleExample(
        "the system removed an ended card, four hours later",
        """
        0m start A key=K source=app device=phone content
        20m end A key=K source=app device=phone
        4h19m dismiss A device=phone by=person
        4h30m start B key=K source=push device=phone status=200 alert content
        5h end B key=K source=app device=phone
        """),
      RuleExample(
        "the next day",
        """
        0m start A key=K source=app device=phone content
        20m dismiss A device=phone by=person
        20h start B key=K source=push device=phone status=200 alert content
        21h end B key=K source=app device=phone
        """),
    ])

  private static let quiet = RuleThreshold(
    "restarted-after-user-dismissal", "quiet", 4 * 3600, "seconds",
    "how long after a removal nobody but the person should start a card")

  private let quiet: Timestamp.Span
  private var cards = CardsOfKey()

  package static var wants: LifeTraits { .sharedKey }

  package init(_ settings: RuleSettings) {
    quiet = settings.span(RestartedAfterUserDismissal.quiet)
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) { cards.add(life) }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for succession in cards.successions(log) {
      let removals = succession.compactMap(\.dismissal).sorted { ($0.at, $0.seq) < ($1.at, $1.seq) }
      var next = 0
      var latest: CardNote.Dismissal?
      for card in succession {
        while next < removals.count, removals[next].at < card.opening {
          latest = removals[next]
          next += 1
        }
        guard let removal = latest, card.hasStart else { continue }
        // The first start answers for the others, whoever asked for it: they follow from it.
        latest = nil
        guard RestartedAfterUserDismissal.isUnasked(card), card.opening - removal.at < quiet else {
          continue
        }
        findings.append(RestartedAfterUserDismissal.finding(card, removal, log))
      }
    }
  }

  /// Whether a start came from elsewhere than a person in the app.
  private static func isUnasked(_ card: CardNote) -> Bool {
    switch card.source {
    case .push, .broadcast, .schedule, .system: true
    case .app, .intent, .person: false
    case .absent, .other: card.isStartByPush
    }
  }

  private static func finding(
    _ card: CardNote, _ removal: CardNote.Dismissal, _ log: AuditLog
  ) -> Finding {
    let isSure = removal.isByPerson && !card.isStartInDoubt && !card.device.isAbsent
    let who = removal.isByPerson ? "a person" : "somebody or something"
    return Finding(
      info, isSure ? .confirmed : .inferred, about: card, log, from: card.opening, until: nil,
      evidence: [removal.seq, card.openingSeq],
      message: """
        it was started \(Wording.length(card.opening - removal.at)) after \(who) removed the card \
        of the same key
        """, severity: removal.isByPerson ? nil : .info)
  }
}

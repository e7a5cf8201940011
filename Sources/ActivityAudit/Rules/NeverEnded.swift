internal import ActivityCore

/// A card that nobody ended.
package struct NeverEnded: AuditRule {
  package static var wants: LifeTraits { .undecided }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "never-ended", severity: .error, summary: "an activity that nobody ended",
    reason: """
      The card stays on the Lock Screen, with what it showed last, until the system ends it after \
      8 hours, and may linger for 4 more.
      """,
    condition: """
      It began, and no end, dismissal or ended state of it came before the system's limit of 8 \
      hours. Confirmed when the device showed the system's end within 5 minutes of the limit, or \
      the work was finished 5 minutes or more before the card's record ends; inferred when the \
      record goes on past the limit. Not when the order was still going on at the limit: that is \
      ended-by-system-limit.
      """,
    advice: """
      End on success, failure and cancel; reconcile the app's activities at launch; let the server \
      sweep cards whose work is over.
      """,
    scope: .activity, yieldsTo: ["end-not-delivered", "ended-by-system-limit"],
    fires: [
      RuleExample(
        "nobody ends it, and the log goes on beyond 8 hours",
        """
        0m start A key=K source=app device=phone content
        9h start B key=L source=app device=phone content
        9h1m end B source=app device=phone
        """, finds: .inferred),
      RuleExample(
        "the device shows the system's end",
        """
        0m start A source=app device=phone content
        8h10s state A device=phone state=ended
        """, finds: .confirmed),
      RuleExample(
        "the order is over, the card is not",
        """
        0m start A key=K source=app device=phone content
        20m work key=K outcome=finished
        40m update B source=app device=phone content
        41m end B source=app device=phone
        """, finds: .confirmed),
      RuleExample(
        "a test ends and leaves a card", "0m start A source=app content", finds: .confirmed,
        complete: true),
    ],
    passes: [
      RuleExample(
        "the log stops while the card may live", "0m start A source=app content"),
      RuleExample(
        "a person swipes it away",
        """
        0m start A source=app device=phone content
        1h dismiss A device=phone by=person
        9h state C device=phone state=dismissed
        """),
      RuleExample(
        "an end that names only its key",
        """
        0m start A key=K source=app device=phone content
        20m end key=K source=app
        9h inventory device=phone
        """),
      RuleExample(
        "a push start and the card it became are one",
        """
        0m start source=push token=s1 key=K alert content status=200
        10s token A key=K token=t1
        20m end source=push token=t1 status=200
        9h work key=L outcome=finished
        """),
      RuleExample(
        "the next inventory no longer lists it",
        """
        0m start A source=app device=phone content
        1h inventory device=phone complete=true activities=
        9h inventory device=phone complete=true activities=
        """),
      RuleExample(
        "an alarm has another lifetime",
        """
        0m start A source=app device=phone producer=alarmkit content
        9h inventory device=phone
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let leak = life.leak
    guard let verdict = leak.verdict, !leak.isOpenAtLimit else { return }
    let horizon = min(life.limit, max(life.seenUntil, life.opening))
    let from = life.finishedAt ?? (life.log.options.complete ? horizon : life.limit)
    let wrong = life.seen(from: from, until: nil)
    var finding = Finding(
      NeverEnded.info, verdict, about: life, from: from, until: life.over,
      evidence: evidence(life, leak), message: NeverEnded.message(life, leak))
    finding.wrong = wrong.map { [$0] } ?? []
    findings.append(finding)
  }

  private func evidence(_ life: Timeline, _ leak: Leak) -> [Entry] {
    let rows = life.entries.filter { $0.kind != nil }
    return [rows.first, rows.last { $0.isAppliedAct }, leak.systemEnd].compactMap(\.self)
  }

  private static func message(_ life: Timeline, _ leak: Leak) -> String {
    let late = life.entries.first { $0.kind == .end && $0.outcome == .afterEnd }
    let tail = late.map {
      "; an end came \(Wording.length($0.at - life.limit)) after the system's"
    }
    if life.finishedAt != nil {
      return "the work was finished, the card was not ended" + (tail ?? "")
    }
    if leak.systemEnd != nil { return "nobody ended it; the system did after 8 h" + (tail ?? "") }
    if life.log.options.complete, life.seenUntil <= life.limit { return "nobody ended it" }
    return "nobody ended it in 8 h, and nothing shows that it is gone" + (tail ?? "")
  }
}

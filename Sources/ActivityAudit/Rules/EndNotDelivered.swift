internal import ActivityCore

/// A card whose end was asked for and never took effect.
package struct EndNotDelivered: AuditRule {
  package static var wants: LifeTraits { .lostEnd }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "end-not-delivered", severity: .error,
    summary: "an end was asked for and did not reach the card",
    reason: "The sender believes that the card is gone; the person still sees it.",
    condition: """
      An end of a live card did not take effect (refused, too big, not decodable), and none took \
      effect later, nor did the device show one before the system's limit of 8 hours. Confirmed \
      when that is 5 minutes or more before the card's record ends; inferred when the record goes \
      on past the limit. A 410 to the newest token is an end.
      """,
    advice: """
      Repeat an end with a new timestamp until it is taken or answered 410, or the 8 hours are \
      over; raise an alarm on refused ends.
      """,
    scope: .activity, needs: [.responses],
    fires: [
      RuleExample(
        "APNs answers 503 and nobody tries again",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m end A source=push token=t1 status=503 reason=ServiceUnavailable
        40m update B source=app device=phone content
        41m end B source=app device=phone
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "the second attempt is taken",
        """
        0m start A source=app device=phone content
        20m end A source=push status=503 apns-id=P1
        20m5s end A source=push status=200 apns-id=P1
        40m inventory device=phone
        """),
      RuleExample(
        "410: it was gone already",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m end A source=push token=t1 status=410 reason=Unregistered
        9h inventory device=phone
        """),
      RuleExample(
        "the log stops a minute later: a retry may follow",
        """
        0m start A source=app device=phone content
        20m end A source=push status=503
        21m inventory device=phone
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let leak = life.leak
    guard let verdict = leak.verdict, let first = leak.lostEnds.first,
      let last = leak.lostEnds.last
    else { return }
    let from = [life.finishedAt, first.at].compactMap(\.self).min() ?? first.at
    let why = Wording.loss(last, life.log)
    let attempts = Wording.count(leak.lostEnds.count, "attempt")
    var finding = Finding(
      EndNotDelivered.info, verdict, about: life, from: from, until: life.over,
      evidence: leak.lostEnds, message: "\(attempts) to end it, the last: \(why); none took effect")
    finding.count = leak.lostEnds.count
    finding.wrong = life.seen(from: from, until: nil).map { [$0] } ?? []
    findings.append(finding)
  }
}

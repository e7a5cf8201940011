internal import ActivityCore

/// A card the system took away while its order went on.
package struct EndedBySystemLimit: AuditRule {
  package static var wants: LifeTraits { .undecided }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "ended-by-system-limit", severity: .warning,
    summary: "the system ended a card whose order was still going on",
    reason: "After 8 hours the card stops, and the person follows an order that no card shows.",
    condition: """
      No end of it came before the system's limit of 8 hours, no card of the same key on the \
      device had replaced it by then, and its work was open at the limit: a work event says so, or \
      the key was started again within 12 hours after it. Confirmed when the device showed the end \
      within 5 minutes of the limit; inferred when the card's record goes on past it.
      """,
    advice: """
      Start the next card before the 8 hours are over, where a start is allowed (in the \
      foreground, by an intent or by push), then end the old one; show when the card will stop.
      """,
    scope: .activity, yieldsTo: ["end-not-delivered"],
    fires: [
      RuleExample(
        "a long haul, renewed too late",
        """
        0m start A key=H source=app device=phone content
        8h25m start B key=H source=app device=phone content
        9h end B key=H source=app device=phone
        """, finds: .inferred),
      RuleExample(
        "the order is open, and the phone shows the end",
        """
        0m work key=H outcome=open
        0m start A key=H source=app device=phone content
        8h8s state A device=phone state=ended
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "renewed in time",
        """
        0m start A key=H source=app device=phone content
        7h30m start B key=H source=app device=phone content
        7h30m20s end A key=H source=app device=phone
        9h end B key=H source=app device=phone
        """)
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let leak = life.leak
    guard leak.isOpenAtLimit, leak.verdict != nil else { return }
    let first = life.entries.first { $0.kind != nil }
    findings.append(
      Finding(
        EndedBySystemLimit.info, leak.systemEnd == nil ? .inferred : .confirmed, about: life,
        from: life.limit, until: life.over,
        evidence: [first, leak.systemEnd].compactMap(\.self),
        message: "ran into the system's 8 h while its order went on"))
  }
}

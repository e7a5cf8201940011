internal import ActivityCore

/// News for a card that is gone, by somebody who could know.
package struct SendAfterTerminal: AuditRule {
  private static let grace = RuleThreshold(
    "send-after-terminal", "grace", 60, "seconds", "how long after the end a push may be under way")
  private static let sends = RuleThreshold(
    "send-after-terminal", "sends", 3, "sends",
    "how many are too many where the sender was not told of the end")
  private let grace: Timestamp.Span
  private let sendsMin: Int

  package static var wants: LifeTraits { .sendAfterEnd }

  package init(_ settings: RuleSettings) {
    grace = settings.span(SendAfterTerminal.grace)
    sendsMin = settings.count(SendAfterTerminal.sends)
  }

  package static let info = RuleInfo(
    id: "send-after-terminal", severity: .warning,
    summary: "updates went on to a card that had ended or been removed",
    reason: "Nobody sees them, and the sender believes that somebody does.",
    condition: """
      More than 60 seconds after the activity was really over (ended, dismissed, absent from an \
      inventory, or its newest token answered 410; the system's own end does not count) an update \
      or alert was sent to it: one is enough when the sender knew, since it had sent the end \
      itself or been answered 410 to the same token; else three. Attempts are one send, and what \
      was first tried before the end is none; ends, and acts on a key or a channel alone, are left \
      out. Inferred where the end is.
      """,
    advice: """
      At 410, or when the app reports the end, drop the token and stop; do not update a card \
      without looking at its state.
      """,
    scope: .activity, yieldsTo: ["out-of-order-timestamp", "update-after-end"], yielding: .sameRow,
    thresholds: [grace, sends],
    fires: [
      RuleExample(
        "a swiped card is updated for an hour",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        10m dismiss A device=phone by=person
        20m update A source=push token=t1 status=200 content=2
        40m update A source=push token=t1 status=200 content=3
        60m update A source=push token=t1 status=200 content=4
        """, finds: .confirmed),
      RuleExample(
        "the answer 410 is not read",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        10m update A source=push token=t1 status=410 reason=Unregistered content=2
        14m update A source=push token=t1 status=410 reason=Unregistered content=3
        """, finds: .inferred),
      RuleExample(
        "the app updates a card that it no longer has",
        """
        0m start A source=app device=phone content
        10m dismiss A device=phone by=system
        20m update A source=app device=phone content=2
        40m update A source=app device=phone content=3
        60m update A source=app device=phone content=4
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "one push learns that the card is gone",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        10m dismiss A device=phone by=person
        20m update A source=push token=t1 status=410 reason=Unregistered content=2
        """),
      RuleExample(
        "the end is tried again",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        10m end A source=push token=t1 status=200 content=2
        14m end A source=push token=t1 status=410 reason=Unregistered content=2
        """),
      RuleExample(
        "within the grace",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        10m dismiss A device=phone by=person
        10m20s update A source=push token=t1 status=200 content=2
        10m40s update A source=push token=t1 status=200 content=3
        10m59s update A source=push token=t1 status=200 content=4
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard let endedAt = life.endedAt, !life.isChannel,
      let latest = life.entries.last(where: isSend), latest.at - endedAt > grace
    else { return }
    let proof = life.entries.last { $0.at == endedAt && $0.after.isOver }
    var known: Timestamp? = proof.flatMap { knows($0) ? $0.at : nil }
    var gone: Set<Entry.Word> = []
    var earlier: Set<Int> = []
    var late: [Entry] = []
    var didKnow = false
    for (entry, act) in zip(life.entries, Acts(life.entries).number) {
      if act >= 0, entry.at <= endedAt { earlier.insert(act) }
      let isSent = isSend(entry) && entry.at - endedAt > grace && entry.before.isOver
      if isSent, earlier.insert(act).inserted {
        late.append(entry)
        let isToldByToken = entry.isByPush && gone.contains(entry.token)
        let isTold = isToldByToken || known.map { entry.at - $0 > grace } ?? false
        didKnow = didKnow || isTold && entry.isByPush
      }
      if entry.status == 410, !entry.token.isAbsent { gone.insert(entry.token) }
      if entry.isByPush, entry.kind == .end, entry.isAccepted { known = known ?? entry.at }
    }
    guard let first = late.first, let last = late.last, late.count >= (didKnow ? 1 : sendsMin)
    else { return }
    let length = Wording.length(last.at - endedAt)
    let told = didKnow ? "; the sender had been told" : ""
    var finding = Finding(
      SendAfterTerminal.info, life.isEndInferred ? .inferred : .confirmed, about: life,
      from: first.at, until: last.at, evidence: [proof].compactMap(\.self) + late,
      message: """
        \(Wording.count(late.count, "update")) went to it after it was over, the last \
        \(length) later\(told)
        """)
    finding.count = late.count
    findings.append(finding)
  }

  private func isSend(_ entry: Entry) -> Bool {
    (entry.kind == .update || entry.kind == .alert) && !entry.fansOut
  }

  /// Whether what ended it was the sender's own, or an answer to it.
  private func knows(_ end: Entry) -> Bool {
    end.isByPush && (end.kind == .end && end.isAccepted || end.status == 410)
  }
}

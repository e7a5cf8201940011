internal import ActivityCore

/// A card that lives on after an end that APNs took.
package struct EndUnconfirmed: AuditRule {
  private static let grace = RuleThreshold(
    "end-unconfirmed", "grace", 120, "seconds", "how long after an end a device may still show life"
  )
  private let grace: Timestamp.Span

  package static var wants: LifeTraits { .shownAfterEnd }

  package init(_ settings: RuleSettings) { grace = settings.span(EndUnconfirmed.grace) }

  package static let info = RuleInfo(
    id: "end-unconfirmed", severity: .error,
    summary: "APNs took an end, and the device shows the card alive afterwards",
    reason: "The sender counts the card as ended; the person still has it on the screen.",
    condition: """
      An end by push took effect and was answered 200, and more than 120 seconds later a state of \
      the device, or an inventory, shows the same activity active or stale. Error and confirmed \
      with a state; warning and inferred where only an inventory lists it, which may go on listing \
      what has ended.
      """,
    advice: """
      Let the app report that its card is gone; count an end as done only when the device shows \
      it, and until then repeat it to the newest token.
      """,
    scope: .activity, needs: [.responses, .deviceEvidence], thresholds: [grace],
    fires: [
      RuleExample(
        "the end went to a token that no card has any more",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m end A source=push token=t1 status=200
        31m state A device=phone state=active
        """, finds: .confirmed),
      RuleExample(
        "the app still lists it when it is opened again",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m end A source=push token=t1 status=200
        3h inventory device=phone activities=A
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "a state that was on its way already",
        """
        0m start A source=app device=phone content
        20m end A source=push status=200
        20m40s state A device=phone state=active
        """),
      RuleExample(
        "the device reports late what it showed before",
        """
        0m start A source=app device=phone content
        20m end A source=push status=200
        19m state A device=phone state=active recorded-at=2026-01-05T03:00:00Z
        """),
      RuleExample(
        "no device reports anything after it: the app does not run",
        """
        0m start A source=app device=phone content
        5m state A device=phone state=active
        20m end A source=push status=200
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.traits.contains([.push, .shownLive]) else { return }
    var end: Entry?
    var isTold = false
    var ends: [Entry] = []
    var shown: [Entry] = []
    for entry in life.entries {
      if entry.kind == .end, entry.isByPush, entry.isAccepted, entry.isAppliedAct,
        entry.before.isLive
      {
        (end, isTold) = (entry, false)
      } else if entry.kind == .dismiss || entry.shown.isOver {
        end = nil
      } else if let last = end, entry.shown.isLive, entry.at - last.at > grace {
        shown.append(entry)
        if !isTold { ends.append(last) }
        isTold = true
      }
    }
    guard let first = ends.first, let last = ends.last, let proof = shown.first else { return }
    let isShown = shown.contains { !$0.isListed }
    let how = isShown ? "shows it \(proof.shown.word)" : "lists it"
    var finding = Finding(
      EndUnconfirmed.info, isShown ? .confirmed : .inferred, about: life, from: first.at,
      until: life.over, evidence: [first, last] + shown,
      message: """
        APNs answered 200 to \(Wording.count(ends.count, "end")), and the device still \(how) \
        \(Wording.length(proof.at - first.at)) later
        """, severity: isShown ? .error : .warning)
    finding.count = ends.count
    findings.append(finding)
  }
}

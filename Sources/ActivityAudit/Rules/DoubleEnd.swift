internal import ActivityCore

/// Two ends that disagree.
package struct DoubleEnd: AuditRule {
  package static let info = RuleInfo(
    id: "double-end", severity: .info,
    summary: "an activity was ended twice, in two different ways",
    reason: "The first end wins; what the second wanted to show or when it wanted it gone is lost.",
    condition: """
      Two ends or more that name the activity itself, none of them refused and not attempts or \
      records of one another, differ in content, dismissal date or policy. Ends after the \
      system's own are not counted, nor those that reach it by its key or channel alone. Inferred \
      when one is a push nobody answered, else confirmed.
      """,
    advice: "Let one place end an activity, the app or the server, and tell the other.",
    scope: .activity, reads: .all,
    fires: [
      RuleExample(
        "the app and the server have different last words",
        """
        0m start A source=app device=phone content
        40m end A source=app device=phone content=delivered
        40m5s end A source=push status=200 content=closed
        """, finds: .confirmed),
      RuleExample(
        "the second was to remove it at once",
        """
        0m start A source=app device=phone content
        40m end A source=app device=phone content=delivered
        40m5s end A source=push content=delivered dismissal-policy=immediate
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "both sides say the same",
        """
        0m start A source=app device=phone content
        40m end A source=app device=phone content=delivered
        40m1s end A source=push status=200 content=delivered
        """),
      RuleExample(
        "an end of the whole key, after the card's own",
        """
        0m start A key=K source=app device=phone content
        40m end A source=app device=phone content=delivered
        40m5s end key=K source=push status=200 content=closed
        """),
      RuleExample(
        "a retry is the same end",
        """
        0m start A source=app device=phone content
        40m end A source=push apns-id=P1 status=503 content=delivered
        40m2s end A source=push apns-id=P1 status=200 content=delivered
        """),
    ])

  package static var wants: LifeTraits { .manyEnds }

  package init(_ settings: RuleSettings) {}

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.endedAt != nil, !life.isChannel else { return }
    let ends = life.entries.filter {
      $0.kind == .end && !$0.isRefused && ($0.outcome.isApplied || $0.outcome == .afterEnd)
        && !$0.fansOut && $0.at < life.limit
    }
    guard ends.count > 1 else { return }
    let acts = Acts(ends).number
    let first = ends[0]
    var others: [Entry] = []
    var seen: Set<Int> = [acts[0]]
    for (entry, act) in zip(ends, acts).dropFirst() where seen.insert(act).inserted {
      if differ(first, entry, life.log) { others.append(entry) }
    }
    guard let last = others.last else { return }
    let isSure = ([first] + others).allSatisfy { !$0.isByPush || $0.isAnswered }
    var finding = Finding(
      DoubleEnd.info, isSure ? .confirmed : .inferred, about: life, from: first.at, until: last.at,
      evidence: [first] + others,
      message: """
        it was ended again \(Wording.length(others[0].at - first.at)) later, with other content \
        or dismissal
        """)
    finding.count = others.count
    findings.append(finding)
  }

  /// Whether two ends ask for different things. An end without content leaves what is shown.
  private func differ(_ a: Entry, _ b: Entry, _ log: AuditLog) -> Bool {
    if a.date != b.date || a.isImmediate != b.isImmediate { return true }
    guard a.hasContent, b.hasContent else { return false }
    return log.content(of: a)?.digest != log.content(of: b)?.digest
  }
}

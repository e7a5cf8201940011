internal import ActivityCore

/// Pushes to a token whose successor was known.
package struct SupersededTokenUsed: AuditRule {
  private static let grace = RuleThreshold(
    "superseded-token-used", "grace", 60, "seconds",
    "how long after a new token pushes to the former one may still be under way")
  private let grace: Timestamp.Span

  package static var wants: LifeTraits { .tokensDiffer }

  package init(_ settings: RuleSettings) { grace = settings.span(SupersededTokenUsed.grace) }

  package static let info = RuleInfo(
    id: "superseded-token-used", severity: .error,
    summary: "pushes went to a token that had been replaced",
    reason: "APNs goes on answering 200 for a while, and the card does not change.",
    condition: """
      An update, alert or end by push used a token of the activity more than 60 seconds after \
      another token of the same activity was recorded, and it was known before that other one. An \
      answer of 200 is no defence. Attempts of one push count once.
      """,
    advice: "Keep the newest token of each card and delete the former one when a new one comes.",
    scope: .activity, needs: [.tokens], thresholds: [grace],
    fires: [
      RuleExample(
        "one of two servers keeps the old token",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m token A device=phone token=t2 replaces=t1
        25m update A source=push token=t1 status=200 content=2
        30m end A source=push token=t2 status=200 content=3
        """, finds: .confirmed),
      RuleExample(
        "the registration of the new token was overwritten",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        2m token A device=phone token=t2
        10m update A source=push token=t1 status=200 content=2
        20m update A source=push token=t1 status=200 content=3
        30m end A source=app device=phone content=4
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "a push that crossed the rotation",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m token A device=phone token=t2 replaces=t1
        20m30s update A source=push token=t1 status=200 content=2
        30m end A source=push token=t2 status=200 content=3
        """),
      RuleExample(
        "the app registers the token it has once more",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m token A device=phone token=t1
        25m update A source=push token=t1 status=200 content=2
        30m end A source=push token=t1 status=200 content=3
        """),
      RuleExample(
        "the server's new token is recorded before the app writes it down",
        """
        0m start A source=app device=phone content
        1m token A device=phone token=t1
        20m update A source=push token=t1 status=200 content=2
        25m update A source=push token=t3 status=200 content=3
        30m end A source=push token=t3 status=200 content=4
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.traits.contains([.push, .tokens]) else { return }
    var newest: Entry?
    var former: Set<Entry.Word> = []
    var known: Set<Entry.Word> = []
    var used: [Entry] = []
    var successors: [Entry] = []
    for entry in life.entries where !entry.token.isAbsent && entry.kind != .start {
      if entry.kind == .token {
        if entry.token != newest?.token {
          former.formUnion(known)
          newest = entry
        }
        former.remove(entry.token)
      } else if let newest, entry.isByPush, entry.kind?.isAct ?? false,
        former.contains(entry.token), entry.at - newest.at > grace
      {
        used.append(entry)
        if successors.last?.seq != newest.seq { successors.append(newest) }
      }
      known.insert(entry.token)
    }
    guard let first = used.first, let last = used.last, let successor = successors.first else {
      return
    }
    let count = Set(Acts(used).number).count
    var finding = Finding(
      SupersededTokenUsed.info, .confirmed, about: life, from: first.at, until: last.at,
      evidence: [successor] + used,
      message: """
        \(Wording.count(count, "push", "pushes")) went to a former token, the first \
        \(Wording.length(first.at - successor.at)) after the new one was known
        """)
    finding.count = count
    findings.append(finding)
  }
}

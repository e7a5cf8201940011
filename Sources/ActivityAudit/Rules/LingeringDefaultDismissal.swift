internal import ActivityCore

/// Finished cards that stay as long as the system likes.
package struct LingeringDefaultDismissal: AuditRule {
  package static let occurrences = RuleThreshold(
    "lingering-default-dismissal", "occurrences", 3, "ends", "ends before a type is named")
  package static let linger = RuleThreshold(
    "lingering-default-dismissal", "linger", 1800, "seconds", "how long an ended card may stay")

  private let least: Int
  private let linger: Timestamp.Span

  package static var wants: LifeTraits { .defaultEnd }

  package init(_ settings: RuleSettings) {
    least = max(1, settings.count(LingeringDefaultDismissal.occurrences))
    linger = settings.span(LingeringDefaultDismissal.linger)
  }

  package static let info = RuleInfo(
    id: "lingering-default-dismissal", severity: .info,
    summary: "ended cards stay on the screen by the default policy",
    reason: """
      A finished order stands on the Lock Screen for up to 4 hours; some apps want just that.
      """,
    condition: """
      An end that took effect, by the app or by push, gives neither a dismissal date nor a policy \
      other than default, and nobody saw the card gone within 30 minutes (inferred), or it was \
      seen gone later (confirmed); 3 times or more in one type and build. Listed only when it is \
      asked for.
      """,
    advice: "Give the end a dismissal date a few minutes ahead.",
    scope: .typeAndBuild, thresholds: [occurrences, linger], isHidden: true,
    fires: [
      RuleExample(
        "three deliveries, done and still there",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        20m end A source=push timestamp=@20m content=2
        21m end B source=push timestamp=@21m content=2
        22m end C source=app device=p3 dismissal-policy=default content=2
        """, finds: .inferred),
      RuleExample(
        "seen to go after hours",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        20m end A source=app device=p1 content=2
        21m end B source=app device=p2 content=2
        22m end C source=app device=p3 content=2
        3h dismiss A device=p1 by=policy
        3h1m dismiss B device=p2 by=person
        3h2m dismiss C device=p3 by=policy
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "gone minutes later",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        20m end A source=push timestamp=@20m dismissal-date=@25m content=2
        21m end B source=app device=p2 dismissal-policy=immediate content=2
        22m end C source=push timestamp=@22m content=2
        30m dismiss C device=p3 by=person
        """)
    ])

  private var lingering: [TypeAndBuild: (seen: Tally, unseen: Tally)] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt, let end = life.askedEnd, end.date == nil, !end.isImmediate else {
      return
    }
    let policy = life.log.text(end.word)
    guard policy == nil || policy == "default" else { return }
    let gone = life.entries.first { entry in
      entry.at >= end.at && (entry.kind == .dismiss || entry.shown == .dismissed)
    }
    if let gone, gone.at - end.at <= linger { return }
    let scope = TypeAndBuild(life)
    if gone == nil {
      lingering[scope, default: (Tally(), Tally())].unseen.add(end, of: life)
    } else {
      lingering[scope, default: (Tally(), Tally())].seen.add(end, of: life)
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, known) in lingering.sorted(by: { $0.key.precedes($1.key, log) }) {
      let count = known.seen.count + known.unseen.count
      guard count >= least else { continue }
      let isSeen = known.seen.count > 0
      var finding = Finding(
        LingeringDefaultDismissal.info, isSeen ? .confirmed : .inferred,
        tally: isSeen ? known.seen : known.unseen, scope, log,
        message: """
          \(Wording.count(count, "end")) left to the default policy, \(known.seen.count) of them \
          seen on the screen for over \(Wording.length(linger))
          """)
      finding.count = count
      finding.devices = known.seen.devices.union(known.unseen.devices).count
      findings.append(finding)
    }
  }
}

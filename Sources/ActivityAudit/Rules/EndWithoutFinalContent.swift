internal import ActivityCore

/// Ended cards that go on showing what was true before.
package struct EndWithoutFinalContent: AuditRule {
  package static let occurrences = RuleThreshold(
    "end-without-final-content", "occurrences", 5, "ends", "ends before a type is warned of")

  private let least: Int

  package static var wants: LifeTraits { .bareEnd }

  package init(_ settings: RuleSettings) {
    least = max(1, settings.count(EndWithoutFinalContent.occurrences))
  }

  package static let info = RuleInfo(
    id: "end-without-final-content", severity: .warning,
    summary: "ends leave the former content on the screen",
    reason: """
      An ended card stays for up to 4 hours, and what it says then is the last word: "arrives in \
      3 min".
      """,
    condition: """
      An end that took effect, by the app or by push, has no content-state and does not dismiss at \
      once (policy immediate, or a dismissal date at or before it), and the card had not shown \
      content that --finished names; 5 times or more in one type and build.
      """,
    advice: "Send the final state with the end, or dismiss at once.",
    scope: .typeAndBuild, thresholds: [occurrences],
    fires: [
      RuleExample(
        "five rides that arrive for ever",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        3m start D source=app device=p4 stale-date=@40m content
        4m start E source=app device=p5 stale-date=@40m content
        20m end A source=push timestamp=@20m
        21m end B source=push timestamp=@21m
        22m end C source=app device=p3
        23m end D source=app device=p4
        24m end E source=app device=p5
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "dismissed at once",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        3m start D source=app device=p4 stale-date=@40m content
        4m start E source=app device=p5 stale-date=@40m content
        20m end A source=push timestamp=@20m dismissal-date=@20m
        21m end B source=push timestamp=@21m dismissal-date=0
        22m end C source=app device=p3 dismissal-policy=immediate
        23m end D source=app device=p4 dismissal-policy=immediate
        24m end E source=push dismissal-policy=immediate
        """),
      RuleExample(
        "with their last words",
        """
        0m start A source=app device=p1 stale-date=@40m content
        1m start B source=app device=p2 stale-date=@40m content
        2m start C source=app device=p3 stale-date=@40m content
        3m start D source=app device=p4 stale-date=@40m content
        4m start E source=app device=p5 stale-date=@40m content
        20m end A source=push timestamp=@20m content=2
        21m end B source=push timestamp=@21m content=2
        22m end C source=app device=p3 content=2
        23m end D source=app device=p4 content=2
        24m end E source=app device=p5
        """),
    ])

  private var bare: [TypeAndBuild: RowTally] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt, let end = life.askedEnd, !end.hasContent, !end.dismissesAtOnce else {
      return
    }
    let finished = life.log.options.finishedRows
    if !finished.isEmpty, life.entries.contains(where: { finished.contains($0.seq) }) { return }
    bare[TypeAndBuild(life), default: RowTally()].add(end, of: life)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in bare.sorted(by: { $0.key.precedes($1.key, log) })
    where tally.count >= least {
      findings.append(
        Finding(
          EndWithoutFinalContent.info, .confirmed, tally: tally, scope, log,
          message: "\(Wording.count(tally.count, "end")) without final content"))
    }
  }
}

extension Timeline {
  /// The end that took effect and that the app or a sender asked for.
  var askedEnd: Entry? {
    entries.first { entry in
      guard entry.kind == .end, entry.isAppliedAct, !entry.before.isOver else { return false }
      return entry.source != .person && entry.source != .system
    }
  }
}

extension Entry {
  /// Whether an end asks for the card to be gone when it takes effect; a date wins over a policy.
  var dismissesAtOnce: Bool { date.map { $0 <= at } ?? isImmediate }
}

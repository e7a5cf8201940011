internal import ActivityCore

/// What cannot have happened to one activity.
package struct ImpossibleTransition: AuditRule {
  package static var wants: LifeTraits { [.manyStarts, .shownAfterOver] }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "impossible-transition", severity: .error,
    summary: "an activity did what no activity can do",
    reason: "Either ids are reused or logs are mixed; whatever else is said of it is in doubt.",
    condition: """
      One recorder started it a second time while it lived (2 seconds are allowed for writing one \
      action down twice, and attempts of one push are one), or a device showed life more than 120 \
      seconds after it had shown its end or dismissal, or after the app itself had ended it, or \
      showed it pending after it was active. What an inventory lists proves less, since ended \
      activities may stay listed: one that lists a card as alive more than 120 seconds after the \
      app or the device had ended it makes it count as alive again, and is an info, inferred. Acts \
      after an end belong to update-after-end.
      """,
    advice: "Give every activity an id of its own; do not mix logs of two devices under one name.",
    scope: .activity, yieldsTo: ["out-of-order-timestamp", "update-after-end"],
    yielding: .sameRow,
    fires: [
      RuleExample(
        "started twice",
        """
        0m start A source=app device=phone content
        30m start A source=app device=phone content
        55m end A source=app device=phone
        """, finds: .confirmed),
      RuleExample(
        "dismissed, and active again",
        """
        0m start A source=app device=phone content
        20m end A source=app device=phone dismissal-policy=immediate
        20m1s state A device=phone state=dismissed
        32m state A device=phone state=active
        """, finds: .confirmed),
      RuleExample(
        "listed as alive ten minutes after the app ended it",
        """
        0m start A source=app device=phone content
        20m end A source=app device=phone
        30m inventory device=phone activities=A
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "two recorders saw the same start",
        """
        0m start A source=app recorder=phone device=phone content
        40s start A source=app recorder=server content
        55m end A source=app recorder=phone device=phone
        """),
      RuleExample(
        "a late state just after the end",
        """
        0m start A source=app device=phone content
        20m end A source=app device=phone
        20m30s state A device=phone state=active
        """),
      RuleExample(
        "an id used again after its end",
        """
        0m start A source=app device=phone content
        20m end A source=app device=phone
        2h start A source=app device=phone content
        2h20m end A source=app device=phone
        """),
      RuleExample(
        "an inventory that lists it as ended",
        """
        0m start A source=app device=phone content
        20m end A source=app device=phone
        30m inventory device=phone activities=[{"activity-id":"A","state":"ended"}]
        """),
    ])

  private static let doubled = Timestamp.Span.seconds(2)

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.isOpen, !life.isChannel else { return }
    let wrong = (secondStarts(life) + contradictions(life)).sorted {
      ($0.at, $0.seq) < ($1.at, $1.seq)
    }
    guard let first = wrong.first, let last = wrong.last else {
      if let finding = relisted(life) { findings.append(finding) }
      return
    }
    let what =
      first.kind == .start
      ? "it was started again while it lived"
      : "it was shown \(first.shown.word) after it was \(first.kindBefore)"
    var finding = Finding(
      ImpossibleTransition.info, .confirmed, about: life, from: first.at, until: last.at,
      evidence: wrong, message: what)
    finding.count = wrong.count
    findings.append(finding)
  }

  /// An inventory that lists as alive what the app or the device had ended.
  private func relisted(_ life: Timeline) -> Finding? {
    var end: Entry?
    for entry in life.entries {
      if entry.kind == .start, entry.isAppliedAct { end = nil }
      let isOver =
        entry.kind == .dismiss || entry.kind == .state && entry.shown.isOver
        || entry.kind == .end && !entry.isByPush && entry.isAppliedAct
      if isOver, end == nil { end = entry }
      guard let end, entry.isListed, entry.shown.isLive,
        entry.at - end.at > Timestamp.Span.seconds(120)
      else { continue }
      return Finding(
        ImpossibleTransition.info, .inferred, about: life, from: entry.at, until: nil,
        evidence: [end, entry],
        message: """
          an inventory lists it as \(entry.shown.word) \(Wording.length(entry.at - end.at)) after \
          its end; it counts as alive again
          """, severity: .info)
    }
    return nil
  }

  private func secondStarts(_ life: Timeline) -> [Entry] {
    let starts = life.entries.filter { $0.kind == .start && !$0.isLostAct && !$0.fansOut }
    guard starts.count > 1 else { return [] }
    let acts = Acts(starts).number
    var latest: [Entry.Word: Timestamp] = [:]
    var seen: Set<Int> = []
    var second: [Entry] = []
    for (entry, act) in zip(starts, acts) {
      let isNew = seen.insert(act).inserted
      defer { latest[entry.recorder] = entry.at }
      guard isNew, entry.before.isLive || entry.before == .pending,
        let former = latest[entry.recorder],
        entry.at - former > ImpossibleTransition.doubled
      else { continue }
      second.append(entry)
    }
    return second
  }

  /// Life that a device shows after it, or the app on it, had shown the end.
  private func contradictions(_ life: Timeline) -> [Entry] {
    var over: Timestamp?
    var wasActive = false
    var wrong: [Entry] = []
    for entry in life.entries {
      guard let kind = entry.kind, !entry.isListed, !entry.fansOut else { continue }
      if kind == .dismiss || kind == .state && entry.shown.isOver {
        over = over ?? entry.at
      } else if kind == .end, !entry.isByPush, entry.isAppliedAct {
        over = over ?? entry.at
      } else if kind == .state, entry.shown.isLive || entry.shown == .pending {
        let isAfter = over.map { entry.at - $0 > Timestamp.Span.seconds(120) } ?? false
        if isAfter || entry.shown == .pending && wasActive { wrong.append(entry) }
        if entry.shown.isLive { wasActive = true }
      } else if kind == .start, entry.before == .none, entry.isAppliedAct {
        over = nil
      }
    }
    return wrong
  }
}

extension Entry {
  /// How the activity stood, as a sentence says it.
  fileprivate var kindBefore: String { before == .none ? "over" : before.word }
}

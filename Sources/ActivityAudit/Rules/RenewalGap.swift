internal import ActivityCore

/// An order whose cards do not follow one another as they should.
package struct RenewalGap: AuditRule {
  package static let info = RuleInfo(
    id: "renewal-gap", severity: .warning,
    summary: "an order had no card for a while between two, or its card was started over and over",
    reason: "The person loses sight of an order that goes on, or sees its card come and go.",
    condition: """
      Gap: the next card of a key on its device began more than 60 seconds and at most 12 hours \
      after the former was over, while the key was open: a work event says so, or the former card \
      ended within an hour before the system's limit of 8 hours, or by the system. Thrash: three \
      cards of a key or more began within one hour, each after the former was over, and no act on \
      them was lost. Neither when the work was finished or cancelled between, nor after a person \
      removed the card. Confirmed when the former card's end is seen and the device known, else \
      inferred.
      """,
    advice: """
      Start the next card shortly before the 8 hours are over, where a start is allowed, and only \
      then; keep one card for one order.
      """,
    scope: .activity, needs: [.key], yieldsTo: ["ended-by-system-limit", "never-ended"],
    thresholds: [gap, thrash, starts],
    fires: [
      RuleExample(
        "ended before the limit, and renewed 25 minutes later",
        """
        0m start A key=K source=app device=phone content
        7h40m end A key=K source=app device=phone content=2
        8h5m start B key=K source=app device=phone content
        9h end B key=K source=app device=phone content=2
        """, finds: .confirmed),
      RuleExample(
        "the order is open all the time",
        """
        0m work key=K outcome=open
        0m start A key=K source=app device=phone content
        20m end A key=K source=push content=2
        26m start B key=K source=app device=phone content
        40m end B key=K source=app device=phone content=2
        """, finds: .inferred),
      RuleExample(
        "a new card every few minutes",
        """
        0m start A key=K source=app device=phone content
        9m end A key=K source=app device=phone content=2
        10m start B key=K source=app device=phone content
        19m end B key=K source=app device=phone content=2
        20m start C key=K source=app device=phone content
        40m end C key=K source=app device=phone content=2
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "renewed in time",
        """
        0m start A key=K source=app device=phone content
        7h40m start B key=K source=app device=phone content
        7h40m10s end A key=K source=app device=phone content=2
        9h end B key=K source=app device=phone content=2
        """),
      RuleExample(
        "the work was really paused",
        """
        0m work key=K outcome=open
        0m start A key=K source=app device=phone content
        20m work key=K outcome=finished
        20m end A key=K source=app device=phone content=2
        3h work key=K outcome=open
        3h start B key=K source=app device=phone content
        4h end B key=K source=app device=phone content=2
        """),
      RuleExample(
        "a person removed the card",
        """
        0m work key=K outcome=open
        0m start A key=K source=app device=phone content
        20m dismiss A device=phone by=person
        2h start B key=K source=app device=phone content
        3h end B key=K source=app device=phone content=2
        """),
    ])

  private static let gap = RuleThreshold(
    "renewal-gap", "gap", 60, "seconds", "how long an open order may be without a card")
  private static let thrash = RuleThreshold(
    "renewal-gap", "thrash", 3600, "seconds", "the time in which so many starts are too many")
  private static let starts = RuleThreshold(
    "renewal-gap", "starts", 3, "starts", "how many starts of a key in that time are too many")
  private static let reach = Timestamp.Span.hours(12)
  private static let beforeLimit = Timestamp.Span.hours(1)

  private let gap: Timestamp.Span
  private let thrash: Timestamp.Span
  private let startsMin: Int
  private var cards = CardsOfKey()

  package static var wants: LifeTraits { .sharedKey }

  package init(_ settings: RuleSettings) {
    gap = settings.span(RenewalGap.gap)
    thrash = settings.span(RenewalGap.thrash)
    startsMin = max(2, settings.count(RenewalGap.starts))
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) { cards.add(life) }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let successions = cards.successions(log)
    guard !successions.isEmpty else { return }
    var opened: [Entry.Word: Timestamp] = [:]
    if let open = log.word("open") {
      for row in log.rows(of: .work) where row.word == open && opened[row.key] == nil {
        opened[row.key] = row.at
      }
    }
    for succession in successions {
      let runs = thrashes(succession, log)
      findings += runs.map { RenewalGap.finding($0, log) }
      let taken = Set(runs.joined().map(\.card))
      for (former, next) in zip(succession, succession.dropFirst())
      where !taken.contains(former.card) && follows(former, next, log) {
        let isOpen = opened[former.key].map { $0 <= former.until } ?? false
        if let finding = gapFinding(former, next, isOpen: isOpen, log) { findings.append(finding) }
      }
    }
  }

  /// Whether a card came after another that was over, with nothing between that explains it.
  private func follows(_ former: CardNote, _ next: CardNote, _ log: AuditLog) -> Bool {
    guard next.hasStart, former.until <= next.opening, former.dismissal == nil,
      former.end?.source != .person, former.end?.source != .intent
    else { return false }
    let from = min(former.opening, former.firstAt)
    return log.finish(of: former.key, from: from, until: former.until + gap) == nil
      && log.finish(of: former.key, from: from, until: next.opening) == nil
  }

  private func gapFinding(
    _ former: CardNote, _ next: CardNote, isOpen: Bool, _ log: AuditLog
  ) -> Finding? {
    let length = next.opening - former.until
    guard length > gap, length <= RenewalGap.reach else { return nil }
    guard isOpen || former.until >= former.limit - RenewalGap.beforeLimit else { return nil }
    let isSeen = former.endedAt != nil && !former.isEndInferred && !former.device.isAbsent
    return Finding(
      RenewalGap.info, isSeen ? .confirmed : .inferred, about: former, log, from: former.until,
      until: next.opening,
      evidence: [former.openingSeq, former.end?.seq ?? former.aliveSeq, next.openingSeq],
      message: "the next card of its key came \(Wording.length(length)) after it was over")
  }

  /// Runs of cards that began within the time of `thrash`.
  private func thrashes(_ succession: [CardNote], _ log: AuditLog) -> [[CardNote]] {
    var runs: [[CardNote]] = []
    var run = [succession[0]]
    func close() { if isThrash(run) { runs.append(run) } }
    for (former, next) in zip(succession, succession.dropFirst()) {
      let isNext =
        follows(former, next, log) && !former.hasLoss
        && next.opening - former.opening <= thrash
      if !isNext {
        close()
        run = []
      }
      run.append(next)
    }
    close()
    return runs
  }

  /// Whether enough cards of a run began within the time.
  private func isThrash(_ run: [CardNote]) -> Bool {
    run.indices.dropFirst(startsMin - 1).contains { place in
      run[place].opening - run[place - startsMin + 1].opening <= thrash
    }
  }

  private static func finding(_ run: [CardNote], _ log: AuditLog) -> Finding {
    let last = run[run.count - 1]
    let isSeen = run.dropLast().allSatisfy { $0.endedAt != nil && !$0.isEndInferred }
    var finding = Finding(
      info, isSeen && !last.device.isAbsent ? .confirmed : .inferred, about: run[0], log,
      from: run[0].opening, until: last.opening, evidence: run.map(\.openingSeq),
      message: """
        \(Wording.count(run.count, "card")) of its key began within \
        \(Wording.length(last.opening - run[0].opening)), each after the former was over
        """)
    finding.count = run.count - 1
    return finding
  }
}

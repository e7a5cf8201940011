internal import ActivityCore

/// A card that showed data it had itself declared old.
package struct StaleWhileLive: AuditRule {
  package static var wants: LifeTraits { [.stale, .longPause] }
  package static var counts: Bool { true }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "stale-while-live", severity: .warning,
    summary: "a card stayed stale for more than 5 minutes",
    reason: "The person looks at data that its sender no longer vouches for.",
    condition: """
      The time it was stale, in all, is more than 5 minutes, up to its end, the system's limit of \
      8 hours or the end of the card's record. Error beyond an hour, or when its work was \
      finished. Without a stale date: no content for 30 minutes, where activities of its type are \
      otherwise updated more often. Confirmed when the system was seen to draw it as stale, else \
      inferred.
      """,
    advice: """
      Send a heartbeat before the stale date; end the card when its producer is gone; draw the \
      stale state.
      """,
    scope: .activity,
    yieldsTo: ["end-not-delivered", "ended-by-system-limit", "never-ended", "late-end"],
    fires: [
      RuleExample(
        "stale for 22 minutes",
        """
        0m start A source=app device=phone stale-date=@27m content
        27m stale A device=phone
        49m update A source=app device=phone stale-date=@90m content
        60m end A source=app device=phone
        """, finds: .confirmed),
      RuleExample(
        "stale by its own date, to its end",
        """
        0m start A source=app device=phone stale-date=@10m content
        40m end A source=app device=phone
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "four minutes are within tolerance",
        """
        0m start A source=app device=phone stale-date=@10m content
        14m update A source=app device=phone stale-date=@40m content
        30m end A source=app device=phone
        """)
    ])

  private static let hour = Timestamp.Span.hours(1)
  private static let pause = Timestamp.Span.minutes(30)
  private static let gapsMin = 3

  /// A card without a stale date that was long without news.
  private struct Silent {
    var finding: Finding
    var type: Entry.Word
  }

  private var silent: [Silent] = []
  /// By type: pauses between two contents of one card, shorter and longer than 30 minutes.
  private var pauses: [Entry.Word: (short: Int, long: Int)] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt else { return }
    let bound = min(min(life.endedAt ?? life.limit, life.limit), life.seenUntil)
    let spans = life.phases.filter { $0.phase == .stale && $0.from < bound }
    let judged = Interval.union(
      spans.map { Interval(from: $0.from, until: min($0.until, bound)) })
    countPauses(life, bound)
    guard let first = spans.first, let last = spans.last, judged > Leak.grace else { return }
    let isDone = life.finishedAt.map { done in spans.contains { $0.until > done } } ?? false
    let isSeen = life.entries.contains { $0.kind == .stale || $0.shown == .stale }
    let causes = life.entries.filter { $0.after == .stale && $0.before != .stale }
    var finding = Finding(
      StaleWhileLive.info, isSeen ? .confirmed : .inferred, about: life, from: first.from,
      until: last.until < life.log.now ? last.until : nil, evidence: causes,
      message: "it was stale for \(Wording.length(judged))",
      severity: isDone || judged > StaleWhileLive.hour ? .error : .warning)
    finding.count = spans.count
    finding.wrong = spans.compactMap { life.seen(from: $0.from, until: $0.until) }
    findings.append(finding)
  }

  package mutating func count(_ facts: LifeFacts) {
    guard !facts.isExempt, facts.type >= 0, facts.shortPauses + facts.longPauses > 0 else { return }
    var counts = pauses[Entry.Word(facts.type)] ?? (0, 0)
    counts.short += Int(facts.shortPauses)
    counts.long += Int(facts.longPauses)
    pauses[Entry.Word(facts.type)] = counts
  }

  private mutating func countPauses(_ life: Timeline, _ bound: Timestamp) {
    guard !life.type.isAbsent else { return }
    var latest: Entry?
    var longest: (from: Entry, length: Timestamp.Span)?
    for entry in life.entries where entry.isAppliedAct && entry.hasContent && entry.at <= bound {
      if let former = latest { count(entry.at - former.at, of: life.type) }
      if let former = latest, former.staleDate == nil {
        let length = entry.at - former.at
        if length > longest?.length ?? StaleWhileLive.pause { longest = (former, length) }
      }
      latest = entry
    }
    if let former = latest, former.staleDate == nil, former.kind != .end {
      let length = bound - former.at
      if length > longest?.length ?? StaleWhileLive.pause { longest = (former, length) }
    }
    guard let longest else { return }
    silent.append(
      Silent(
        finding: Finding(
          StaleWhileLive.info, .inferred, about: life, from: longest.from.at,
          until: longest.from.at + longest.length, evidence: [longest.from],
          message: """
            no stale date, and no news for \(Wording.length(longest.length)), where its type is \
            updated more often
            """), type: life.type))
  }

  private mutating func count(_ length: Timestamp.Span, of type: Entry.Word) {
    var counts = pauses[type] ?? (0, 0)
    if length > StaleWhileLive.pause { counts.long += 1 } else { counts.short += 1 }
    pauses[type] = counts
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let reported = Set(findings.filter { $0.rule == StaleWhileLive.info.id }.map(\.fingerprint))
    for candidate in silent where !reported.contains(candidate.finding.fingerprint) {
      let counts = pauses[candidate.type] ?? (0, 0)
      guard counts.short >= StaleWhileLive.gapsMin, counts.short > counts.long else { continue }
      findings.append(candidate.finding)
    }
  }
}

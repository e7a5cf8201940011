internal import ActivityCore

/// Two recorders whose clocks disagree.
package struct ClockSkew: AuditRule {
  package static let info = RuleInfo(
    id: "clock-skew", severity: .warning,
    summary: "two recorders write the same acts at different times",
    reason: "Orders and delays between what these two say cannot be trusted.",
    condition: """
      Three acts or more were recorded by both (attempts and witnesses with the same answer), and \
      one of the two was later by more than 5 seconds each time. The smallest difference counts, \
      not the mean: a queue delays some, a clock all. Also a recorder whose rows say that they \
      happened more than 5 minutes after the log had recorded them; they count as when they were \
      recorded. A timestamp ahead of its own row belongs to timestamp-out-of-window.
      """,
    advice: """
      Let both machines keep time (NTP); until they do, trust no delay between them that is \
      shorter than the difference.
      """,
    scope: .recorderPair,
    thresholds: [skew, pairs],
    fires: [
      RuleExample(
        "a proxy that is nine seconds behind",
        """
        0m start A source=app recorder=phone device=phone content
        5m update A source=push recorder=push-1 apns-id=P1 status=200 timestamp=@5m content=1
        5m9s update A source=push recorder=proxy apns-id=P1 status=200 timestamp=@5m content=1
        9m update A source=push recorder=push-1 apns-id=P2 status=200 timestamp=@9m content=2
        9m10s update A source=push recorder=proxy apns-id=P2 status=200 timestamp=@9m content=2
        20m end A source=push recorder=push-1 apns-id=P3 status=200 timestamp=@20m content=3
        20m9s end A source=push recorder=proxy apns-id=P3 status=200 timestamp=@20m content=3
        """, finds: .confirmed),
      RuleExample(
        "a proxy that is ahead",
        """
        0m start A source=app recorder=phone device=phone content
        5m update A source=push recorder=proxy apns-id=P1 status=200 timestamp=@5m content=1
        5m30s update A source=push recorder=push-1 apns-id=P1 status=200 timestamp=@5m content=1
        9m update A source=push recorder=proxy apns-id=P2 status=200 timestamp=@9m content=2
        9m31s update A source=push recorder=push-1 apns-id=P2 status=200 timestamp=@9m content=2
        20m end A source=push recorder=proxy apns-id=P3 status=200 timestamp=@20m content=3
        20m32s end A source=push recorder=push-1 apns-id=P3 status=200 timestamp=@20m content=3
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "a queue that is slow now and then",
        """
        0m start A source=app recorder=phone device=phone content
        5m update A source=push recorder=push-1 apns-id=P1 status=200 timestamp=@5m content=1
        5m9s update A source=push recorder=proxy apns-id=P1 status=200 timestamp=@5m content=1
        9m update A source=push recorder=push-1 apns-id=P2 status=200 timestamp=@9m content=2
        9m1s update A source=push recorder=proxy apns-id=P2 status=200 timestamp=@9m content=2
        20m end A source=push recorder=push-1 apns-id=P3 status=200 timestamp=@20m content=3
        20m9s end A source=push recorder=proxy apns-id=P3 status=200 timestamp=@20m content=3
        """),
      RuleExample(
        "a second sender takes over, and is refused too",
        """
        0m start A source=app recorder=phone device=phone content
        5m update A source=push recorder=push-1 apns-id=P1 status=503 content=1
        5m9s update A source=push recorder=push-2 apns-id=P1 status=503 content=1
        5m20s update A source=push recorder=push-2 apns-id=P1 status=200 content=1
        6m update A source=push recorder=push-1 apns-id=P2 status=503 content=2
        6m9s update A source=push recorder=push-2 apns-id=P2 status=503 content=2
        6m20s update A source=push recorder=push-2 apns-id=P2 status=200 content=2
        7m update A source=push recorder=push-1 apns-id=P3 status=503 content=3
        7m9s update A source=push recorder=push-2 apns-id=P3 status=503 content=3
        7m20s update A source=push recorder=push-2 apns-id=P3 status=200 content=3
        9m end A source=app recorder=phone device=phone content=4
        """),
      RuleExample(
        "a second sender takes over after refusals",
        """
        0m start A source=app recorder=phone device=phone content
        5m update A source=push recorder=push-1 apns-id=P1 status=503 content=1
        5m9s update A source=push recorder=push-2 apns-id=P1 status=200 content=1
        9m update A source=push recorder=push-1 apns-id=P2 status=503 content=2
        9m10s update A source=push recorder=push-2 apns-id=P2 status=200 content=2
        20m end A source=push recorder=push-1 apns-id=P3 status=503 content=3
        20m9s end A source=push recorder=push-2 apns-id=P3 status=200 content=3
        """),
    ])

  private static let skew = RuleThreshold(
    "clock-skew", "skew", 5, "seconds", "how far clocks may be apart")
  private static let pairs = RuleThreshold(
    "clock-skew", "pairs", 3, "acts", "how many acts both must have recorded")

  private struct Pair: Hashable {
    var one: Entry.Word
    var other: Entry.Word
  }

  /// By how much the other was later, over all acts both recorded.
  private struct Gap {
    var least = Int64.max
    var most = Int64.min
    var count = 0
    var tally = Tally()
  }

  private let skew: Timestamp.Span
  private let pairsMin: Int
  private var gaps: [Pair: Gap] = [:]

  package static var wants: LifeTraits { .severalRecorders }

  package init(_ settings: RuleSettings) {
    skew = settings.span(ClockSkew.skew)
    pairsMin = max(1, settings.count(ClockSkew.pairs))
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard let recorder = life.entries.first(where: { $0.kind != nil })?.recorder,
      life.entries.contains(where: { $0.kind?.isAct ?? false && $0.recorder != recorder })
    else { return }
    let acts = Acts(life.entries).number
    var firsts: [Int: [Entry]] = [:]
    for (entry, act) in zip(life.entries, acts) where act >= 0 && !entry.recorder.isAbsent {
      let known = firsts[act] ?? []
      guard !known.contains(where: { $0.recorder == entry.recorder }) else { continue }
      for other in known where ClockSkew.isSame(other, entry) { note(other, entry, life) }
      firsts[act, default: []].append(entry)
    }
  }

  /// Whether two rows of one act record one and the same attempt of it.
  private static func isSame(_ a: Entry, _ b: Entry) -> Bool {
    guard a.attempt == b.attempt, a.status == b.status, a.isRefused == b.isRefused else {
      return false
    }
    // A refused push is sent again by whoever takes over; only a number says that it was not.
    return !a.isRefused || a.attempt != nil
  }

  private mutating func note(_ a: Entry, _ b: Entry, _ life: Timeline) {
    let names = [a, b].map { life.log.text($0.recorder) ?? "" }
    let (one, other) = names[0] < names[1] ? (a, b) : (b, a)
    let pair = Pair(one: one.recorder, other: other.recorder)
    let distance = (other.at - one.at).microseconds
    var gap = gaps[pair] ?? Gap()
    gap.least = min(gap.least, distance)
    gap.most = max(gap.most, distance)
    gap.count += 1
    gap.tally.add(at: a.at, seq: a.seq, device: life.deviceWord)
    gap.tally.add(at: b.at, seq: b.seq, device: life.deviceWord)
    gaps[pair] = gap
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (recorder, ahead) in log.ahead { findings.append(ClockSkew.finding(recorder, ahead)) }
    for (pair, gap) in gaps where gap.count >= pairsMin {
      let isLater = gap.least > skew.microseconds
      guard isLater || gap.most < -skew.microseconds else { continue }
      let (one, other) = (log.text(pair.one) ?? "", log.text(pair.other) ?? "")
      let least = Timestamp.Span(microseconds: isLater ? gap.least : -gap.most)
      let (late, early) = isLater ? (other, one) : (one, other)
      var finding = Finding(
        ClockSkew.info, .confirmed, tally: gap.tally, identity: [one, other],
        message: """
          \(late) wrote the same acts at least \(Wording.length(least)) later than \(early), in \
          \(Wording.count(gap.count, "act"))
          """)
      finding.count = gap.count
      findings.append(finding)
    }
  }

  /// A recorder whose clock is ahead of the log's.
  private static func finding(_ recorder: String?, _ ahead: RowSet.Ahead) -> Finding {
    var finding = Finding(
      info, .confirmed, identity: [recorder ?? "", "ahead of the log"],
      from: Timestamp(microseconds: ahead.first), until: Timestamp(microseconds: ahead.last),
      evidence: ahead.seqs,
      message: """
        \(recorder ?? "the unnamed recorder") dates \(Wording.count(ahead.count, "event")) up to \
        \(Wording.length(Timestamp.Span(microseconds: ahead.most))) after the log recorded them
        """)
    finding.count = ahead.count
    return finding
  }
}

internal import ActivityCore

/// Senders that take a stale card for an ended one.
package struct StaleTreatedAsEnd: AuditRule {
  package static let info = RuleInfo(
    id: "stale-treated-as-end", severity: .warning,
    summary: "a sender stops for good when its cards turn stale",
    reason: "A stale card is still there: the person looks at old data until the system's end.",
    condition: """
      Three cards or more of a type and build, and at least 80 % of those that were served by push \
      and turned stale, were sent nothing after that, and lived on for 25 minutes or more: the \
      device showed them, or they ran into the system's limit of 8 hours. Nobody ended them or \
      tried to. Confirmed when the device showed three of them, else inferred.
      """,
    advice: """
      A stale date is a promise of the next update, not an end: send the update, or an end when \
      there is nothing more to say.
      """,
    scope: .typeAndBuild,
    thresholds: [occurrences, share, silence],
    fires: [
      RuleExample(
        "three rides, given up when their data was old",
        StaleTreatedAsEnd.rides("dismiss X device=phone by=person", at: 40), finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "given up on purpose, with an end",
        StaleTreatedAsEnd.rides("end X source=push status=200 content=3", at: 16)),
      RuleExample(
        "news after the stale date",
        StaleTreatedAsEnd.rides("update X source=push status=200 content=3", at: 16)),
    ])

  /// Three cards that turn stale at minute 12, and one more line of each.
  private static func rides(_ last: String, at minute: Int) -> String {
    let lines = ["A", "B", "C"].flatMap { name in
      [
        "0m start \(name) source=app device=phone attributes-type=Ride build=7 content",
        "2m update \(name) source=push status=200 stale-date=@12m content=2",
        "15m state \(name) device=phone state=active",
        "\(minute)m " + last.split(separator: "X").joined(separator: name),
      ]
    }
    return lines.joined(separator: "\n")
  }

  private static let occurrences = RuleThreshold(
    "stale-treated-as-end", "occurrences", 3, "cards", "how many make a habit")
  private static let share = RuleThreshold(
    "stale-treated-as-end", "share", 80, "percent",
    "share of the cards served by push that turn stale")
  private static let silence = RuleThreshold(
    "stale-treated-as-end", "silence", 1500, "seconds", "how long a card must have lived on")

  /// What became of the stale cards of a type and build.
  private struct Stale {
    var turned = 0
    var shown = 0
    var given = Tally()
  }

  private let occurrencesMin: Int
  private let share: Double
  private let silence: Timestamp.Span
  private var stale: [TypeAndBuild: Stale] = [:]

  package static var wants: LifeTraits { .stale }

  package init(_ settings: RuleSettings) {
    occurrencesMin = max(1, settings.count(StaleTreatedAsEnd.occurrences))
    share = settings[StaleTreatedAsEnd.share]
    silence = settings.span(StaleTreatedAsEnd.silence)
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    // What was sent later to a start without an id is not known.
    guard !life.isExempt, !life.isUnnamedStart,
      let turn = life.entries.first(where: { $0.after == .stale && $0.before != .stale }),
      life.entries.contains(where: { $0.isAppliedAct && $0.isByPush && $0.at <= turn.at })
    else { return }
    var counts = stale[TypeAndBuild(life)] ?? Stale()
    counts.turned += 1
    let later = life.entries.filter { $0.kind != nil && $0.at > turn.at }
    // Who tried to end it, even in vain, took nothing for an end.
    if life.leak.lostEnds.isEmpty, !later.contains(where: { $0.kind?.isAct ?? false }),
      livedOn(life, later, turn.at)
    {
      counts.given.add(at: turn.at, seq: turn.seq, device: life.deviceWord, card: life.number)
      if later.contains(where: { $0.shown.isLive }) || life.leak.systemEnd != nil {
        counts.shown += 1
      }
    }
    stale[TypeAndBuild(life)] = counts
  }

  /// Whether a card was there long after it turned stale.
  private func livedOn(_ life: Timeline, _ later: [Entry], _ turn: Timestamp) -> Bool {
    let isSeen = later.contains { $0.shown.isLive || $0.kind == .stale || $0.kind == .dismiss }
    guard isSeen || life.leak.verdict != nil else { return false }
    let until = min(life.endedAt ?? life.limit, life.seenUntil)
    return until - turn >= silence
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, counts) in stale {
      let given = counts.given.count
      guard given >= occurrencesMin, Double(given) * 100 >= share * Double(counts.turned) else {
        continue
      }
      findings.append(
        Finding(
          StaleTreatedAsEnd.info, counts.shown >= occurrencesMin ? .confirmed : .inferred,
          tally: counts.given, scope, log,
          message: """
            \(given) of \(Wording.count(counts.turned, "card")) that turned stale were sent \
            nothing more, not even an end
            """))
    }
  }
}

internal import ActivityCore

/// A scheduled card that never appeared.
package struct PendingNeverStarted: AuditRule {
  package static let info = RuleInfo(
    id: "pending-never-started", severity: .error,
    summary: "a scheduled card did not appear at its start date",
    reason: "The person waits for something that the app promised to show.",
    condition: """
      A scheduled start took effect, its start date lies 120 seconds or more before the card's \
      record ends, nobody ended it before, and no row after that date shows it alive: no act on \
      it, no state, no token. Confirmed when the device showed it pending 120 seconds or more \
      after the date. Inferred when a complete inventory no longer lists it, or when its device \
      showed other cards between the date and the system's limit, 8 hours later. Silence alone is \
      no finding: the app may not run, or the phone is off.
      """,
    advice: """
      Check the device's limit of cards, the permission, and that a scheduled request has a style \
      and an alert; list pending cards at launch.
      """,
    scope: .activity, yieldsTo: ["end-not-delivered"],
    thresholds: [grace],
    fires: [
      RuleExample(
        "shown pending ten minutes after its date",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        70m state A device=phone state=pending
        """, finds: .confirmed),
      RuleExample(
        "gone from the phone's list",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        90m inventory device=phone complete=true activities=
        """, finds: .inferred),
      RuleExample(
        "the phone shows another card, and not this one",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        65m start B key=L source=app device=phone content
        66m state B device=phone state=active
        2h end B source=app device=phone
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "the phone is off", "0m start A key=K source=schedule device=phone start-date=@60m content"
      ),
      RuleExample(
        "it appears at its date",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        60m1s state A device=phone state=active
        65m start B key=L source=app device=phone content
        66m state B device=phone state=active
        2h end A source=app device=phone
        2h end B source=app device=phone
        """),
      RuleExample(
        "ended before its date",
        """
        0m start A key=K source=schedule device=phone start-date=@60m content
        50m end A source=app device=phone
        65m start B key=L source=app device=phone content
        66m state B device=phone state=active
        2h end B source=app device=phone
        """),
    ])

  private static let grace = RuleThreshold(
    "pending-never-started", "grace", 120, "seconds", "how late a card may appear")

  /// A card of which nothing is seen after its date.
  private struct Silent {
    var finding: Finding
    var device: Entry.Word
    var number: Int
    var from: Timestamp
    var until: Timestamp
  }

  private let grace: Timestamp.Span
  private var silent: [Silent] = []
  /// By device: when each of its cards was first shown.
  private var shown: [Entry.Word: [(at: Timestamp, number: Int)]] = [:]

  package static var wants: LifeTraits { .scheduled }
  package static var counts: Bool { true }

  package init(_ settings: RuleSettings) { grace = settings.span(PendingNeverStarted.grace) }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    noteShown(life)
    guard let start = life.entries.first(where: { $0.kind == .start && $0.isAppliedAct }),
      let date = start.date, date > start.at, life.opening == date, !life.isChannel
    else { return }
    let due = date + grace
    guard due <= life.seenUntil, life.endedAt.map({ $0 >= due }) ?? true else { return }
    let later = life.entries.filter { $0.kind != nil && $0.at >= date }
    guard !later.contains(where: PendingNeverStarted.showsLife) else { return }
    let passed = Wording.length(life.seenUntil - date)
    var finding = Finding(
      PendingNeverStarted.info, .inferred, about: life, from: date, until: life.endedAt,
      evidence: [start],
      message: "its start date passed \(passed) ago, and nothing shows that it appeared")
    finding.visibleUntil = nil
    if let row = later.first(where: { $0.shown == .pending && $0.at >= due }) {
      finding.verdict = .confirmed
      finding.evidence = [start.seq, row.seq].sorted()
      finding.rows.insert(row.seq)
      finding.last = finding.evidence.last ?? start.seq
      finding.message = "it was still pending \(Wording.length(row.at - date)) after its start date"
      findings.append(finding)
    } else if life.isEndInferred {
      finding.message = "\(passed) after its start date the device does not list it"
      findings.append(finding)
    } else if life.endedAt == nil, !life.deviceWord.isAbsent {
      silent.append(
        Silent(
          finding: finding, device: life.deviceWord, number: life.number, from: due,
          until: min(life.limit, life.seenUntil)))
    }
  }

  package mutating func count(_ facts: LifeFacts) {
    guard facts.device >= 0, let at = facts.firstShownAt.stamp else { return }
    shown[Entry.Word(facts.device), default: []].append((at, Int(facts.activity)))
  }

  private mutating func noteShown(_ life: Timeline) {
    guard !life.deviceWord.isAbsent,
      let first = life.entries.first(where: { $0.kind == .stale || $0.shown.isLive })
    else { return }
    shown[life.deviceWord, default: []].append((first.at, life.number))
  }

  /// Whether a row after the date shows that there was a card, or that somebody ended one.
  private static func showsLife(_ entry: Entry) -> Bool {
    guard let kind = entry.kind else { return false }
    if kind.isAct { return entry.isAppliedAct && (!entry.isByPush || entry.isAccepted) }
    return kind == .token || kind == .stale || kind == .dismiss || entry.shown.isLive
      || entry.shown.isOver
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    var sorted: [Entry.Word: [(at: Timestamp, number: Int)]] = [:]
    for card in silent {
      let others =
        sorted[card.device]
        ?? (shown[card.device] ?? []).sorted { ($0.at, $0.number) < ($1.at, $1.number) }
      sorted[card.device] = others
      var place = PendingNeverStarted.first(in: others, at: card.from)
      while place < others.count, others[place].number == card.number { place += 1 }
      if place < others.count, others[place].at <= card.until { findings.append(card.finding) }
    }
  }

  /// The first place of a list in order that is not before an instant.
  private static func first(
    in list: [(at: Timestamp, number: Int)], at instant: Timestamp
  ) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle].at < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

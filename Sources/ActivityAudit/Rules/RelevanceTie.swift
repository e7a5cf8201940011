internal import ActivityCore

/// Cards of one app among which the system has to choose at random.
package struct RelevanceTie: AuditRule {
  package static let overlap = RuleThreshold(
    "relevance-tie", "overlap", 60, "seconds", "how long two cards may tie while one takes over")

  package static let occurrences = RuleThreshold(
    "relevance-tie", "occurrences", 3, "cards", "cards that tie before a type is named")

  private let allowed: Timestamp.Span
  private let least: Int

  package static var wants: LifeTraits { .sharedDevice }

  package init(_ settings: RuleSettings) {
    allowed = settings.span(RelevanceTie.overlap)
    least = settings.count(RelevanceTie.occurrences)
  }

  package static let info = RuleInfo(
    id: "relevance-tie", severity: .info,
    summary: "several cards of one app live with the same relevance",
    reason: "The Dynamic Island shows the one that was started first, not the one that matters.",
    condition: """
      Two cards of one app on one known device tie when they live at once for more than 60 seconds \
      with the same relevance-score, absent being 0. One finding for a type and build, as the \
      later card names it, with 3 cards or more that tie. Two cards of one key are left to \
      duplicate-live, and so are cards it reports.
      """,
    advice: "Give each card a relevance of its own, the most urgent the highest.",
    scope: .typeAndBuild, yieldsTo: ["duplicate-live"], yielding: .sameRow, reads: .all,
    thresholds: [overlap, occurrences],
    fires: [
      RuleExample(
        "three trains, equally relevant",
        """
        0m start A key=K1 source=app device=phone bundle-id=b stale-date=@1h content
        5m start B key=K2 source=app device=phone bundle-id=b stale-date=@1h content
        6m start C key=K3 source=app device=phone bundle-id=b stale-date=@1h content
        30m end A source=app device=phone bundle-id=b content
        40m end B source=app device=phone bundle-id=b content
        41m end C source=app device=phone bundle-id=b content
        """, finds: .confirmed),
      RuleExample(
        "an update makes them equal",
        """
        0m start A key=K1 source=app device=phone relevance-score=50 stale-date=@1h content
        5m start B key=K2 source=app device=phone relevance-score=80 stale-date=@1h content
        6m start C key=K3 source=app device=phone relevance-score=50 stale-date=@1h content
        10m update B source=app device=phone relevance-score=50 stale-date=@1h content
        30m end A source=app device=phone content
        40m end B source=app device=phone content
        41m end C source=app device=phone content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "distinct scores",
        """
        0m start A key=K1 source=app device=phone relevance-score=50 stale-date=@1h content
        5m start B key=K2 source=app device=phone relevance-score=80 stale-date=@1h content
        6m start C key=K3 source=app device=phone relevance-score=70 stale-date=@1h content
        30m end A source=app device=phone content
        40m end B source=app device=phone content
        41m end C source=app device=phone content
        """),
      RuleExample(
        "one after the other",
        """
        0m start A key=K1 source=app device=phone stale-date=@1h content
        20m start B key=K2 source=app device=phone stale-date=@1h content
        20m30s end A source=app device=phone content
        40m start C key=K3 source=app device=phone stale-date=@1h content
        40m30s end B source=app device=phone content
        55m end C source=app device=phone content
        """),
    ])

  /// A stretch of one card's life with one relevance.
  private struct Span {
    var from: Timestamp
    var until: Timestamp
    var relevance: Double
    var card: Int
    var key: Entry.Word
    /// The row that began it.
    var seq: Int64
    var scope: TypeAndBuild
    /// Rows that a finding about the card would name: where it began.
    var opening: Int64
  }

  private struct Place: Hashable {
    var device: Entry.Word
    var bundle: Entry.Word
  }

  private var spans: [Place: [Span]] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt, !life.deviceWord.isAbsent else { return }
    let over = min(life.endedAt ?? life.limit, life.log.now)
    guard let first = life.entries.first(where: { $0.kind != nil }), over > life.opening else {
      return
    }
    var span = Span(
      from: life.opening, until: over, relevance: 0, card: life.number, key: life.key,
      seq: first.seq, scope: TypeAndBuild(life), opening: first.seq)
    var own: [Span] = []
    for entry in life.entries
    where entry.isAppliedAct && entry.hasContent && entry.kind != .end {
      guard let facts = life.log.content(of: entry) else { continue }
      let relevance = facts.relevance ?? 0
      guard relevance != span.relevance, entry.at < over else { continue }
      if entry.at > span.from {
        own.append(span)
        own[own.count - 1].until = entry.at
        span.from = entry.at
      }
      span.relevance = relevance
      span.seq = entry.seq
    }
    own.append(span)
    let place = Place(device: life.deviceWord, bundle: life.bundle)
    spans[place, default: []].append(contentsOf: own)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let spoken = findings.rows(of: RelevanceTie.info.yieldsTo)
    var ties: [TypeAndBuild: Tally] = [:]
    for (place, all) in spans where all.count > 1 {
      // Of the spans of one relevance, the two of different cards that reach furthest.
      var reaching: [Double: [Span]] = [:]
      for span in all.sorted(by: { precedes($0, $1, log) }) {
        let rivals = reaching[span.relevance] ?? []
        let rival = rivals.first { rival in
          rival.card != span.card && (rival.key.isAbsent || rival.key != span.key)
            && min(rival.until, span.until) - span.from > allowed
            && !(spoken.contains(rival.opening) && spoken.contains(span.opening))
        }
        if let rival {
          var tally = ties[span.scope] ?? Tally()
          tally.add(at: span.from, seq: span.seq, device: place.device, card: span.card)
          tally.add(at: span.from, seq: rival.seq, device: place.device, card: rival.card)
          ties[span.scope] = tally
        }
        reaching[span.relevance] = RelevanceTie.furthest(rivals + [span])
      }
    }
    for (scope, tally) in ties.sorted(by: { $0.key.precedes($1.key, log) })
    where tally.cards.count >= least {
      var finding = Finding(
        RelevanceTie.info, .confirmed, tally: tally, scope, log,
        message: """
          \(Wording.count(tally.cards.count, "card")) lived with the same relevance as another \
          of the app
          """)
      finding.count = tally.cards.count
      findings.append(finding)
    }
  }

  /// Two that began at one instant come in an order that no import changes.
  private func precedes(_ one: Span, _ other: Span, _ log: AuditLog) -> Bool {
    if one.from != other.from { return one.from < other.from }
    if one.scope != other.scope { return one.scope.precedes(other.scope, log) }
    return one.seq < other.seq
  }

  /// At most one span of a card, and few: what reaches furthest meets every later rival first.
  private static func furthest(_ spans: [Span]) -> [Span] {
    var kept: [Span] = []
    for span in spans.sorted(by: { ($1.until, $0.seq) < ($0.until, $1.seq) })
    where !kept.contains(where: { $0.card == span.card }) {
      kept.append(span)
      if kept.count == 4 { break }
    }
    return kept
  }
}

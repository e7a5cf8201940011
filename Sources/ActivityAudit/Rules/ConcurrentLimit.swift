internal import ActivityCore

/// More cards at once than a phone takes.
package struct ConcurrentLimit: AuditRule {
  package static let info = RuleInfo(
    id: "concurrent-limit", severity: .warning,
    summary: "more cards at once on a device than an app may have",
    reason: "The next start is refused, and the person misses the card that matters.",
    condition: """
      More than 5 cards of one app were live or pending on one device at the same time; cards of \
      one key count as one, since duplicate-live reports them. Error when a start was refused for \
      too many cards (targetMaximumExceeded, globalMaximumExceeded) on that device meanwhile. The \
      system does not publish its limit; 5 is the usual one. Confirmed when rows show more than 5 \
      of them alive at once, else inferred.
      """,
    advice: "End leaked cards first, then the oldest; or show several things in one card.",
    scope: .deviceAndType, yieldsTo: ["duplicate-live"], yielding: .sameRow, reads: .all,
    thresholds: [limit],
    fires: [
      RuleExample(
        "six orders at once",
        """
        0m start A key=A source=app device=phone content
        1m start B key=B source=app device=phone content
        2m start C key=C source=app device=phone content
        3m start D key=D source=app device=phone content
        4m start E key=E source=app device=phone content
        5m start F key=F source=app device=phone content
        20m end A source=app device=phone content=2
        20m end B source=app device=phone content=2
        20m end C source=app device=phone content=2
        20m end D source=app device=phone content=2
        20m end E source=app device=phone content=2
        20m end F source=app device=phone content=2
        """, finds: .confirmed),
      RuleExample(
        "six cards of which nothing more is heard",
        """
        0m start A source=app device=phone content
        1m start B source=app device=phone content
        2m start C source=app device=phone content
        3m start D source=app device=phone content
        4m start E source=app device=phone content
        5m start F source=app device=phone content
        20m inventory device=phone
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "six in a row, five at once",
        """
        0m start A key=A source=app device=phone content
        1m start B key=B source=app device=phone content
        2m start C key=C source=app device=phone content
        3m start D key=D source=app device=phone content
        4m start E key=E source=app device=phone content
        5m end A source=app device=phone content=2
        5m start F key=F source=app device=phone content
        20m end B source=app device=phone content=2
        20m end C source=app device=phone content=2
        20m end D source=app device=phone content=2
        20m end E source=app device=phone content=2
        20m end F source=app device=phone content=2
        """),
      RuleExample(
        "six apps on one phone",
        """
        0m start A source=app device=phone bundle-id=a content
        1m start B source=app device=phone bundle-id=b content
        2m start C source=app device=phone bundle-id=c content
        3m start D source=app device=phone bundle-id=d content
        4m start E source=app device=phone bundle-id=e content
        5m start F source=app device=phone bundle-id=f content
        20m inventory device=phone
        """),
    ])

  static let limit = RuleThreshold(
    "concurrent-limit", "cards", 5, "cards", "how many cards of an app a device takes at once")

  private struct Place: Hashable {
    var device: Entry.Word
    var bundle: Entry.Word
    var environment: Entry.Word
  }

  /// One card's time on a device.
  private struct Stay {
    var from: Timestamp
    var until: Timestamp
    /// The last instant a row shows it alive, or its end.
    var aliveUntil: Timestamp
    /// The code of its key, else a number below zero of its own.
    var thing: Int64
    var seq: Int64
    var type: Entry.Word
  }

  /// The most at once, and when.
  private struct Peak {
    var count = 0
    var at = Timestamp(microseconds: .min)
    /// From the first to the last instant with more than the limit.
    var span: Interval?
  }

  private let limitMax: Int
  private var stays: [Place: [Stay]] = [:]

  package static var wants: LifeTraits { [.sharedDevice, .severalLives] }

  package init(_ settings: RuleSettings) { limitMax = settings.count(ConcurrentLimit.limit) }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.isOpen, !life.deviceWord.isAbsent, !life.isNamedByKey, !life.isChannel,
      !life.isExempt || life.phase == .pending
    else { return }
    let note = CardNote(life)
    let from = life.hasStart ? min(note.firstAt, life.opening) : life.opening
    let until = min(life.endedAt ?? life.limit, life.log.now)
    guard until > from else { return }
    let place = Place(
      device: life.deviceWord, bundle: life.bundle, environment: life.environment)
    let alive = life.isEndInferred ? note.aliveUntil : max(note.aliveUntil, life.endedAt ?? from)
    stays[place, default: []].append(
      Stay(
        from: from, until: until, aliveUntil: min(alive, until),
        thing: life.key.isAbsent ? -1 - note.firstSeq : Int64(life.key.code),
        seq: note.openingSeq, type: life.type))
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    var refusals: [Entry.Word: [Entry]]?
    for (place, unsorted) in stays where unsorted.count > limitMax {
      let sorted = unsorted.sorted { ($0.from, $0.until, $0.seq) < ($1.from, $1.until, $1.seq) }
      let all = peak(sorted, \.until)
      guard all.count > limitMax, let span = all.span else { continue }
      let sure = peak(sorted, \.aliveUntil)
      let known = refusals ?? ConcurrentLimit.refusals(log)
      refusals = known
      let refused = (known[place.device] ?? [])
        .filter { refusal in
          // The limit of one app says nothing of another's cards; the device's own counts for all.
          let app = log.bundle(of: refusal)
          let isOfApp = app == place.bundle || app.isAbsent || place.bundle.isAbsent
          let word = log.contentText(log.content(of: refusal)?.rare?.failureCase)
          return refusal.at >= span.from && refusal.at <= span.until
            && (isOfApp || word == "globalMaximumExceeded")
        }.map(\.seq)
      let starts = sorted.filter { $0.from <= all.at && $0.until > all.at }.map(\.seq)
      let words = [place.environment, place.bundle, place.device].map { log.text($0) ?? "" }
      let met =
        refused.isEmpty ? "" : ", and \(Wording.count(refused.count, "start")) refused for it"
      var finding = Finding(
        ConcurrentLimit.info, sure.count > limitMax ? .confirmed : .inferred, identity: words,
        from: span.from, until: span.until, evidence: starts + refused,
        message: """
          \(all.count) cards at once on \(words[2])\(met); the limit is not published, \(limitMax) \
          is usual
          """, severity: refused.isEmpty ? nil : .error)
      finding.device = words[2]
      finding.devices = 1
      finding.count = all.count
      let types = Set(sorted.map(\.type))
      if types.count == 1, let type = types.first { finding.attributesType = log.text(type) }
      findings.append(finding)
    }
  }

  /// The largest number of things at once, where each stays until an instant of its own.
  private func peak(_ sorted: [Stay], _ until: (Stay) -> Timestamp) -> Peak {
    let leaving = sorted.filter { until($0) > $0.from }
      .sorted { (until($0), $0.seq) < (until($1), $1.seq) }
    var present: [Int64: Int] = [:]
    var gone = 0
    var peak = Peak()
    func leave(by instant: Timestamp?) {
      while gone < leaving.count, instant.map({ until(leaving[gone]) <= $0 }) ?? true {
        let left = leaving[gone]
        gone += 1
        let wasOver = present.count > limitMax
        let count = present[left.thing] ?? 0
        present[left.thing] = count > 1 ? count - 1 : nil
        if wasOver, present.count <= limitMax { peak.span?.until = until(left) }
      }
    }
    for stay in sorted where until(stay) > stay.from {
      leave(by: stay.from)
      present[stay.thing, default: 0] += 1
      if present.count > limitMax, peak.span == nil {
        peak.span = Interval(from: stay.from, until: stay.from)
      }
      if present.count > peak.count { (peak.count, peak.at) = (present.count, stay.from) }
    }
    leave(by: nil)
    return peak
  }

  /// By device: starts that were refused for too many cards.
  private static func refusals(_ log: AuditLog) -> [Entry.Word: [Entry]] {
    var refusals: [Entry.Word: [Entry]] = [:]
    for row in log.rows(of: .failure) {
      let word = log.contentText(log.content(of: row)?.rare?.failureCase)
      guard word == "targetMaximumExceeded" || word == "globalMaximumExceeded" else { continue }
      refusals[log.device(of: row), default: []].append(row)
    }
    return refusals
  }
}

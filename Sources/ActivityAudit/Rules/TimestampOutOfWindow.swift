internal import ActivityCore

/// Content dated ahead of its time.
package struct TimestampOutOfWindow: AuditRule {
  package static let skew = RuleThreshold(
    "timestamp-out-of-window", "skew", 5, "seconds", "how far ahead a clock may be")
  package static let occurrences = RuleThreshold(
    "timestamp-out-of-window", "occurrences", 3, "acts",
    "acts ahead of their time that held nothing back before a sender is warned of")

  private let allowed: Int64
  private let least: Int

  package static var wants: LifeTraits { .ahead }

  package init(_ settings: RuleSettings) {
    allowed = settings.span(TimestampOutOfWindow.skew).microseconds / 1_000_000
    least = settings.count(TimestampOutOfWindow.occurrences)
  }

  package static let info = RuleInfo(
    id: "timestamp-out-of-window", severity: .error,
    summary: "content is dated ahead of the time it was sent",
    reason: """
      More than 8 hours ahead a device drops it; if less, every true update until then counts as \
      older than what the card shows.
      """,
    condition: """
      Error: an act's timestamp is more than 8 hours after its at. Warning: it is more than 5 \
      seconds after it, and a later act of the card was older than it for that reason alone, or it \
      happened 3 times or more. Refused acts and timestamps in a wrong unit do not count. One \
      finding for each recorder and each of the two.
      """,
    advice: """
      Take the timestamp when the data is produced; keep the senders' clocks right; record a push \
      when it is sent, not when it is queued.
      """,
    scope: .recorder, yieldsTo: ["timestamp-unit"], yielding: .sameRow,
    thresholds: [skew, occurrences],
    fires: [
      RuleExample(
        "tomorrow's timestamp",
        """
        0m start A source=app device=phone content
        10m update A source=push timestamp=@24h content
        12m update A source=push timestamp=@12m content
        20m end A source=push timestamp=@20m content
        """, finds: .confirmed),
      RuleExample(
        "a sender's clock is a minute ahead",
        """
        0m start A source=app device=phone content
        10m update A source=push timestamp=@11m content
        12m update A source=push timestamp=@13m content
        15m update A source=push timestamp=@16m content
        20m end A source=push timestamp=@21m content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "a second ahead, as clocks are",
        """
        0m start A source=app device=phone content
        10m update A source=push timestamp=@10m2s content
        12m update A source=push timestamp=@12m1s content
        15m update A source=push timestamp=@15m3s content
        20m end A source=push timestamp=@20m2s content
        """),
      RuleExample(
        "once, and nothing was held back",
        """
        0m start A source=app device=phone content
        10m update A source=push timestamp=@11m content
        15m update A source=push timestamp=@15m content
        20m end A source=push timestamp=@20m content
        """),
    ])

  private struct Sender {
    var beyond = RowTally()
    var ahead = RowTally()
    /// Rows that were older than what one of them had dated ahead.
    var heldBack: Set<Int64> = []
    var furthest: Int64 = 0
  }

  private var senders: [Entry.Word: Sender] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let window = life.log.limits.future.microseconds / 1_000_000
    // The act that dates the card ahead, and what the card's mark would be without it.
    var ahead: Entry?
    var mark = Int64.min
    for entry in life.entries {
      guard let kind = entry.kind, kind.isContentAct else { continue }
      if entry.outcome == .older || entry.outcome == .appliedOlder, let holder = ahead,
        entry.version >= mark, entry.version < holder.version
      {
        senders[holder.recorder]?.heldBack.insert(entry.seq)
      }
      let isWrongUnit = DateUnit.wrong(entry.stated, at: entry.at) != nil
      let distance = entry.version.subtractingClamped(entry.at.wholeSeconds)
      guard entry.statesVersion, !entry.isRefused, !isWrongUnit, distance > allowed else {
        if entry.isAppliedAct, !isWrongUnit { mark = max(mark, entry.version) }
        continue
      }
      if distance > window {
        senders[entry.recorder, default: Sender()].beyond.add(entry, of: life)
      } else {
        senders[entry.recorder, default: Sender()].ahead.add(entry, of: life)
        if entry.isAppliedAct, entry.version > ahead?.version ?? .min { ahead = entry }
      }
      let furthest = senders[entry.recorder]?.furthest ?? 0
      senders[entry.recorder]?.furthest = max(furthest, distance)
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let named = senders.map { (name: log.text($0.key) ?? "", sender: $0.value) }
    for (name, sender) in named.sorted(by: { $0.name < $1.name }) {
      let whose = name.isEmpty ? "" : " of \(name)"
      let length = Wording.length(.seconds(min(sender.furthest, 1_000_000_000_000)))
      if sender.beyond.count > 0 {
        findings.append(
          Finding(
            TimestampOutOfWindow.info, .confirmed, tally: sender.beyond,
            identity: [name, "beyond"],
            message: """
              \(Wording.count(sender.beyond.count, "act"))\(whose) dated up to \(length) ahead; a \
              device drops what is over 8 h ahead
              """))
      }
      guard sender.ahead.count > 0, !sender.heldBack.isEmpty || sender.ahead.count >= least else {
        continue
      }
      let held =
        sender.heldBack.isEmpty
        ? "" : "; \(Wording.count(sender.heldBack.count, "later act")) counted as older for it"
      findings.append(
        Finding(
          TimestampOutOfWindow.info, .confirmed, tally: sender.ahead, identity: [name, "ahead"],
          message: "\(Wording.count(sender.ahead.count, "act"))\(whose) dated ahead\(held)",
          severity: .warning))
    }
  }
}

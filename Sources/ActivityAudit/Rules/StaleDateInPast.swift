internal import ActivityCore

/// Content that is stale when it comes.
package struct StaleDateInPast: AuditRule {
  package static let occurrences = RuleThreshold(
    "stale-date-in-past", "occurrences", 3, "updates",
    "updates with a date already past before a sender is warned of")
  package static let share = RuleThreshold(
    "stale-date-in-past", "share", 20, "percent",
    "share of a sender's updates with a stale date that these must be")

  private let least: Int
  private let part: Double

  package static var wants: LifeTraits { .pastStale }

  package init(_ settings: RuleSettings) {
    least = settings.count(StaleDateInPast.occurrences)
    part = settings[StaleDateInPast.share] / 100
  }

  package static let info = RuleInfo(
    id: "stale-date-in-past", severity: .error,
    summary: "a stale date had already passed when the content was sent",
    reason: "The card looks outdated from its first second, or is not shown at all.",
    condition: """
      Error: a start that was not refused has a stale date at or before its at (of a scheduled \
      start, its start date). Warning: an update has one at or before its timestamp, 3 times or \
      more in a recorder's log and in 20 percent or more of its updates with a stale date, since a \
      single one may be meant to mark a card as outdated. A date in a wrong unit belongs to \
      timestamp-unit. One finding for each recorder and kind.
      """,
    advice: """
      Count the stale date from the time of sending, not from the age of the data; leave it out if \
      unsure.
      """,
    scope: .recorder, yieldsTo: ["timestamp-unit"], yielding: .sameRow,
    thresholds: [occurrences, share],
    fires: [
      RuleExample(
        "a departure that has gone is the stale date",
        """
        0m start A source=app device=phone stale-date=@-3m content
        2m update A source=push timestamp=@2m stale-date=@40m content
        30m end A source=app device=phone content
        """, finds: .confirmed),
      RuleExample(
        "every update is stale by its own date",
        """
        0m start A source=app device=phone stale-date=@30m content
        5m update A source=push timestamp=@5m stale-date=@5m content
        6m update A source=push timestamp=@6m stale-date=@5m content
        8m update A source=push timestamp=@8m stale-date=@7m content
        10m end A source=app device=phone content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "one update marks the card as outdated on purpose",
        """
        0m start A source=app device=phone stale-date=@30m content
        5m update A source=push timestamp=@5m stale-date=@5m content
        8m update A source=push timestamp=@8m stale-date=@40m content
        20m end A source=app device=phone content
        """),
      RuleExample(
        "a scheduled start is stale after it begins",
        """
        0m start A source=app device=phone start-date=@1h stale-date=@90m content
        1h10m end A source=app device=phone content
        """),
      RuleExample(
        "a later attempt of an update keeps its dates",
        """
        0m start A source=app device=phone stale-date=@30m content
        5m update A source=push timestamp=@5m stale-date=@6m status=503 apns-id=P1 content
        7m update A source=push timestamp=@5m stale-date=@6m status=200 apns-id=P1 content
        8m update A source=push timestamp=@8m stale-date=@40m status=200 content
        20m end A source=app device=phone content
        """),
    ])

  private struct Sender {
    var starts = RowTally()
    var updates = RowTally()
  }

  private var senders = Slots<Entry.Word, Sender>()
  private var fanned = Fanned()

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    for entry in life.entries {
      guard entry.kind == .start || entry.kind == .update, let date = entry.staleDate,
        !entry.isRefused, DateUnit.wrong(date, at: entry.at) == nil
      else { continue }
      if entry.kind == .start {
        guard date <= max(entry.at, entry.date ?? entry.at) else { continue }
        senders[entry.recorder, default: Sender()].starts.add(entry, of: life)
      } else if fanned.isNew(entry) {
        guard date.wholeSeconds <= entry.version else { continue }
        if DateUnit.wrong(entry.stated, at: entry.at) != nil { continue }
        senders[entry.recorder, default: Sender()].updates.add(entry, of: life)
      }
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let named = senders.all.map {
      (name: log.text($0.key) ?? "", sender: $0.value, dated: log.sent(by: $0.key).dated)
    }
    for (name, sender, dated) in named.sorted(by: { $0.name < $1.name }) {
      let whose = name.isEmpty ? "" : " of \(name)"
      if sender.starts.count > 0 {
        findings.append(
          Finding(
            StaleDateInPast.info, .confirmed, tally: sender.starts, identity: [name, "start"],
            message: """
              \(Wording.count(sender.starts.count, "start"))\(whose) with a stale date already past
              """))
      }
      guard sender.updates.count >= max(1, least),
        Double(sender.updates.count) >= part * Double(dated)
      else { continue }
      findings.append(
        Finding(
          StaleDateInPast.info, .confirmed, tally: sender.updates, identity: [name, "update"],
          message: """
            \(sender.updates.count) of \(Wording.count(dated, "update"))\(whose) were stale \
            by their own date
            """, severity: .warning))
    }
  }
}

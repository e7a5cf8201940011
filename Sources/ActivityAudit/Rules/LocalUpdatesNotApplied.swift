internal import ActivityCore

/// Updates by the app that the system did not take.
package struct LocalUpdatesNotApplied: AuditRule {
  private static let updates = RuleThreshold(
    "local-updates-not-applied", "updates", 3, "updates",
    "how many in a row must leave no trace on the device")
  private static let grace = RuleThreshold(
    "local-updates-not-applied", "grace", 60, "seconds",
    "how long the device may take to show an update")
  private let updatesMin: Int
  private let grace: Timestamp.Span
  private var refusals: Refusals?
  private var refused: [DeviceAndType: Tally] = [:]
  private var silent: [DeviceAndType: Tally] = [:]

  /// Failures of operation update: with a device of their own, or by the activity they name.
  private struct Refusals {
    var rows: [(entry: Entry, scope: DeviceAndType)] = []
    var ofActivity: [Entry.Word: [Entry]] = [:]
  }

  package static var wants: LifeTraits { [.localUpdates, .refusedUpdates] }

  package init(_ settings: RuleSettings) {
    updatesMin = settings.count(LocalUpdatesNotApplied.updates)
    grace = settings.span(LocalUpdatesNotApplied.grace)
  }

  package static let info = RuleInfo(
    id: "local-updates-not-applied", severity: .warning,
    summary: "the app updated its card, and the system did not show it",
    reason: "update() throws nothing, so the app believes what the person never sees.",
    condition: """
      A failure of operation update on a device (the daemon forbids it, for example to an app that \
      only plays audio in the background); or three updates in a row by the app, none followed \
      within 60 seconds by a state with content, where the device does report such states of the \
      same activity. The first is confirmed, the second inferred. An activity of which no state \
      with content is recorded is not judged by the second.
      """,
    advice: """
      Update by push while the app is in the background; the app itself may update only while the \
      system lets it run.
      """,
    scope: .deviceAndType, needs: [.deviceEvidence], thresholds: [updates, grace],
    fires: [
      RuleExample(
        "the daemon forbids it",
        """
        0m start A source=app device=phone attributes-type=Song content
        1m state A device=phone state=active
        20m update A source=app device=phone content=2
        20m1s failure A operation=update device=phone attributes-type=Song
        50m end A source=app device=phone content=3
        """, finds: .confirmed),
      RuleExample(
        "content of pushes appears, the app's own does not",
        """
        0m start A source=app device=phone attributes-type=Song content
        10m update A source=push status=200 content=2
        10m1s state A device=phone state=active content=2
        20m update A source=app device=phone content=3
        23m update A source=app device=phone content=4
        26m update A source=app device=phone content=5
        40m state A device=phone state=active content=2
        50m end A source=app device=phone content=6
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "no state with content is ever recorded",
        """
        0m start A source=app device=phone content
        1m state A device=phone state=active
        20m update A source=app device=phone content=3
        23m update A source=app device=phone content=4
        26m update A source=app device=phone content=5
        50m end A source=app device=phone content=6
        """),
      RuleExample(
        "every update appears",
        """
        0m start A source=app device=phone content
        20m update A source=app device=phone content=3
        20m1s state A device=phone state=active content=3
        23m update A source=app device=phone content=4
        23m1s state A device=phone state=active content=4
        50m end A source=app device=phone content=6
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let refusals = self.refusals ?? LocalUpdatesNotApplied.refusals(life.log)
    self.refusals = refusals
    for entry in refusals.ofActivity[life.activityWord] ?? [] {
      let last = life.entries.last?.at ?? life.opening
      guard entry.at >= life.opening, entry.at <= max(last, life.endedAt ?? life.limit) else {
        continue
      }
      refused[DeviceAndType(life), default: Tally()].add(entry, of: life)
    }
    guard life.traits.contains(.shownContent) else { return }
    for entry in withoutTrace(life) {
      silent[DeviceAndType(life), default: Tally()].add(entry, of: life)
    }
  }

  /// The app's updates that belong to runs which left no trace.
  private func withoutTrace(_ life: Timeline) -> [Entry] {
    let isLocal = { (entry: Entry) in
      entry.kind == .update && !entry.isByPush && entry.isAppliedAct && entry.hasContent
        && (entry.source == .app || entry.source == .intent)
    }
    var lost: [Entry] = []
    var run: [Entry] = []
    for entry in life.entries {
      if isContent(entry) {
        run.removeAll { entry.at - $0.at <= grace }
        lost += close(&run)
      } else if isLocal(entry) {
        if let last = run.last, entry.at - last.at < Timestamp.Span.seconds(2) { continue }
        run.append(entry)
      }
    }
    // What nothing follows may have been shown after the log stopped.
    return lost
  }

  private func close(_ run: inout [Entry]) -> [Entry] {
    defer { run = [] }
    return run.count >= updatesMin ? run : []
  }

  private func isContent(_ entry: Entry) -> Bool { entry.kind == .state && entry.hasContent }

  private static func refusals(_ log: AuditLog) -> Refusals {
    var refusals = Refusals()
    log.forEachRow(of: .failure) { entry in
      guard log.text(entry.word) == "update" else { return }
      let scope = DeviceAndType(device: log.device(of: entry), type: log.type(of: entry))
      if scope.device.isAbsent || scope.type.isAbsent, !entry.activityID.isAbsent {
        refusals.ofActivity[entry.activityID, default: []].append(entry)
      } else {
        refusals.rows.append((entry, scope))
      }
    }
    return refusals
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let rows = (refusals ?? LocalUpdatesNotApplied.refusals(log)).rows
    for (entry, scope) in rows {
      refused[scope, default: Tally()].add(at: entry.at, seq: entry.seq, device: scope.device)
    }
    for (scope, tally) in refused {
      findings.append(
        Finding(
          LocalUpdatesNotApplied.info, .confirmed, tally: tally, scope, log,
          message: "the system refused \(Wording.count(tally.count, "update")) by the app"))
    }
    for (scope, tally) in silent where refused[scope] == nil {
      findings.append(
        Finding(
          LocalUpdatesNotApplied.info, .inferred, tally: tally, scope, log,
          message: """
            \(Wording.count(tally.count, "update")) by the app did not show on the device, which \
            reports others
            """))
    }
  }
}

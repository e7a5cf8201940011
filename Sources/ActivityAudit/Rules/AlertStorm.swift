internal import ActivityCore

/// Cards that ring too often.
package struct AlertStorm: AuditRule {
  package static let alerts = RuleThreshold(
    "alert-storm", "alerts", 3, "alerts", "alerts of one card within the window")
  package static let window = RuleThreshold(
    "alert-storm", "window", 300, "seconds", "the window")
  package static let share = RuleThreshold(
    "alert-storm", "share", 80, "percent", "share of a card's updates that may ring")
  package static let updates = RuleThreshold(
    "alert-storm", "updates", 5, "updates", "updates up to which no share is counted")

  private let most: Int
  private let window: Timestamp.Span
  private let part: Double
  private let updatesMin: Int

  package static var wants: LifeTraits { .ringing }

  package init(_ settings: RuleSettings) {
    most = settings.count(AlertStorm.alerts)
    window = settings.span(AlertStorm.window)
    part = settings[AlertStorm.share] / 100
    updatesMin = settings.count(AlertStorm.updates)
  }

  package static let info = RuleInfo(
    id: "alert-storm", severity: .warning,
    summary: "a card rang again and again",
    reason: "Each alert lights the screen and sounds; people switch Live Activities off for good.",
    condition: """
      More than 3 alerts of one card within 5 minutes, or alerts on 80 percent or more of its \
      updates where there are more than 5. Only alerts that took effect count; attempts and second \
      records of one act count once, and the alert that a start must carry does not count. One \
      finding for each type and build.
      """,
    advice: "Alert only when the stage changes; send everything else without an alert.",
    scope: .typeAndBuild, thresholds: [alerts, window, share, updates],
    fires: [
      RuleExample(
        "four alerts in four minutes",
        """
        0m start A source=app device=phone stale-date=@30m content
        5m update A source=push timestamp=@5m stale-date=@30m alert content=2
        6m update A source=push timestamp=@6m stale-date=@30m alert content=3
        7m update A source=push timestamp=@7m stale-date=@30m alert content=4
        8m update A source=push timestamp=@8m stale-date=@30m alert content=5
        20m end A source=app device=phone content=6
        """, finds: .confirmed),
      RuleExample(
        "every update rings",
        """
        0m start A source=app device=phone stale-date=@90m content
        10m update A source=push timestamp=@10m stale-date=@90m alert content=2
        20m update A source=push timestamp=@20m stale-date=@90m alert content=3
        30m update A source=push timestamp=@30m stale-date=@90m alert content=4
        40m update A source=push timestamp=@40m stale-date=@90m alert content=5
        50m update A source=push timestamp=@50m stale-date=@90m alert content=6
        60m update A source=push timestamp=@60m stale-date=@90m alert content=7
        70m end A source=app device=phone content=8
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "attempts of one alert",
        """
        0m start A source=app device=phone stale-date=@30m content
        5m update A source=push apns-id=P1 status=503 alert content=2
        5m1s update A source=push apns-id=P1 status=503 alert content=2
        5m2s update A source=push apns-id=P1 status=503 alert content=2
        5m3s update A source=push apns-id=P1 status=503 alert content=2
        5m4s update A source=push apns-id=P1 status=200 alert content=2
        20m end A source=app device=phone content=6
        """),
      RuleExample(
        "an alert at each of three stages",
        """
        0m start A source=app device=phone stale-date=@30m content
        5m update A source=push timestamp=@5m stale-date=@30m alert content=2
        12m update A source=push timestamp=@12m stale-date=@30m alert content=3
        19m update A source=push timestamp=@19m stale-date=@30m alert content=4
        20m end A source=app device=phone content=6
        """),
    ])

  private var storms: [TypeAndBuild: Tally] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.isOpen, life.entries.contains(where: { $0.hasAlert && $0.kind != .start }) else {
      return
    }
    let acts = Acts(life.entries).number
    var seen: Set<Int> = []
    var ringing: [Entry] = []
    var updates = 0
    var ringingUpdates = 0
    for (entry, act) in zip(life.entries, acts) where act >= 0 && entry.isAppliedAct {
      guard entry.kind != .start, seen.insert(act).inserted else { continue }
      if entry.kind == .update { updates += 1 }
      guard entry.hasAlert else { continue }
      ringing.append(entry)
      if entry.kind == .update { ringingUpdates += 1 }
    }
    let isConstant = updates > updatesMin && Double(ringingUpdates) >= part * Double(updates)
    guard isConstant || isDense(ringing) else { return }
    for entry in ringing { storms[TypeAndBuild(life), default: Tally()].add(entry, of: life) }
  }

  private func isDense(_ ringing: [Entry]) -> Bool {
    guard ringing.count > most else { return false }
    return (most..<ringing.count).contains { ringing[$0].at - ringing[$0 - most].at <= window }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in storms.sorted(by: { $0.key.precedes($1.key, log) }) {
      findings.append(
        Finding(
          AlertStorm.info, .confirmed, tally: tally, scope, log,
          message: """
            \(Wording.count(tally.count, "alert")) on \(Wording.count(tally.cards.count, "card")) \
            that rang too often
            """))
    }
  }
}

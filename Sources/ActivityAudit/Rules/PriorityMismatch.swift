internal import ActivityCore

/// Priorities that do not fit what pushes carry.
package struct PriorityMismatch: AuditRule {
  private static let occurrences = RuleThreshold(
    "priority-mismatch", "occurrences", 3, "pushes", "from how many on it is a habit")
  private static let share = RuleThreshold(
    "priority-mismatch", "share", 80, "percent",
    "how many of the silent updates may have priority 10")
  private let occurrences: Int
  private let share: Double

  package static var wants: LifeTraits { .strangePriority }

  package init(_ settings: RuleSettings) {
    occurrences = settings.count(PriorityMismatch.occurrences)
    share = settings[PriorityMismatch.share]
  }

  package static let info = RuleInfo(
    id: "priority-mismatch", severity: .info,
    summary: "alerts are sent with priority 5, or silent updates with priority 10",
    reason: """
      An alert with priority 5 may come minutes late; silent updates with 10 use up the budget \
      that the important ones need.
      """,
    condition: """
      Of one recorder, three pushes with an alert or more have apns-priority 5; or of its updates \
      without an alert that state a priority, more than 80 %, and three or more, have 10. One \
      finding for each of the two. A push that states no priority is not counted.
      """,
    advice: "Send alerts and what must be seen now with priority 10, everything else with 5.",
    scope: .recorder, needs: [.headers], thresholds: [occurrences, share],
    fires: [
      RuleExample(
        "goals with priority 5", story(3) { "alert apns-priority=\($0 < 3 ? 5 : 10)" },
        finds: .confirmed),
      RuleExample(
        "every minute with priority 10", story(4) { "apns-priority=\($0 < 4 ? 10 : 5)" },
        finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "alerts with 10, the rest with 5",
        story(4) { $0 == 3 ? "alert apns-priority=10" : "apns-priority=5" }),
      RuleExample(
        "a service chooses for itself", story(4) { _ in "apns-topic=X.push-type.liveactivity" }),
    ])

  /// A card with so many updates, a quarter of an hour apart.
  private static func story(_ count: Int, _ members: (Int) -> String) -> String {
    let updates = (0..<count).map { number in
      "\((number + 1) * 15)m update A source=push \(members(number)) status=200 content=\(number)"
    }
    return
      (["0m start A source=app device=phone content"] + updates
      + ["\(count * 15 + 9)m end A source=app device=phone content=99"]).joined(separator: "\n")
  }

  private var fanned = Fanned()
  private var quiet: [Entry.Word: Tally] = [:]
  private var loud: [Entry.Word: Tally] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.traits.contains(.headers) else { return }
    for entry in life.entries where entry.isByPush && entry.kind?.isContentAct ?? false {
      guard let priority = life.log.headers(of: entry).priority, fanned.isNew(entry) else {
        continue
      }
      if entry.hasAlert {
        if priority < 10 { quiet[entry.recorder, default: Tally()].add(push: entry, of: life) }
      } else if entry.kind == .update {
        if priority >= 10 { loud[entry.recorder, default: Tally()].add(push: entry, of: life) }
      }
    }
  }

  /// Whether so many of a sender's silent updates have priority 10 that they are to be looked at.
  static func isLoud(_ sent: SenderCounts, _ settings: RuleSettings) -> Bool {
    sent.loud >= settings.count(occurrences)
      && Double(sent.loud) * 100 > settings[share] * Double(sent.silent)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (recorder, tally) in quiet where tally.count >= occurrences {
      let scope = RecorderAndReason(recorder, "alert")
      findings.append(
        Finding(
          PriorityMismatch.info, .confirmed, tally: tally, scope, log,
          message: "\(tally.count) pushes\(scope.whose(log)) with an alert have priority 5"))
    }
    for (recorder, tally) in loud where tally.count >= occurrences {
      let all = log.sent(by: recorder).silent
      guard Double(tally.count) * 100 > share * Double(all) else { continue }
      let scope = RecorderAndReason(recorder, "silent")
      findings.append(
        Finding(
          PriorityMismatch.info, .confirmed, tally: tally, scope, log,
          message: """
            \(tally.count) of \(all) updates\(scope.whose(log)) without an alert have priority 10
            """))
    }
  }
}

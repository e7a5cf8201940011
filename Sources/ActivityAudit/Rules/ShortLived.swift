internal import ActivityCore

/// Cards that flash up and are gone.
package struct ShortLived: AuditRule {
  package static let info = RuleInfo(
    id: "short-lived", severity: .info,
    summary: "cards that left the screen within seconds",
    reason: "The person sees something flash and cannot know what it was.",
    condition: """
      Three cards or more of a type and build were gone less than 10 seconds after they began. Not \
      counted: transient ones, those a person ended or removed, those whose work was finished or \
      cancelled by then, and logs whose work is all over (tests).
      """,
    advice: "Start a card only when it is certain that there is something to show.",
    scope: .typeAndBuild,
    thresholds: [seconds, occurrences],
    fires: [
      RuleExample(
        "three cards, four seconds each",
        ShortLived.cards("end X source=app device=phone dismissal-policy=immediate"),
        finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "the person cancels at once",
        ShortLived.cards("end X source=intent device=phone dismissal-policy=immediate")),
      RuleExample(
        "they stay on the Lock Screen for a while",
        ShortLived.cards("end X source=app device=phone content=2")
      ),
    ])

  /// Three cards of one type, each with a second line after 4 seconds.
  private static func cards(_ last: String) -> String {
    let lines = ["A", "B", "C"].enumerated().flatMap { minute, name in
      [
        "\(minute)m start \(name) source=app device=phone attributes-type=Ride build=7 content",
        "\(minute)m4s " + last.split(separator: "X").joined(separator: name),
      ]
    }
    return lines.joined(separator: "\n")
  }

  static let seconds = RuleThreshold(
    "short-lived", "seconds", 10, "seconds", "how long a card must stay to be read")
  private static let occurrences = RuleThreshold(
    "short-lived", "occurrences", 3, "cards", "how many make a habit")

  private let least: Timestamp.Span
  private let occurrencesMin: Int
  private var flashes: [TypeAndBuild: Tally] = [:]

  package static var wants: LifeTraits { .brief }

  package init(_ settings: RuleSettings) {
    least = settings.span(ShortLived.seconds)
    occurrencesMin = max(1, settings.count(ShortLived.occurrences))
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.phase == .dismissed, life.hasStart, !life.isExempt, !life.log.options.complete,
      life.endedAt != nil, life.finishedAt == nil, let gone = life.visibleUntil,
      gone - life.opening < least,
      let end = life.entries.last(where: { $0.kind != nil && $0.before.isLive && $0.after.isOver }),
      !end.isByPerson, end.source != .person, end.source != .intent
    else { return }
    flashes[TypeAndBuild(life), default: Tally()].add(end, of: life)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in flashes where tally.count >= occurrencesMin {
      findings.append(
        Finding(
          ShortLived.info, .confirmed, tally: tally, scope, log,
          message: "\(Wording.count(tally.count, "card")) were gone within \(Wording.length(least))"
        ))
    }
  }
}

internal import ActivityCore

/// Starts and ends that APNs tries once and forgets.
package struct OneShotPush: AuditRule {
  private static let occurrences = RuleThreshold(
    "one-shot-push", "occurrences", 3, "pushes", "from how many on it is a habit")
  private let occurrences: Int
  private var fanned = Fanned()
  private var tallies: [RecorderAndReason: Tally] = [:]

  package static var wants: LifeTraits { .once }

  package init(_ settings: RuleSettings) { occurrences = settings.count(OneShotPush.occurrences) }

  package static let info = RuleInfo(
    id: "one-shot-push", severity: .warning,
    summary: "starts or ends are sent with apns-expiration 0",
    reason: "A phone that is offline at that moment never gets its card, or keeps it for hours.",
    condition: """
      Three starts or ends by push of one recorder, or more, have apns-expiration 0: APNs tries \
      them once. One finding for each recorder. Broadcasts are left out, since a channel that \
      keeps nothing allows no other value; so are updates, which the next one replaces.
      """,
    advice: "Set the expiration of starts and ends to the time up to which they are still of use.",
    scope: .recorder, needs: [.headers], thresholds: [occurrences],
    fires: [
      RuleExample("ends that a tunnel swallows", story(ends: 0, starts: nil), finds: .confirmed),
      RuleExample("starts too", story(ends: 9, starts: 0), finds: .confirmed),
    ],
    passes: [
      RuleExample("ends are kept", story(ends: 9, starts: nil)),
      RuleExample(
        "updates may be lost, and broadcasts have no choice",
        """
        0m start A source=app device=phone push-type=channel channel=C1 content
        20m update A source=push apns-expiration=0 status=200 content=2
        21m update A source=push apns-expiration=0 status=200 content=3
        22m update A source=push apns-expiration=0 status=200 content=4
        50m end source=broadcast channel=C1 apns-expiration=0 status=200 content=5
        51m state A device=phone state=ended
        """),
    ])

  /// Three cards one after another.
  private static func story(ends: Int, starts: Int?) -> String {
    func expiration(_ value: Int) -> String { "apns-expiration=\(value == 0 ? "0" : "@9h")" }
    return (0..<3).map { number in
      let start = starts.map { "source=push \(expiration($0)) status=200 alert" } ?? "source=app"
      return """
        \(number)h start C\(number) device=phone \(start) content
        \(number)h5s token C\(number) device=phone token=t\(number)
        \(number)h30m end C\(number) source=push token=t\(number) \(expiration(ends)) status=200 \
        content=9
        """
    }.joined(separator: "\n")
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.traits.contains(.headers) else { return }
    let once = life.entries.filter { entry in
      guard entry.kind == .start || entry.kind == .end, entry.isByPush else { return false }
      guard entry.source != .broadcast, !entry.isToChannelAlone else { return false }
      return life.log.headers(of: entry).expiration == .once && fanned.isNew(entry)
    }
    guard !once.isEmpty else { return }
    var seen: Set<Int> = []
    for (entry, act) in zip(once, Acts(once).number) where seen.insert(act).inserted {
      tallies[RecorderAndReason(entry.recorder, ""), default: Tally()].add(push: entry, of: life)
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in tallies where tally.count >= occurrences {
      findings.append(
        Finding(
          OneShotPush.info, .confirmed, tally: tally, scope, log,
          message: """
            \(tally.count) starts or ends\(scope.whose(log)) have apns-expiration 0: APNs \
            tries them once
            """))
    }
  }
}

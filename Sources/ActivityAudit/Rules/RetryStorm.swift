internal import ActivityCore

/// Pushes that were tried too often.
package struct RetryStorm: AuditRule {
  private static let attempts = RuleThreshold(
    "retry-storm", "attempts", 5, "attempts", "how often one push may be tried")
  private let attemptsMax: Int
  private var tallies: [RecorderAndReason: Tally] = [:]

  package static var wants: LifeTraits { .refusal }

  package init(_ settings: RuleSettings) { attemptsMax = settings.count(RetryStorm.attempts) }

  package static let info = RuleInfo(
    id: "retry-storm", severity: .info,
    summary: "one push was tried more than five times, or APNs asked for a pause",
    reason: "Attempts without a pause are refused too, and take the place of newer content.",
    condition: """
      One recorder tried one act (same apns-id; or same token, timestamp and kind) more than 5 \
      times, or met 429 TooManyRequests. One finding for each recorder and each of the two; the \
      count is of acts that were tried too often, or of answers 429.
      """,
    advice: """
      Wait longer after each attempt, and send the newest content in place of what was refused.
      """,
    scope: .recorder, needs: [.responses], thresholds: [attempts],
    fires: [
      RuleExample(
        "seven attempts within a minute",
        """
        0m start A source=app device=phone content
        20m update A source=push apns-id=P1 status=503 content=2
        20m5s update A source=push apns-id=P1 status=503 content=2
        20m10s update A source=push apns-id=P1 status=503 content=2
        20m15s update A source=push apns-id=P1 status=503 content=2
        20m20s update A source=push apns-id=P1 status=503 content=2
        20m25s update A source=push apns-id=P1 status=503 content=2
        20m30s update A source=push apns-id=P1 status=200 content=2
        50m end A source=app device=phone content=3
        """, finds: .confirmed),
      RuleExample(
        "too many requests for one token",
        """
        0m start A source=app device=phone content
        20m update A source=push apns-id=P1 status=429 reason=TooManyRequests content=2
        20m1s update A source=push apns-id=P1 status=200 content=2
        50m end A source=app device=phone content=3
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "the third attempt is taken",
        """
        0m start A source=app device=phone content
        20m update A source=push apns-id=P1 status=503 content=2
        20m5s update A source=push apns-id=P1 status=503 content=2
        20m20s update A source=push apns-id=P1 status=200 content=2
        50m end A source=app device=phone content=3
        """),
      RuleExample(
        "a sender and its proxies record three attempts each",
        (1...9).map { number in
          let proxy = "recorder=proxy-\((number - 1) % 3)"
          let status = number > 6 ? 200 : 503
          return """
            20m\(number)s update A source=push \(proxy) apns-id=P1 status=\(status) content=2
            """
        }.joined(separator: "\n") + "\n50m end A source=app device=phone content=3"),
    ])

  private var fanned = Fanned()

  private struct Tries: Hashable {
    var act: Int
    var recorder: Entry.Word
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.traits.contains(.refusal) else { return }
    let pushes = life.entries.filter {
      $0.isByPush && $0.kind?.isAct ?? false && fanned.isNew($0)
    }
    var tries: [Tries: Int] = [:]
    for (entry, act) in zip(pushes, Acts(pushes).number) {
      if entry.status == 429, life.log.text(entry.reason) == "TooManyRequests" {
        let scope = RecorderAndReason(entry.recorder, "TooManyRequests")
        tallies[scope, default: Tally()].add(push: entry, of: life)
      }
      let key = Tries(act: act, recorder: entry.recorder)
      tries[key, default: 0] += 1
      if tries[key] == attemptsMax + 1 {
        let scope = RecorderAndReason(entry.recorder, "attempts")
        tallies[scope, default: Tally()].add(push: entry, of: life)
      }
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in tallies {
      let message =
        scope.reason == "attempts"
        ? """
        more than \(attemptsMax) attempts at \
        \(Wording.count(tally.count, "push", "pushes"))\(scope.whose(log))
        """
        : """
        APNs answered 429 TooManyRequests to \
        \(Wording.count(tally.count, "push", "pushes"))\(scope.whose(log))
        """
      findings.append(
        Finding(RetryStorm.info, .confirmed, tally: tally, scope, log, message: message))
    }
  }
}

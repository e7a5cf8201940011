internal import ActivityCore

/// Push starts that APNs took and no device shows.
package struct StartUnacknowledged: AuditRule {
  private static let grace = RuleThreshold(
    "start-unacknowledged", "grace", 120, "seconds", "how long a device may take to show a start")
  private static let inARow = RuleThreshold(
    "start-unacknowledged", "in-a-row", 2, "starts", "how many one after another are an error")
  private let grace: Timestamp.Span
  private let inARow: Int
  private var pushStarts = PushStarts()

  package static var wants: LifeTraits { .pushStart }
  package static var counts: Bool { true }

  package init(_ settings: RuleSettings) {
    grace = settings.span(StartUnacknowledged.grace)
    inARow = settings.count(StartUnacknowledged.inARow)
  }

  package static let info = RuleInfo(
    id: "start-unacknowledged", severity: .warning,
    summary: "a push start was answered 200, and nothing of it appeared on the device",
    reason: "The person never got the card, and every number on the server says that they did.",
    condition: """
      A start by push took effect and was answered 200, no activity is known that it became (nor \
      token, state or inventory of its own), and the device, which its token or its line names, \
      was heard of more than 120 seconds later. Error when it happens twice in a row on one device \
      and type. A device that was not heard of later may be off, or reports nothing: not judged.
      """,
    advice: """
      Refresh the push-to-start token at every launch and after every update of the system; check \
      alert, attributes and their type, and how many starts were sent in the hour before.
      """,
    scope: .deviceAndType, needs: [.responses, .deviceEvidence],
    yieldsTo: ["malformed-payload", "start-without-alert"], yielding: .sameRow,
    thresholds: [grace, inARow],
    fires: [
      RuleExample(
        "a start token from before the update of the system",
        """
        0m token device=phone attributes-type=Ride token-kind=start token=s1
        1h start source=push token=s1 key=K attributes-type=Ride alert content status=200
        1h20m state B device=phone attributes-type=Ride state=active
        1h30m end B source=app device=phone
        """, finds: .inferred),
      RuleExample(
        "two starts of one evening, and the app knows of neither",
        """
        0m token device=phone attributes-type=Ride token-kind=start token=s1
        1h start source=push token=s1 key=K attributes-type=Ride alert content status=200
        3h start source=push token=s1 key=L attributes-type=Ride alert content status=200
        4h inventory device=phone attributes-type=Ride
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "the app hands over the token of the card",
        """
        0m token device=phone attributes-type=Ride token-kind=start token=s1
        1h start source=push token=s1 attributes-type=Ride alert content status=200
        1h5s token A device=phone attributes-type=Ride token=t1
        1h20m state A device=phone attributes-type=Ride state=active
        1h30m end A source=push token=t1 status=200
        """),
      RuleExample(
        "the phone is off",
        """
        0m token device=phone attributes-type=Ride token-kind=start token=s1
        1h start source=push token=s1 attributes-type=Ride alert content status=200
        2h state B device=other attributes-type=Ride state=active
        3h end B source=app device=other
        """),
      RuleExample(
        "nobody says which device the token belongs to",
        """
        1h start source=push token=s1 attributes-type=Ride alert content status=200
        2h state B device=other attributes-type=Ride state=active
        3h end B source=app device=other
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    pushStarts.observe(life)
  }

  package mutating func count(_ facts: LifeFacts) { pushStarts.count(facts) }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (place, starts) in pushStarts.settle(log) where !place.device.isAbsent {
      var tally = Tally()
      var run = 0
      var longest = 0
      for start in starts {
        guard pushStarts.isLost(start, place, after: grace) else {
          if start.isSeen { run = 0 }
          continue
        }
        tally.add(at: start.at, seq: start.seq, device: place.device, card: start.card)
        run += 1
        longest = max(longest, run)
      }
      guard tally.count > 0 else { continue }
      let row = longest > 1 ? ", \(longest) of them in a row" : ""
      findings.append(
        Finding(
          StartUnacknowledged.info, .inferred, tally: tally,
          DeviceAndType(device: place.device, type: place.type), log,
          message: """
            APNs took \(Wording.count(tally.count, "start"))\(row), and nothing appeared on the \
            device
            """, severity: longest >= inARow ? .error : .warning))
    }
  }
}

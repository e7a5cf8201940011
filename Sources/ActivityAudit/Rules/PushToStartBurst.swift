internal import ActivityCore

/// More push starts than a device takes.
package struct PushToStartBurst: AuditRule {
  private static let starts = RuleThreshold(
    "push-to-start-burst", "starts", 10, "starts", "how many starts an hour one device may get")
  private static let grace = RuleThreshold(
    "push-to-start-burst", "grace", 120, "seconds", "how long a device may take to show a start")
  private let startsMax: Int
  private let grace: Timestamp.Span
  private var pushStarts = PushStarts()
  package static var wants: LifeTraits { .pushStart }
  package static var counts: Bool { true }

  package init(_ settings: RuleSettings) {
    startsMax = settings.count(PushToStartBurst.starts)
    grace = settings.span(PushToStartBurst.grace)
  }

  package static let info = RuleInfo(
    id: "push-to-start-burst", severity: .warning,
    summary: "more push starts within an hour than a device takes",
    reason: "The budget is small and fixed; once it is used up, starts do nothing for hours.",
    condition: """
      More than 10 push starts that were not refused went to one device, or to one start token \
      where the device is not known, for one type within an hour. Attempts of one start are one, \
      and a start by key alone is not counted. Error when, in that hour, the device shows nothing \
      of a start after the tenth. Sandbox devices, where people test, are left out.
      """,
    advice: """
      Start once, then update; keep updates back until the card's update token is known instead of \
      sending them as starts.
      """,
    scope: .deviceAndType, thresholds: [starts, grace],
    fires: [
      RuleExample("twelve parcels, one card each", burst(12, every: 4), finds: .confirmed),
      RuleExample("eleven starts in a quarter of an hour", burst(11, every: 1), finds: .confirmed),
    ],
    passes: [
      RuleExample("twelve in two hours", burst(12, every: 10)),
      RuleExample("ten in an hour", burst(10, every: 5)),
      RuleExample("a test device", burst(12, every: 2, " environment=sandbox")),
    ])

  /// So many push starts of one phone, each ended by the app a minute later.
  private static func burst(_ count: Int, every minutes: Int, _ more: String = "") -> String {
    (0..<count).map { number in
      let card = "C\(number) device=phone attributes-type=Parcel\(more)"
      return """
        \(number * minutes)m start \(card) source=push token=s1 alert content status=200
        \(number * minutes)m50s end \(card) source=app content=9
        """
    }.joined(separator: "\n")
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    if let word = life.log.text(life.environment), word.isDevelopment { return }
    pushStarts.observe(life)
  }

  package mutating func count(_ facts: LifeFacts) { pushStarts.count(facts) }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    var sandbox: Set<Entry.Word>?
    for (place, starts) in pushStarts.settle(log) {
      guard starts.count > startsMax else { continue }
      let known = sandbox ?? log.sandboxDevices
      sandbox = known
      if known.contains(place.device) { continue }
      var tally = Tally()
      var counted = 0
      var first = 0
      var most = 0
      var isLost = false
      for (number, start) in starts.enumerated() {
        while start.at - starts[first].at >= Timestamp.Span.hours(1) { first += 1 }
        guard number - first + 1 > startsMax else { continue }
        most = max(most, number - first + 1)
        isLost = isLost || pushStarts.isLost(start, place, after: grace)
        for start in starts[max(first, counted)...number] {
          tally.add(at: start.at, seq: start.seq, device: place.device, card: start.card)
        }
        counted = number + 1
      }
      guard tally.count > 0 else { continue }
      let lost = isLost ? ", and the device shows nothing of some after the tenth" : ""
      findings.append(
        finding(tally, place, log, "\(most) push starts within an hour\(lost)", isLost))
    }
  }

  private func finding(
    _ tally: Tally, _ place: PushStarts.Place, _ log: AuditLog, _ message: String, _ isLost: Bool
  ) -> Finding {
    let severity = isLost ? Severity.error : .warning
    guard place.device.isAbsent else {
      return Finding(
        PushToStartBurst.info, .confirmed, tally: tally,
        DeviceAndType(device: place.device, type: place.type), log, message: message,
        severity: severity)
    }
    let type = log.text(place.type)
    var finding = Finding(
      PushToStartBurst.info, .confirmed, tally: tally,
      identity: [log.text(place.token) ?? "", type ?? ""], message: message, severity: severity)
    finding.attributesType = type
    return finding
  }
}

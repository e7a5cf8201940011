internal import ActivityCore

/// Many urgent pushes to a device that allows few.
package struct FrequentPushesOff: AuditRule {
  private static let pushes = RuleThreshold(
    "frequent-pushes-off", "pushes", 12, "pushes",
    "how many an hour a card may get where frequent pushes are off")
  private let pushesMax: Int
  private var authorizations: Authorizations?
  private var tallies: [DeviceAndType: Tally] = [:]
  private var most: [DeviceAndType: Int] = [:]

  package static var wants: LifeTraits { .restrictedDevice }

  package init(_ settings: RuleSettings) { pushesMax = settings.count(FrequentPushesOff.pushes) }

  package static let info = RuleInfo(
    id: "frequent-pushes-off", severity: .info,
    summary: "many pushes an hour went to a device where frequent pushes are off",
    reason: "The system slows them down; the card lags behind though every answer is 200.",
    condition: """
      A card got more than 12 pushes within an hour, not counting priority 5 and refused ones, \
      while the last authorization of its device that speaks of frequent pushes says false. How \
      many the system takes is not published.
      """,
    advice: """
      Where frequentPushesEnabled is false, send fewer pushes, or send them with priority 5.
      """,
    scope: .deviceAndType, reads: .all, thresholds: [pushes],
    fires: [
      RuleExample("every four minutes", story(14, every: 4), finds: .confirmed),
      RuleExample("every minute, for a quarter of an hour", story(15, every: 1), finds: .confirmed),
    ],
    passes: [
      RuleExample("every ten minutes", story(14, every: 10)),
      RuleExample("with priority 5", story(14, every: 4, " apns-priority=5")),
      RuleExample("the person allows them", story(14, every: 4, frequent: true)),
    ])

  /// A card with so many updates.
  private static func story(
    _ count: Int, every minutes: Int, _ more: String = "", frequent: Bool = false
  ) -> String {
    let updates = (1...count).map { number in
      "\(number * minutes)m update A source=push\(more) status=200 content=\(number)"
    }
    return
      ([
        "0m authorization device=phone enabled=true frequent=\(frequent)",
        "0m start A source=app device=phone content",
      ] + updates + ["\((count + 1) * minutes)m end A source=app device=phone content=99"])
      .joined(separator: "\n")
  }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    let authorizations = self.authorizations ?? Authorizations(life.log)
    self.authorizations = authorizations
    guard !authorizations.isEmpty, !life.deviceWord.isAbsent else { return }
    let urgent = life.entries.filter { entry in
      entry.isByPush && entry.kind?.isAct ?? false && !entry.isRefused
        && (life.log.headers(of: entry).priority ?? 10) > 5
    }
    guard urgent.count > pushesMax else { return }
    var seen: Set<Int> = []
    let pushes = zip(urgent, Acts(urgent).number).filter { seen.insert($0.1).inserted }.map(\.0)
    let scope = DeviceAndType(life)
    var first = 0
    var counted = 0
    for (number, push) in pushes.enumerated() {
      while push.at - pushes[first].at >= Timestamp.Span.hours(1) { first += 1 }
      guard number - first + 1 > pushesMax,
        authorizations.infrequent(on: scope.device, bundle: life.bundle, at: push.at) != nil
      else { continue }
      most[scope] = max(most[scope] ?? 0, number - first + 1)
      for push in pushes[max(first, counted)...number] {
        tallies[scope, default: Tally()].add(push, of: life)
      }
      counted = number + 1
    }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in tallies {
      findings.append(
        Finding(
          FrequentPushesOff.info, .confirmed, tally: tally, scope, log,
          message: """
            up to \(most[scope] ?? 0) pushes an hour to one card, while frequent pushes are off on \
            the device
            """))
    }
  }
}

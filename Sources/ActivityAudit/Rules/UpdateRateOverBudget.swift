internal import ActivityCore

/// More pushes than the system's budget is thought to bear.
package struct UpdateRateOverBudget: AuditRule {
  package static let budget = RuleThreshold(
    "update-rate-over-budget", "budget", 12, "pushes",
    "pushes of priority 10 to one card in an hour; Apple publishes no number")
  package static let frequentFactor = RuleThreshold(
    "update-rate-over-budget", "frequent-factor", 3, "times",
    "how much more a device takes that allows frequent pushes")
  package static let spacing = RuleThreshold(
    "update-rate-over-budget", "spacing", 1, "seconds", "the least time between two updates")
  package static let crowded = RuleThreshold(
    "update-rate-over-budget", "crowded", 3, "updates",
    "updates of one card closer than that in an hour")

  private let budget: Double
  private let factor: Double
  private let spacing: Timestamp.Span
  private let crowd: Int
  /// By device: whether it allows frequent pushes, as it last said.
  private var frequent: [Entry.Word: Bool]?

  package static var wants: LifeTraits { .dense }

  package init(_ settings: RuleSettings) {
    budget = settings[UpdateRateOverBudget.budget]
    factor = max(1, settings[UpdateRateOverBudget.frequentFactor])
    spacing = settings.span(UpdateRateOverBudget.spacing)
    crowd = max(1, settings.count(UpdateRateOverBudget.crowded))
  }

  package static let info = RuleInfo(
    id: "update-rate-over-budget", severity: .warning,
    summary: "a card was sent more updates than the system's budget is thought to bear",
    reason: "The system throttles in silence: APNs answers 200, and the card stands still.",
    condition: """
      Within an hour a card was sent more than 12 acts by push of priority 10 (36 where its device \
      last said that frequent pushes are allowed; a push with recorded headers but no priority has \
      10), or 3 updates or more, from any side, less than a second after the one before. Attempts \
      and second records of one act count once. Inferred, since no limit is published. One finding \
      for each type and build.
      """,
    advice: """
      Send routine news with priority 5 and only what matters now with 10; make one update of \
      changes that come together.
      """,
    scope: .typeAndBuild, needs: [.headers],
    thresholds: [budget, frequentFactor, spacing, crowded], fires: firing, passes: passing)

  private static let hour = Timestamp.Span.hours(1)
  private var over: [TypeAndBuild: (tally: Tally, most: Int, isCrowded: Bool)] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    if frequent == nil { frequent = UpdateRateOverBudget.devices(life.log) }
    guard mayBeOver(life) else { return }
    let acts = Acts(life.entries).number
    var seen: Set<Int> = []
    var urgent: [Entry] = []
    var close: [Entry] = []
    var latest: Timestamp?
    for (entry, act) in zip(life.entries, acts) where act >= 0 && entry.kind != .start {
      guard seen.insert(act).inserted else { continue }
      if entry.isByPush, isUrgent(entry, life.log) { urgent.append(entry) }
      guard entry.kind == .update else { continue }
      if let latest, entry.at - latest < spacing { close.append(entry) }
      latest = entry.at
    }
    let allowed = frequent?[life.deviceWord] == true ? budget * factor : budget
    let most = UpdateRateOverBudget.densest(urgent)
    let isOver = Double(most.count) > allowed
    let isCrowded = UpdateRateOverBudget.densest(close).count >= crowd
    guard isOver || isCrowded else { return }
    let scope = TypeAndBuild(life)
    var known = over[scope] ?? (Tally(), 0, false)
    for entry in isOver ? urgent[most] : close[...] { known.tally.add(entry, of: life) }
    known.most = max(known.most, isOver ? most.count : 0)
    known.isCrowded = known.isCrowded || isCrowded
    over[scope] = known
  }

  /// Whether it has rows enough, before attempts and witnesses are told apart.
  private func mayBeOver(_ life: Timeline) -> Bool {
    var urgent = 0
    var close = 0
    var latest: Timestamp?
    for entry in life.entries {
      if entry.isByPush, entry.kind != .start, isUrgent(entry, life.log) { urgent += 1 }
      guard entry.kind == .update else { continue }
      if let latest, entry.at - latest < spacing { close += 1 }
      latest = entry.at
    }
    return Double(urgent) > budget || close >= crowd
  }

  private func isUrgent(_ entry: Entry, _ log: AuditLog) -> Bool {
    let headers = log.headers(of: entry)
    return headers.areRecorded && headers.priority ?? 10 >= 10
  }

  /// The most entries that any hour holds.
  private static func densest(_ entries: [Entry]) -> Range<Int> {
    var best = 0..<0
    var first = 0
    for (place, entry) in entries.enumerated() {
      while entry.at - entries[first].at >= hour { first += 1 }
      if place + 1 - first > best.count { best = first..<(place + 1) }
    }
    return best
  }

  private static func devices(_ log: AuditLog) -> [Entry.Word: Bool] {
    var devices: [Entry.Word: Bool] = [:]
    guard !log.contentMarks.isDisjoint(with: [.frequent, .infrequent]) else { return devices }
    for entry in log.rows(of: .authorization) {
      guard let marks = log.content(of: entry)?.marks else { continue }
      if marks.contains(.frequent) { devices[log.device(of: entry)] = true }
      if marks.contains(.infrequent) { devices[log.device(of: entry)] = false }
    }
    devices[Entry.Word(-1)] = nil
    return devices
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, known) in over.sorted(by: { $0.key.precedes($1.key, log) }) {
      let cards = Wording.count(known.tally.cards.count, "card")
      let rate = known.most > 0 ? "up to \(known.most) pushes of priority 10 in an hour" : nil
      let crowding = known.isCrowded ? "updates less than a second apart" : nil
      findings.append(
        Finding(
          UpdateRateOverBudget.info, .inferred, tally: known.tally, scope, log,
          message: """
            \([rate, crowding].compactMap(\.self).joined(separator: ", and ")) on \(cards); no \
            limit is published
            """))
    }
  }
}

extension UpdateRateOverBudget {
  /// Updates every so many seconds from the first minute on, each a content of its own.
  private static func updates(_ count: Int, every seconds: Int, _ rest: String) -> String {
    (0..<count).map { place in
      let at = 60 + place * seconds
      return """
        \(at)s update A source=push timestamp=@\(at)s stale-date=@\(at + 600)s \(rest) \
        content-state={"n":\(place + 2)}
        """
    }.joined(separator: "\n")
  }

  private static let begin = "0m start A source=app device=phone stale-date=@10m content\n"
  private static let end = "\n45m end A source=app device=phone content"

  fileprivate static let firing = [
    RuleExample(
      "an urgent push every three minutes",
      begin + updates(14, every: 180, "apns-priority=10") + end, finds: .inferred),
    RuleExample(
      "updates in a burst",
      """
      0m start A source=app device=phone stale-date=@30m content
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=2
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=3
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=4
      1m update A source=push timestamp=@1m stale-date=@30m apns-priority=5 content=5
      20m end A source=app device=phone content=6
      """, finds: .inferred),
  ]

  fileprivate static let passing = [
    RuleExample(
      "the same at priority 5", begin + updates(14, every: 180, "apns-priority=5") + end),
    RuleExample(
      "a device that allows frequent pushes",
      "0m authorization device=phone enabled=true frequent=true\n" + begin
        + updates(14, every: 180, "apns-priority=10") + end),
    RuleExample(
      "twelve attempts of one update",
      begin
        + (0..<13).map {
          "\(60 + $0)s update A source=push apns-id=P1 apns-priority=10 status=503 content=2"
        }.joined(separator: "\n")
        + "\n80s update A source=push apns-id=P1 apns-priority=10 status=200 content=2" + end),
  ]
}

/// What was planted, counted from the cards themselves and never from an audit.
struct IncidentTruth {
  private let cards: [Card]
  private let lines: Int
  private let refusedStart: Int

  init(_ cards: [Card], lines: Int, refusedStart: Int) {
    (self.cards, self.lines, self.refusedStart) = (cards, lines, refusedStart)
  }

  var json: String {
    let findings = rules.map { rule, names in
      "    \"\(rule)\": [\n" + names.map { "      \"\($0)\"" }.joined(separator: ",\n") + "\n    ]"
    }
    let counts = numbers.map { "    \"\($0)\": \($1)" }
    let worst = worstMinute
    let (from, until) = (UTC.text(refusals.min() ?? 0), UTC.text(refusals.max() ?? 0))
    return """
      {
        "outage": {"from": "\(from)", "until": "\(until)"},
        "worst-minute": {"at": "\(UTC.text(worst.at))", "wrong-cards": \(worst.count)},
        "example": {"key": "A-1042", "name": "\(name(ofKey: "A-1042"))"},
        "numbers": {
      \(counts.joined(separator: ",\n"))
        },
        "findings": {
      \(findings.joined(separator: ",\n"))
        }
      }
      """
  }

  private var refusals: [Int64] {
    cards.flatMap { $0.refusedUpdates + [$0.refusedEnd].compactMap(\.self) }
  }

  /// The names each rule must give; an activity has one leak finding, the first that holds.
  private var rules: [(String, [String])] {
    func names(_ holds: (Card) -> Bool) -> [String] {
      cards.filter(holds).map(\.order.name).sorted()
    }
    return [
      ("credentials-outage", ["-"]),
      ("end-not-delivered", names { $0.leak == .endNotDelivered }),
      ("late-end", names { $0.leak == .lateEnd }),
      ("never-ended", names { $0.leak == .neverEnded }),
      // Both senders give every push priority 10, silent updates too.
      ("priority-mismatch", ["-", "-"]),
      ("stale-while-live", names { $0.leak == .stale }),
      ("start-not-delivered", ["start:\(refusedStart)"]),
      ("update-not-delivered", names { !$0.refusedUpdates.isEmpty }),
    ]
  }

  private var numbers: [(String, Int)] {
    func count(_ holds: (Card) -> Bool) -> Int { cards.filter(holds).count }
    return [
      ("lines", lines),
      ("activities", cards.count),
      ("clean-activities", count { $0.leak == nil && $0.refusedUpdates.isEmpty }),
      ("pushes-refused-in-outage", refusals.count + 1),
      ("ends-refused-never-retried", count { $0.leak == .endNotDelivered }),
      ("ends-late", count { $0.leak == .lateEnd }),
      ("ends-never-sent", count { $0.leak == .neverEnded }),
      ("updates-refused", cards.map(\.refusedUpdates.count).reduce(0, +)),
      ("activities-with-refused-updates", count { !$0.refusedUpdates.isEmpty }),
      ("activities-stale-only", count { $0.leak == .stale }),
      ("starts-refused", 1),
      ("swipes-answered-410", count { $0.goneAt != nil }),
      ("pushes-retried-at-once", cards.map(\.retries).reduce(0, +)),
      ("activities-on-observed-phones", count { $0.order.activityID != nil }),
    ]
  }

  private func name(ofKey key: String) -> String {
    cards.first { $0.order.key == key }?.order.name ?? ""
  }

  /// The first minute of the evening at which most cards say something wrong; after the outage
  /// the cards nobody ended stay, so it is looked for until 19:00.
  private var worstMinute: (at: Int64, count: Int) {
    var worst: (at: Int64, count: Int) = (0, 0)
    for at in stride(from: OrderBook.at(18, 0), to: OrderBook.at(19, 0), by: Int(UTC.minute)) {
      let count = cards.filter { $0.isWrong(at: at) }.count
      if count > worst.count { worst = (at, count) }
    }
    return worst
  }
}

extension Card {
  enum Leak {
    case endNotDelivered
    case neverEnded
    case lateEnd
    case stale
  }

  var leak: Leak? {
    if goneAt != nil { return nil }
    guard let endedAt else { return refusedEnd == nil ? .neverEnded : .endNotDelivered }
    if endedAt - order.finish >= 5 * UTC.minute { return .lateEnd }
    return staleTime(until: endedAt) > 5 * UTC.minute ? .stale : nil
  }

  private func staleTime(until end: Int64) -> Int64 {
    let nexts = contents.dropFirst().map(\.at) + [end]
    return zip(contents, nexts).map { max(0, $1 - $0.staleDate) }.reduce(0, +)
  }

  /// Whether the card shows something that is no longer so.
  func isWrong(at: Int64) -> Bool {
    let over = endedAt ?? goneAt ?? order.start + 12 * UTC.hour
    guard at >= order.start, at < over else { return false }
    if at >= order.finish { return true }
    let latest = contents.last { $0.at <= at }
    if let latest, latest.staleDate <= at { return true }
    return refusedUpdates.contains { $0 <= at && $0 > latest?.at ?? 0 }
  }
}

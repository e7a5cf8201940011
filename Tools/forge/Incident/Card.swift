/// What became of one order's card: the pushes with their answers, and what they amount to.
struct Card {
  struct Content {
    var at: Int64
    var staleDate: Int64
  }

  static let outage = OrderBook.at(18, 0, 20)..<OrderBook.at(18, 39, 50)
  /// When somebody made `push-8` send its refused ends again.
  static let replay = OrderBook.at(18, 46)

  let order: Order
  private(set) var rows: [Row] = []
  private(set) var contents: [Content] = []
  private(set) var refusedUpdates: [Int64] = []
  private(set) var refusedEnd: Int64?
  private(set) var endedAt: Int64?
  private(set) var dismissalDate: Int64?
  /// When APNs answered that the token is gone.
  private(set) var goneAt: Int64?
  private(set) var retries = 0
  private var random: SplitMix64

  init(_ order: Order) {
    self.order = order
    random = SplitMix64(seed: UInt64(order.number) &* 0x5DEE_CE66_D1CE)
    if order.activityID != nil {
      contents.append(Content(at: order.start, staleDate: order.start + order.freshness))
    }
    register()
    for (index, step) in order.steps.enumerated() {
      guard goneAt == nil, !isCancelled(before: index) else { break }
      push(step, isGone: isGone(after: index))
    }
    work()
    if case .cancelled = order.fate { return }
    if goneAt == nil { end() }
  }

  private func isCancelled(before index: Int) -> Bool {
    if case .cancelled = order.fate { return index == 2 }
    return false
  }

  private func isGone(after pushes: Int) -> Bool {
    if case .swiped(let survived) = order.fate { return pushes >= survived }
    return false
  }

  /// The app posts the card's token; the sender writes down whose it is.
  private mutating func register() {
    let at = order.start + UTC.second + random.below(UTC.second / 2)
    var row = Row("token", at: at, recorder: order.sender)
    row.add("key", order.key)
    row.add("device", order.device)
    row.add("bundle-id", "com.example.brew")
    row.add("build", order.build)
    row.add("attributes-type", order.kind.rawValue)
    row.add("token-kind", "update")
    row.add("token", order.token)
    rows.append(row)
  }

  private mutating func push(_ step: Order.Step, isGone: Bool) {
    let staleDate = step.at / UTC.second * UTC.second + order.freshness
    func row(at: Int64, attempt: Int, apnsID: String, _ answer: Answer) -> Row {
      var row = message("update", at: at, stamp: step.at, step.status, step.eta)
      row.add("stale-date", unix: staleDate)
      row.add("alert", json: step.alert.map(alert))
      answer.add(to: &row, attempt: attempt, apnsID: apnsID)
      return row
    }
    let apnsID = Hex.uuid(random.next(), random.next())
    if isGone {
      goneAt = step.at
      rows.append(row(at: step.at, attempt: 1, apnsID: apnsID, .gone))
    } else if Self.outage.contains(step.at) {
      refusedUpdates.append(step.at)
      rows.append(row(at: step.at, attempt: 1, apnsID: apnsID, .expired))
    } else {
      var at = step.at
      let isRush = abs(step.at - OrderBook.at(18, 20)) < UTC.hour
      let isRetried = !isRush && random.chance(20)
      if isRetried {
        rows.append(row(at: at, attempt: 1, apnsID: apnsID, .unavailable))
        retries += 1
        at += 1_200_000
      }
      rows.append(row(at: at, attempt: isRetried ? 2 : 1, apnsID: apnsID, .accepted))
      contents.append(Content(at: at, staleDate: staleDate))
    }
  }

  private mutating func work() {
    var isCancelled = false
    if case .cancelled = order.fate { isCancelled = true }
    var row = Row("work", at: order.finish, recorder: "orders")
    row.add("key", order.key)
    row.add("outcome", isCancelled ? "cancelled" : "finished")
    rows.append(row)
  }

  private mutating func end() {
    let at = order.finish + UTC.second + random.below(3 * UTC.second)
    let apnsID = Hex.uuid(random.next(), random.next())
    let date = at + 15 * UTC.minute
    if isGone(after: order.steps.count) {
      goneAt = at
      rows.append(end(at: at, stamp: at, date, attempt: 1, apnsID: apnsID, .gone))
    } else if Self.outage.contains(at) {
      refusedEnd = at
      rows.append(end(at: at, stamp: at, date, attempt: 1, apnsID: apnsID, .expired))
      guard order.sender == "push-8" else { return }
      let again = Self.replay + Int64(order.number % 97) * 3 * UTC.second + random.below(UTC.second)
      rows.append(end(at: again, stamp: at, date, attempt: 2, apnsID: apnsID, .accepted))
      (endedAt, dismissalDate) = (again, max(again, date))
    } else {
      rows.append(end(at: at, stamp: at, date, attempt: 1, apnsID: apnsID, .accepted))
      (endedAt, dismissalDate) = (at, date)
    }
  }

  private func end(
    at: Int64, stamp: Int64, _ date: Int64, attempt: Int, apnsID: String, _ answer: Answer
  ) -> Row {
    var row = message("end", at: at, stamp: stamp, "delivered", UTC.clock(order.finish))
    row.add("dismissal-date", unix: date)
    answer.add(to: &row, attempt: attempt, apnsID: apnsID)
    return row
  }

  private func message(
    _ event: String, at: Int64, stamp: Int64, _ status: String, _ eta: String
  ) -> Row {
    var row = Row(event, at: at, recorder: order.sender)
    row.add("source", "push")
    row.add("token", order.token)
    row.add("key", order.key)
    row.add("timestamp", unix: stamp)
    row.add("content-state", json: order.content(status, eta))
    return row
  }

  private func alert(_ status: String) -> String {
    let title = status == "ready" ? "Ready at \(order.store)" : "On its way from \(order.store)"
    return "{\"title\":\"\(title)\",\"body\":\"Order \(order.key)\"}"
  }
}

extension Order {
  /// The content the card draws.
  func content(_ status: String, _ eta: String) -> String {
    "{\"status\":\"\(status)\",\"eta\":\"\(eta)\",\"store\":\"\(store)\",\"items\":[\(items)]}"
  }
}

/// What APNs said to one push.
private enum Answer {
  case accepted
  case expired
  case gone
  case unavailable

  func add(to row: inout Row, attempt: Int, apnsID: String) {
    row.add("apns-id", apnsID)
    row.add("attempt", json: attempt > 1 ? "\(attempt)" : nil)
    row.add("apns-priority", json: "10")
    switch self {
    case .accepted: row.add("status", json: "200")
    case .expired:
      row.add("status", json: "403")
      row.add("reason", "ExpiredProviderToken")
    case .gone:
      row.add("status", json: "410")
      row.add("reason", "Unregistered")
    case .unavailable:
      row.add("status", json: "503")
      row.add("reason", "ServiceUnavailable")
    }
  }
}

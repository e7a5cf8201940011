/// What a customer's phone itself wrote about a card.
struct Phone {
  private let card: Card
  private let order: Order
  private let activityID: String
  private(set) var rows: [Row] = []

  /// Nil where the log holds nothing from the order's phone.
  init?(_ card: Card) {
    guard let activityID = card.order.activityID else { return nil }
    (self.card, self.order, self.activityID) = (card, card.order, activityID)
    start()
    token()
    freshness()
    if case .swiped = order.fate { swipe() } else { ending() }
  }

  private func row(_ event: String, at: Int64) -> Row {
    var row = Row(event, at: at, recorder: order.device)
    row.add("activity-id", activityID)
    row.add("key", order.key)
    row.add("device", order.device)
    row.add("bundle-id", "com.example.brew")
    return row
  }

  private mutating func start() {
    var row = row("start", at: order.start)
    row.add("source", "app")
    row.add("build", order.build)
    row.add("os", order.device == "alice-phone" ? "26.1" : "18.6")
    row.add("attributes-type", order.kind.rawValue)
    row.add("attributes", json: "{\"order\":\"\(order.key)\",\"store\":\"\(order.store)\"}")
    row.add("content-state", json: order.content("preparing", UTC.clock(order.finish)))
    row.add("stale-date", unix: order.start + order.freshness)
    row.add("push-type", "token")
    rows.append(row)
  }

  private mutating func token() {
    var row = row("token", at: order.start + 810_000)
    row.add("token-kind", "update")
    row.add("token", order.token)
    rows.append(row)
  }

  private mutating func state(_ state: String, at: Int64) {
    var row = row("state", at: at)
    row.add("state", state)
    rows.append(row)
  }

  private mutating func dismiss(at: Int64, by: String) {
    var row = row("dismiss", at: at)
    row.add("by", by)
    rows.append(row)
  }

  /// Stale when a content's date passes before the next one arrives, active again with that.
  private mutating func freshness() {
    for (index, content) in card.contents.enumerated() {
      let next = index + 1 < card.contents.count ? card.contents[index + 1].at : nil
      guard content.staleDate < next ?? card.endedAt ?? card.goneAt ?? .max else { continue }
      state("stale", at: content.staleDate + 300_000)
      if let next { state("active", at: next + 700_000) }
    }
  }

  private mutating func swipe() {
    let last = card.contents.last?.at ?? order.start
    dismiss(at: last + 2 * UTC.minute + 17 * UTC.second, by: "person")
  }

  private mutating func ending() {
    if let endedAt = card.endedAt, let date = card.dismissalDate {
      // A dismissal date that has passed takes the card away with its end.
      if date > endedAt { state("ended", at: endedAt + 640_000) }
      dismiss(at: date + 900_000, by: "policy")
    } else {
      inventory(at: OrderBook.at(21, 0, 5))
      let limit = order.start + 8 * UTC.hour
      state("ended", at: limit + 2_150_000)
      dismiss(at: limit + 4 * UTC.hour + 900_000, by: "system")
    }
  }

  private mutating func inventory(at: Int64) {
    var row = Row("inventory", at: at, recorder: order.device)
    row.add("device", order.device)
    row.add("bundle-id", "com.example.brew")
    row.add("attributes-type", order.kind.rawValue)
    row.add("complete", json: "true")
    row.add("activities", json: "[{\"activity-id\":\"\(activityID)\",\"state\":\"stale\"}]")
    rows.append(row)
  }
}

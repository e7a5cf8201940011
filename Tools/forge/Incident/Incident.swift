/// The whole evening: every row in time order, and what was planted in it.
struct Incident {
  let lines: [String]
  let truth: IncidentTruth

  init() {
    let cards = OrderBook().orders.map(Card.init)
    var rows = cards.flatMap(\.rows) + cards.compactMap(Phone.init).flatMap(\.rows)
    rows += Self.refusedStart()
    let sorted = rows.enumerated().sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.map(\.1)
    lines = sorted.map(\.line)
    let refused = sorted.firstIndex {
      $0.line.contains("\"start\"") && $0.line.contains(Self.webKey)
    }
    truth = IncidentTruth(cards, lines: lines.count, refusedStart: (refused ?? -1) + 1)
  }

  static let webKey = "W-2001"

  /// An order placed on the web: its card would have been started by push, in the outage.
  private static func refusedStart() -> [Row] {
    let token = "sha256:" + Hex.text(SplitMix64.mix(0x2001), 16) + Hex.text(0xB2D1_77F0_2001, 16)
    var known = Row("token", at: OrderBook.at(16, 40, 12), recorder: "push-8")
    known.add("device", "phone-90be42")
    known.add("bundle-id", "com.example.brew")
    known.add("attributes-type", "DeliveryRun")
    known.add("token-kind", "start")
    known.add("token", token)
    let at = OrderBook.at(18, 21, 40)
    var start = Row("start", at: at, recorder: "push-8")
    start.add("source", "push")
    start.add("token", token)
    start.add("key", webKey)
    start.add("timestamp", unix: at)
    start.add("attributes-type", "DeliveryRun")
    start.add("attributes", json: "{\"order\":\"\(webKey)\",\"store\":\"Mill Lane\"}")
    start.add("content-state", json: "{\"status\":\"preparing\",\"eta\":\"19:05\"}")
    start.add("stale-date", unix: at + 20 * UTC.minute)
    start.add("alert", json: "{\"title\":\"Order received\",\"body\":\"Mill Lane has started\"}")
    start.add("apns-id", Hex.uuid(SplitMix64.mix(1), SplitMix64.mix(2)))
    start.add("status", json: "403")
    start.add("reason", "ExpiredProviderToken")
    var work = Row("work", at: OrderBook.at(19, 3), recorder: "orders")
    work.add("key", webKey)
    work.add("outcome", "finished")
    return [known, start, work]
  }
}

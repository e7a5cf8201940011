/// One card of the evening: what the order system planned, before anything went wrong.
struct Order {
  enum Kind: String {
    case coffee = "CoffeeOrder"
    case delivery = "DeliveryRun"
  }

  /// How the card's life is to end, apart from what the outage does to it.
  enum Fate {
    case served
    /// Cancelled in the shop: the server has no end for that, a bug of its own.
    case cancelled
    /// The person swiped the card away after `pushes` pushes; the next one is answered 410.
    case swiped(pushes: Int)
  }

  struct Step {
    var at: Int64
    var status: String
    var eta: String
    var alert: String?
  }

  var number: Int
  var kind: Kind
  var store: String
  var items: String
  var device: String
  var build: String
  var token: String
  /// Known only where a phone's own observations are in the log.
  var activityID: String?
  var start: Int64
  var steps: [Step]
  var finish: Int64
  var fate = Fate.served

  var key: String { number < 1000 ? "A-0\(number)" : "A-\(number)" }

  /// The two senders share the orders; only `push-8` keeps refused ends to send them again.
  var sender: String { number % 3 == 2 ? "push-8" : "push-7" }

  /// How long a content of this kind stays fresh.
  var freshness: Int64 { (kind == .coffee ? 12 : 20) * UTC.minute }

  /// The name the audit prints.
  var name: String { activityID ?? "token:" + token.dropFirst(7).prefix(12) }
}

/// All orders of the evening and the next morning, in the order they were placed.
struct OrderBook {
  static let midnight = UTC.days(year: 2026, month: 11, day: 20) * UTC.day
  static let aliceExample = 1042

  private(set) var orders: [Order] = []
  private var random = SplitMix64(seed: 0x1042)

  /// An instant of the first day, or with 24 and more hours of the second.
  static func at(_ hour: Int64, _ minute: Int64, _ second: Int64 = 0) -> Int64 {
    midnight + hour * UTC.hour + minute * UTC.minute + second * UTC.second
  }

  init() {
    place(15, in: Self.at(15, 2)..<Self.at(17, 15))
    place(27, in: Self.at(17, 15)..<Self.at(17, 50))
    orders.append(order(at: Self.at(17, 52, 3), lasting: 1028 * UTC.second, kind: .coffee))
    place(112, in: Self.at(17, 52, 30)..<Self.at(18, 38))
    place(204, in: Self.at(18, 41)..<Self.at(22, 10))
    place(6, in: Self.at(31, 20)..<Self.at(32, 40))
    assignPhones()
    assignFates()
  }

  private static let stores = ["Bridge Street", "Station Hall", "Mill Lane", "Old Harbour"]
  private static let drinks = [
    "Flat white", "Cortado", "Oat latte", "Filter, large", "Espresso tonic", "Chai, no sugar",
  ]
  private static let extras = [
    "Almond croissant", "Banana bread", "Cheese toastie", "Granola bowl", "Oat cookie",
  ]

  private mutating func place(_ count: Int64, in span: Range<Int64>) {
    let slot = (span.upperBound - span.lowerBound) / count
    for index in 0..<count {
      let start = span.lowerBound + index * slot + random.below(slot)
      // A run begun here would go half an hour without any content: coffees only.
      let quiet = start >= Self.at(17, 59) && start < Self.at(18, 21)
      let kind: Order.Kind = !quiet && random.chance(400) ? .delivery : .coffee
      let minutes = kind == .coffee ? random.within(12..<20) : random.within(34..<56)
      let lasting = minutes * UTC.minute + random.below(UTC.minute)
      orders.append(order(at: start, lasting: lasting, kind: kind))
    }
  }

  private mutating func order(at start: Int64, lasting: Int64, kind: Order.Kind) -> Order {
    let number = 1000 + orders.count
    let seed = random.next()
    let items = [
      Self.drinks[Int(random.below(6))], Self.extras[Int(random.below(5))],
    ]
    return Order(
      number: number, kind: kind, store: Self.stores[Int(random.below(4))],
      items: items.map { "\"\($0)\"" }.joined(separator: ","),
      device: "phone-" + Hex.text(seed >> 40, 6), build: random.chance(700) ? "413" : "412",
      token: "sha256:" + Hex.text(SplitMix64.mix(seed), 16) + Hex.text(seed, 16),
      start: start, steps: steps(from: start, lasting: lasting, kind: kind),
      finish: start + lasting)
  }

  private mutating func steps(from start: Int64, lasting: Int64, kind: Order.Kind) -> [Order.Step] {
    let course: [(Int64, String)] =
      kind == .coffee
      ? [(0, "preparing"), (400, "brewing"), (750, "ready")]
      : [
        (0, "preparing"), (140, "brewing"), (300, "on-the-way"), (460, "on-the-way"),
        (620, "on-the-way"), (780, "on-the-way"), (920, "on-the-way"),
      ]
    var last = ""
    return course.map { perMille, status in
      let jitter = UTC.second * random.within(2..<6) + random.below(UTC.second)
      let slip = (1000 - perMille) * random.below(4) / 1000 * UTC.minute
      let alert = status == last || status == "preparing" || status == "brewing" ? nil : status
      last = status
      return Order.Step(
        at: start + lasting / 1000 * perMille + jitter, status: status,
        eta: UTC.clock(start + lasting - slip), alert: alert)
    }
  }

  /// Two customers attached their phones' own observations.
  private mutating func assignPhones() {
    let mornings = orders.indices.suffix(6)
    for index in orders.indices {
      let isMorning = mornings.contains(index)
      let kind = orders[index].kind
      let outlasts = orders[index].finish > Card.outage.upperBound + 2 * UTC.minute
      switch orders[index].number {
      case Self.aliceExample: assign("alice-phone", index)
      case 1012: assign("ben-phone", index)
      case let number where isMorning: assign(number % 2 == 0 ? "alice-phone" : "ben-phone", index)
      case 1190...1199 where kind == .delivery && !owns("alice-phone", from: 1190):
        assign("alice-phone", index)
      case 1043...1070 where kind == .delivery && outlasts && !owns("ben-phone", from: 1043):
        assign("ben-phone", index)
      default: break
      }
    }
  }

  private func owns(_ phone: String, from number: Int) -> Bool {
    orders.contains {
      $0.device == phone && $0.number >= number && $0.number < number + 100
        && $0.number != Self.aliceExample
    }
  }

  private mutating func assign(_ phone: String, _ index: Int) {
    orders[index].device = phone
    orders[index].build = phone == "alice-phone" ? "413" : "412"
    orders[index].activityID =
      orders[index].number == Self.aliceExample
      ? "5E1C7A42-3F0B-4D6E-9A21-0B8E6F14A042" : Hex.uuid(random.next(), random.next())
  }

  private mutating func assignFates() {
    for index in orders.indices {
      switch orders[index].number {
      case 1012, 1205, 1260: orders[index].fate = .swiped(pushes: 2)
      case 1231, 1288: orders[index].fate = .swiped(pushes: orders[index].steps.count)
      case 1214, 1249, 1301: orders[index].fate = .cancelled
      default: break
      }
    }
  }
}

/// One activity of a generated log: its handles, and what the walk over it has done so far.
struct ModelDayCard {
  var id: String
  var tokens: [String]
  var key: String
  var device: String
  var type: String
  var channel: String?
  /// A card that only pushes know: no row carries its id until a token row joins it.
  var isByTokenOnly: Bool
  /// When its start was asked for, from which the twelve hours of a key and a channel count.
  var begun: Int64
  var now: Int64
  var lastTimestamp: Int64
  var apnsID = ""
  var attempt = 1
}

extension ModelDay {
  static let devices = ["phone-1", "phone-2", "phone-3"]
  static let types = ["Order", "Ride", "Match"]

  /// Adds a card and the rows of its whole life, and perhaps of a second one.
  mutating func addCard() {
    let index = cards.count
    let start = Self.begin + Int64(random.below(72 * 3600)) * ModelTime.second
    var card = ModelDayCard(
      id: uuid(), tokens: [token()], key: "K-\(random.below(6))", device: pick(Self.devices),
      type: pick(Self.types), channel: random.chance(30) ? "channel-\(random.below(3))" : nil,
      isByTokenOnly: random.chance(15), begun: start, now: start,
      lastTimestamp: start / ModelTime.second)
    // Now and then a token that another card has had: seen with two ids.
    if random.chance(10), index > 0 { card.tokens = [pick(cards).tokens[0]] }
    // Or one that is the start token of its device, by mistake.
    if random.chance(3) { card.tokens = [startToken(card)] }
    // Another card of the same order, or of the same device, about the same time.
    if random.chance(25), index > 0 { follow(pick(cards), &card) }
    if random.chance(35) { addPushToStart(&card) } else { addStart(&card) }
    for _ in 0..<(2 + random.below(12)) { addStep(&card) }
    if random.chance(25) {
      let gaps: [Int64] = [60, 3600, 32_400, 86_400, 86_401, 93_600]
      card.now += pick(gaps) * ModelTime.second
      addStart(&card)
      for _ in 0..<random.below(5) { addStep(&card) }
    }
    cards.append(card)
  }

  /// Moves the card's time on by one of the distances that decisions turn on.
  private mutating func pass(_ card: inout ModelDayCard) {
    let seconds: Int
    switch random.below(20) {
    case 0..<3: seconds = 0
    case 3..<6: seconds = 1 + random.below(20)
    case 6..<8: seconds = pick([119, 120, 121])
    case 8..<15: seconds = 30 + random.below(1800)
    case 15..<18: seconds = 1800 + random.below(3 * 3600)
    case 18: seconds = pick([4 * 3600, 8 * 3600, 8 * 3600 - 200, 8 * 3600 + 100])
    default: seconds = random.below(12 * 3600)
    }
    card.now += Int64(seconds) * ModelTime.second
    if random.chance(20) { card.now += Int64(random.below(1_000_000)) }
  }

  mutating func addStart(_ card: inout ModelDayCard) {
    switch random.below(10) {
    case 0..<5:
      var members = handles(card, byToken: false) + [("source", quoted("app"))]
      if random.chance(15) {
        let date = card.now / ModelTime.second + Int64(random.below(40 * 3600)) - 600
        members.append(("start-date", "\(date)"))
      }
      members += subscription(card) + content(&card)
      add("start", at: card.now, members)
      if random.chance(10) {
        // Another recorder saw the same start.
        let gaps: [Int64] = [0, 60, 120, 121]
        let later = card.now + pick(gaps) * ModelTime.second
        add("start", at: later, handles(card, byToken: false) + [("recorder", quoted("server"))])
      }
    case 5..<8: addPush("start", &card)
    case 8: addEvidence(&card)
    default: break
    }
  }

  private mutating func addStep(_ card: inout ModelDayCard) {
    pass(&card)
    switch random.below(100) {
    case 0..<26: addPush("update", &card)
    case 26..<34: addApp("update", &card)
    case 34..<41: addPush("end", &card)
    case 41..<45: addApp("end", &card)
    case 45..<50:
      let handles = handles(card, byToken: random.chance(50))
      add("alert", at: card.now, handles + [("alert", #"{"title":"x"}"#)] + answer())
    case 50..<62: addToken(&card)
    case 62..<79: addEvidence(&card)
    case 79..<82: addFailure(card)
    case 82..<84:
      add("vendor-\(random.below(3))", at: card.now, handles(card, byToken: random.chance(50)))
    case 84..<97: addKeyOrChannel(&card)
    default: addStart(&card)
    }
  }

  /// Handles and scope, usually incomplete, as one recorder knows them.
  mutating func handles(
    _ card: ModelDayCard, byToken: Bool
  ) -> [(name: String, text: String)] {
    var members: [(name: String, text: String)] = []
    if !byToken, !card.isByTokenOnly { members.append(("activity-id", quoted(card.id))) }
    if byToken || card.isByTokenOnly {
      members.append(("token", quoted(pick(card.tokens))))
      if random.chance(20) { members.append(("activity-id", quoted(card.id))) }
    }
    if random.chance(50) { members.append(("key", quoted(card.key))) }
    if random.chance(45) {
      let device = random.chance(5) ? pick(Self.devices) : card.device
      members.append(("device", quoted(device)))
    }
    if random.chance(15) { members.append(("bundle-id", quoted("com.example.app"))) }
    if random.chance(1) { members.append(("bundle-id", quoted("com.example.other"))) }
    if members.filter({ $0.name == "bundle-id" }).count > 1 { members.removeLast() }
    if random.chance(12) {
      members.append(("environment", quoted(random.chance(6) ? "sandbox" : "production")))
    }
    if random.chance(40) { members.append(("attributes-type", quoted(card.type))) }
    if random.chance(20) { members.append(("build", quoted("\(410 + random.below(4))"))) }
    return members
  }

  /// Content, stale date and alert, each perhaps.
  mutating func content(_ card: inout ModelDayCard) -> [(name: String, text: String)] {
    var members: [(name: String, text: String)] = []
    if random.chance(75) {
      let size = random.chance(3) ? 4080 + random.below(16) : random.below(40)
      let text = String(repeating: "x", count: size)
      members.append(("content-state", #"{"s":"\#(text)"}"#))
    }
    if random.chance(40) {
      let date = card.now / ModelTime.second + Int64(random.below(3 * 3600)) - 1200
      members.append(("stale-date", random.chance(20) ? "\(date).5" : "\(date)"))
    }
    if random.chance(25) { members.append(("alert", #"{"title":"t","body":"b"}"#)) }
    return members
  }

  mutating func timestamp(_ card: inout ModelDayCard) -> [(name: String, text: String)] {
    let now = card.now / ModelTime.second
    let value: Int64
    switch random.below(20) {
    case 0..<6: return []
    case 6..<12: value = now
    case 12..<14: value = card.lastTimestamp
    case 14..<17: value = card.lastTimestamp - 1 - Int64(random.below(900))
    case 17: value = now + 8 * 3600 + Int64(random.below(3)) - 1
    case 18: value = now * 1000
    default: value = now + Int64(random.below(600))
    }
    if value < now * 10 { card.lastTimestamp = max(card.lastTimestamp, value) }
    return [("timestamp", "\(value)")]
  }

  mutating func dismissal(_ card: ModelDayCard) -> [(name: String, text: String)] {
    let now = card.now / ModelTime.second
    switch random.below(8) {
    case 0: return [("dismissal-policy", quoted("immediate"))]
    case 1: return [("dismissal-policy", quoted("default"))]
    case 2:
      let date = now + Int64(random.below(6 * 3600))
      return [("dismissal-policy", quoted("after")), ("dismissal-date", "\(date)")]
    case 3: return [("dismissal-date", "\(now - Int64(random.below(100)))")]
    case 4: return [("dismissal-date", "\(now + Int64(random.below(8 * 3600)))")]
    case 5: return [("end-reason", quoted("cancelled"))]
    default: return []
    }
  }

  private mutating func addApp(_ event: String, _ card: inout ModelDayCard) {
    var members = handles(card, byToken: false)
    members.append(("source", quoted(pick(["app", "app", "intent", "system", "person"]))))
    if random.chance(50) { members.append(("recorder", quoted(card.device))) }
    members += timestamp(&card) + content(&card)
    if event == "end" { members += dismissal(card) }
    add(event, at: card.now, members)
    if random.chance(20) { addAgain(event, card, members) }
  }

  mutating func addPush(_ event: String, _ card: inout ModelDayCard) {
    var members = handles(card, byToken: random.chance(70))
    if random.chance(60) { members.append(("source", quoted("push"))) }
    if random.chance(50) { members.append(("recorder", quoted("server"))) }
    members += timestamp(&card) + content(&card)
    if event == "start" { members += subscription(card) }
    if event == "start", random.chance(70), !members.contains(where: { $0.name == "alert" }) {
      members.append(("alert", "{}"))
    }
    if event == "end" { members += dismissal(card) }
    if random.chance(4) { members.append(("bytes", "\(pick([4096, 4097, 5121]))")) }
    switch random.below(10) {
    case 0..<4: members += answer()
    case 4..<8:
      if random.chance(70) || card.apnsID.isEmpty {
        card.apnsID = uuid()
        card.attempt = 1
      } else {
        card.attempt += 1
      }
      members.append(("apns-id", quoted(card.apnsID)))
      if random.chance(50) { members.append(("attempt", "\(card.attempt)")) }
      add(event, at: card.now, members)
      for _ in 0..<(random.below(4) == 0 ? 2 : 1) where random.chance(85) { addResponse(card) }
      return
    default: break
    }
    add(event, at: card.now, members)
    if random.chance(20) { addAgain(event, card, members) }
    if random.chance(15) { addHandleResponse(card, like: members) }
  }

  mutating func answer() -> [(name: String, text: String)] {
    guard random.chance(80) else { return [] }
    let status = pick([200, 200, 200, 200, 200, 200, 200, 400, 410, 410, 429, 500])
    return [("status", "\(status)")] + (status == 200 ? [] : [("reason", quoted("Refused"))])
  }

  private mutating func addResponse(_ card: ModelDayCard) {
    var members = [(name: "apns-id", text: quoted(card.apnsID))]
    if random.chance(50) { members.append(("attempt", "\(card.attempt)")) }
    let late = random.chance(20) ? random.below(7200) : random.below(3)
    let at = card.now + Int64(late) * ModelTime.second
    if random.chance(12) {
      let operation = quoted(pick(["send", "connect", "sign", "request"]))
      add("failure", at: at, members + [("operation", operation)])
    } else {
      add("response", at: at, members + answer())
    }
  }

  /// An answer without apns-id, by the push's own handle and recorder.
  private mutating func addHandleResponse(
    _ card: ModelDayCard, like push: [(name: String, text: String)]
  ) {
    let kept = push.filter { ["activity-id", "token", "recorder"].contains($0.name) }
    let at = card.now + Int64(random.below(30)) * ModelTime.second
    add("response", at: at, kept + answer())
  }
}

extension ModelDay {
  /// Acts and evidence that name no activity, only a key or a channel.
  mutating func addKeyOrChannel(_ card: inout ModelDayCard) {
    let isByChannel = random.chance(card.channel == nil ? 10 : 60)
    var members: [(name: String, text: String)] = [
      isByChannel ? ("channel", quoted(card.channel ?? "channel-9")) : ("key", quoted(card.key))
    ]
    let handle = members
    if isByChannel, random.chance(10) { members.append(("key", quoted(card.key))) }
    // What narrows the cards it reaches.
    if random.chance(20) {
      members.append(("device", quoted(random.chance(70) ? card.device : pick(Self.devices))))
    }
    if random.chance(10) {
      members.append(("environment", quoted(pick(["sandbox", "production"]))))
    }
    if random.chance(20) { members.append(("build", quoted("\(410 + random.below(4))"))) }
    if random.chance(15) { members.append(("attributes-type", quoted(pick(Self.types)))) }
    if random.chance(40) { members.append(("recorder", quoted("server"))) }
    if !isByChannel, random.chance(25) {
      addKeyEvidence(card, members)
      return
    }
    let event = pick(["update", "update", "update", "update", "start", "end", "end", "alert"])
    if isByChannel {
      members.append(("source", quoted("broadcast")))
      if random.chance(10) { members.append(("bytes", "\(pick([5120, 5121]))")) }
    } else if random.chance(60) {
      members.append(("source", quoted(pick(["push", "push", "app", "system"]))))
    }
    members += event == "alert" ? [("alert", "{}")] : timestamp(&card) + content(&card)
    if event == "end" { members += dismissal(card) }
    if event == "start", random.chance(60), !members.contains(where: { $0.name == "alert" }) {
      members.append(("alert", "{}"))
    }
    if random.chance(20) { members.append(("apns-id", quoted(uuid()))) }
    if random.chance(30) { members += answer() }
    add(event, at: card.now, members)
    if random.chance(25) { addAgain(event, card, members) }
    if random.chance(15) {
      add("response", at: card.now + ModelTime.second, handle + [("status", "400")])
    }
    if random.chance(5) {
      add("failure", at: card.now, handle + [("operation", quoted("decode"))])
    }
  }

  /// What somebody saw of an order's card without saying which card it is.
  private mutating func addKeyEvidence(
    _ card: ModelDayCard, _ members: [(name: String, text: String)]
  ) {
    switch random.below(8) {
    case 0: add("dismiss", at: card.now, members + [("by", quoted(pick(["person", "system"])))])
    case 1..<3: add("stale", at: card.now, members)
    default:
      let words = ["active", "active", "active", "stale", "pending", "ended", "dismissed", "odd"]
      var members = members + [(name: "state", text: quoted(pick(words)))]
      if random.chance(40) { members.append(("content-state", #"{"seen":true}"#)) }
      add("state", at: card.now, members)
    }
  }

  /// A row by key or channel around the twelve hours in which it reaches an earlier card.
  mutating func addLateFanOut() {
    var card = pick(cards)
    let after: [Int64] = [0, 60, 5400, 20_000, 43_199, 43_200, 43_201, 86_400, -1]
    card.now = card.begun + pick(after) * ModelTime.second
    addKeyOrChannel(&card)
  }
}

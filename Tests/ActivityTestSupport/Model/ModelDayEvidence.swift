extension ModelDay {
  /// A token row of any kind; it may join, replace, or do both.
  mutating func addToken(_ card: inout ModelDayCard) {
    var members: [(name: String, text: String)] = []
    if random.chance(8) {
      members = [
        ("token", quoted(random.chance(50) ? startToken(card) : token())),
        ("token-kind", quoted(pick(["start", "device"]))),
        ("device", quoted(card.device)),
      ]
      if random.chance(30) { members.append(("activity-id", quoted(card.id))) }
      add("token", at: card.now, members)
      return
    }
    let old = card.tokens[card.tokens.count - 1]
    if random.chance(35) {
      card.tokens.append(token())
      if random.chance(60) { members.append(("replaces", quoted(old))) }
    }
    members.append(("token", quoted(card.tokens[card.tokens.count - 1])))
    if random.chance(70) { members.append(("activity-id", quoted(card.id))) }
    if random.chance(60) { members.append(("token-kind", quoted("update"))) }
    if random.chance(50) { members.append(("device", quoted(card.device))) }
    if random.chance(50) { members.append(("recorder", quoted(card.device))) }
    add("token", at: card.now, members)
  }

  /// What a device saw of one card.
  mutating func addEvidence(_ card: inout ModelDayCard) {
    var members = handles(card, byToken: random.chance(15))
    members.append(("recorder", quoted(card.device)))
    switch random.below(10) {
    case 0..<5:
      let words = [
        "active", "active", "active", "stale", "ended", "dismissed", "pending", "Active", "paused",
      ]
      members.append(("state", quoted(pick(words))))
      if random.chance(40) { members.append(("content-state", #"{"seen":true}"#)) }
      if random.chance(25) {
        let date = card.now / ModelTime.second + Int64(random.below(3600)) - 600
        members.append(("stale-date", "\(date)"))
      }
      add("state", at: card.now, members)
    case 5: add("stale", at: card.now, members)
    case 6:
      let by = quoted(pick(["person", "policy", "system", "unknown"]))
      add("dismiss", at: card.now, members + [("by", by)])
    default: addInventory(card)
    }
  }

  mutating func addFailure(_ card: ModelDayCard) {
    var members = handles(card, byToken: random.chance(30))
    if random.chance(30), !card.apnsID.isEmpty {
      members.append(("apns-id", quoted(card.apnsID)))
    }
    if random.chance(30) { members.append(("recorder", quoted("server"))) }
    let operation = pick(["decode", "decode", "decode", "send", "request"])
    add("failure", at: card.now, members + [("operation", quoted(operation))])
  }

  /// What a launch of the app finds on one device, some cards left out or not complete.
  mutating func addInventory(_ card: ModelDayCard) {
    var members: [(name: String, text: String)] = []
    let named = random.chance(75)
    if named { members.append(("device", quoted(card.device))) }
    if random.chance(60) { members.append(("recorder", quoted(card.device))) }
    let type = random.chance(40) ? card.type : nil
    if let type { members.append(("attributes-type", quoted(type))) }
    if random.chance(20) { members.append(("bundle-id", quoted("com.example.app"))) }
    if random.chance(10) { members.append(("environment", quoted("production"))) }
    let near = cards.filter {
      $0.device == card.device && abs($0.now - card.now) < 12 * ModelTime.hour
        && (type == nil || $0.type == type)
    }
    var entries: [String] = []
    for other in near + [card] where random.chance(60) {
      let state = pick(["active", "active", "stale", "ended", "dismissed"])
      let tail = random.chance(30) ? "" : #","state":"\#(state)""#
      entries.append(#"{"activity-id":"\#(other.id)"\#(tail)}"#)
    }
    members.append(("activities", "[\(entries.joined(separator: ","))]"))
    if random.chance(45) { members.append(("complete", "true")) }
    add("inventory", at: card.now, members)
  }

  /// Events that speak of a device, a recorder or an order, not of one card.
  mutating func addGlobal() {
    let card = pick(cards)
    let at = card.now - Int64(random.below(6 * 3600)) * ModelTime.second
    switch random.below(8) {
    case 0:
      var members: [(name: String, text: String)] = [("enabled", pick(["false", "false", "true"]))]
      if random.chance(70) { members.append(("device", quoted(card.device))) }
      if random.chance(50) { members.append(("bundle-id", quoted("com.example.app"))) }
      members.append(("recorder", quoted(card.device)))
      add("authorization", at: at, members)
    case 1:
      add(
        "coverage", at: at,
        [("recorder", quoted(card.device)), ("lost", "3"), ("why", quoted("dropped"))])
    case 2:
      add("work", at: at, [("key", quoted(card.key)), ("outcome", quoted("finished"))])
    case 3:
      add(
        "channel", at: at, [("channel", quoted("channel-1")), ("operation", quoted("create"))])
    case 4: add("vendor-heartbeat", at: at, [("beat", "1")])
    default:
      var moved = card
      moved.now = at
      addInventory(moved)
    }
  }
}

extension ModelDay {
  /// One of the two start tokens that a device has had, the same in every log.
  mutating func startToken(_ card: ModelDayCard) -> String {
    let digit = (Self.devices.firstIndex(of: card.device) ?? 0) * 2 + (random.chance(75) ? 0 : 1)
    return "sha256:" + String(repeating: "\(digit)", count: 32)
  }

  /// Makes a card begin near another one, often of its order, its device or its type.
  mutating func follow(_ other: ModelDayCard, _ card: inout ModelDayCard) {
    if random.chance(70) { card.key = other.key }
    if random.chance(50) { card.device = other.device }
    if random.chance(50) { card.type = other.type }
    let gaps: [Int64] = [0, 1, 60, 120, 600, 3600, 43_200, 43_201]
    card.now = other.begun + pick(gaps) * ModelTime.second
    card.begun = card.now
    card.lastTimestamp = card.now / ModelTime.second
  }

  /// A start by push to a device's start token, its attempts, and what the device shows of it.
  mutating func addPushToStart(_ card: inout ModelDayCard) {
    let token = startToken(card)
    if random.chance(60) { announce(token, card) }
    var members = pushToStart(card, token: token)
    members += timestamp(&card) + subscription(card) + content(&card)
    if random.chance(85), !members.contains(where: { $0.name == "alert" }) {
      members.append(("alert", "{}"))
    }
    if random.chance(10) {
      let date = card.now / ModelTime.second + Int64(random.below(30 * 3600)) - 600
      members.append(("start-date", "\(date)"))
    }
    addAttempts(card, members)
    showClaimed(&card)
  }

  /// The handles of a push-to-start: its token and what its sender knows.
  private mutating func pushToStart(
    _ card: ModelDayCard, token: String
  ) -> [(name: String, text: String)] {
    var members = [(name: "token", text: quoted(token))]
    if random.chance(70) { members.append(("key", quoted(card.key))) }
    if random.chance(70) { members.append(("attributes-type", quoted(card.type))) }
    if random.chance(30) { members.append(("device", quoted(card.device))) }
    if random.chance(10) { members.append(("environment", quoted("production"))) }
    if random.chance(10) { members.append(("bundle-id", quoted("com.example.app"))) }
    if random.chance(60) { members.append(("source", quoted("push"))) }
    if random.chance(50) { members.append(("recorder", quoted("server"))) }
    return members
  }

  /// A `token` row of kind `start`, around the 36 hours for which it tells the device.
  private mutating func announce(_ token: String, _ card: ModelDayCard) {
    var members = [(name: "token", text: quoted(token)), ("token-kind", quoted("start"))]
    if random.chance(92) { members.append(("device", quoted(card.device))) }
    if random.chance(50) { members.append(("recorder", quoted(card.device))) }
    let before: [Int64] = [0, 1, 600, 36_000, 129_600, 129_601, -1]
    add("token", at: card.now - pick(before) * ModelTime.second, members)
  }

  /// The start itself, alone or tried again under the same apns-id or the same timestamp.
  private mutating func addAttempts(
    _ card: ModelDayCard, _ members: [(name: String, text: String)]
  ) {
    let id = random.chance(60) ? [(name: "apns-id", text: quoted(uuid()))] : []
    var at = card.now
    var tries = random.chance(40) ? 2 + random.below(2) : 1
    while tries > 0 {
      var row = members + id
      // Now and then a retry says less than the first, and one has an id of its own.
      if at > card.now, random.chance(8) { row.removeAll { $0.name == "key" } }
      if at > card.now, random.chance(8) { row.removeAll { $0.name == "apns-id" } }
      let status = pick(["", "200", "200", "400", "410", "429", "500", "500"])
      let answered = random.chance(30) && !id.isEmpty
      if !status.isEmpty, !answered { row.append(("status", status)) }
      add("start", at: at, row)
      if answered, !status.isEmpty {
        add("response", at: at + ModelTime.second, id + [("status", status)])
      }
      at += pick([0, 1, 30, 900]) * ModelTime.second
      tries -= 1
    }
  }

  /// The first row of the card's own, around the distances within which it may be claimed.
  private mutating func showClaimed(_ card: inout ModelDayCard) {
    guard random.chance(85) else { return }
    let after: [Int64] = [0, 1, 5, 20, 60, 119, 120, 121, 900, 5400, 43_200, 43_201, -1]
    card.now += pick(after) * ModelTime.second
    switch random.below(10) {
    case 0..<6:
      var members = handles(card, byToken: false)
      for (name, text) in [
        ("key", card.key), ("device", card.device), ("attributes-type", card.type),
      ]
      where random.chance(60) && !members.contains(where: { $0.name == name }) {
        members.append((name, quoted(text)))
      }
      add("state", at: card.now, members + [("state", quoted("active"))])
    case 6..<8: addToken(&card)
    case 8: addPush("update", &card)
    default: addStart(&card)
    }
  }

  /// The channel that a start subscribes its card to, under either name.
  mutating func subscription(_ card: ModelDayCard) -> [(name: String, text: String)] {
    guard let channel = card.channel else { return [] }
    return [(random.chance(50) ? "channel" : "input-push-channel", quoted(channel))]
  }

  /// The same act again: as another recorder saw it, or tried again by the same sender.
  mutating func addAgain(
    _ event: String, _ card: ModelDayCard, _ members: [(name: String, text: String)]
  ) {
    var row = members
    if random.chance(60) {
      row.removeAll { ["recorder", "apns-id", "attempt"].contains($0.name) }
      row.append(("recorder", quoted(pick(["witness", "server", card.device]))))
    }
    if random.chance(60) { row.removeAll { $0.name == "status" || $0.name == "reason" } }
    // One part that differs makes it another act.
    if random.chance(25) {
      let part = pick(["alert", "stale-date", "source", "timestamp", "content-state"])
      row.removeAll { $0.name == part }
    }
    add(event, at: card.now + pick([0, 1, 3, 90]) * ModelTime.second, row)
  }
}

/// What good apps and senders do; `more` says what a story does otherwise.
extension Plot {
  /// How long a content stays fresh.
  static let fresh = 40.minutes

  private func onDevice(_ card: StoryCard) -> StoryRow.Members {
    ["activity-id": "\(card.id)", "device": "\(card.device)", "bundle-id": "\(card.bundle)"]
  }

  /// Content number `step`; 99 is the last one.
  static func content(_ step: Int) -> StoryValue {
    .raw("{\"stop\":\(step),\"status\":\"\(step == 99 ? "delivered" : "on the way")\"}")
  }

  private func described(_ card: StoryCard) -> StoryRow.Members {
    [
      "build": "\(card.build)", "attributes-type": "\(card.type)",
      "attributes": .raw("{\"order\":\"\(card.key)\"}"),
    ]
  }

  /// The app starts it; nobody is to push to it.
  mutating func begin(_ card: StoryCard, _ at: Int64, _ more: StoryRow.Members...) {
    line(
      "start", at, card.phone,
      [
        onDevice(card), ["source": "app", "key": "\(card.key)"], described(card),
        ["content-state": Plot.content(0), "stale-date": .unix(at + Plot.fresh)],
      ] + more)
  }

  /// The app starts it, and its token comes a second later.
  mutating func start(_ card: StoryCard, _ at: Int64, _ more: StoryRow.Members = [:]) {
    begin(card, at, ["push-type": "token"], more)
    token(card, at + 1.seconds)
  }

  mutating func token(_ card: StoryCard, _ at: Int64, _ more: StoryRow.Members = [:]) {
    line(
      "token", at, card.phone,
      [
        onDevice(card),
        ["key": "\(card.key)", "token-kind": "update", "token": "\(card.token)"], more,
      ])
  }

  private mutating func headers(_ at: Int64, priority: Int64, _ bundle: String) -> StoryRow.Members
  {
    [
      "apns-id": "\(push())", "apns-topic": "\(bundle).push-type.liveactivity",
      "apns-push-type": "liveactivity", "apns-priority": .number(priority),
      "apns-expiration": .unix(at + 1.hours), "status": 200,
    ]
  }

  /// A start by push that the device shows: `shown` adds the token of the card it became.
  @discardableResult
  mutating func pushStart(
    _ card: StoryCard, _ at: Int64, shown: Bool = true, _ more: StoryRow.Members = [:]
  ) -> Int {
    let named: StoryRow.Members = shown ? ["activity-id": "\(card.id)"] : [:]
    let place = line(
      "start", at, card.sender,
      [
        named,
        [
          "source": "push", "token": "\(token("start \(card.device)"))", "key": "\(card.key)",
          "device": "\(card.device)", "bundle-id": "\(card.bundle)", "timestamp": .unix(at),
          "alert": .raw("{\"title\":\"On its way\",\"body\":\"\"}"),
          "content-state": Plot.content(0), "stale-date": .unix(at + Plot.fresh),
        ], described(card), headers(at, priority: 10, card.bundle), more,
      ])
    if shown { token(card, at + 3.seconds) }
    return place
  }

  @discardableResult
  mutating func update(
    _ card: StoryCard, _ at: Int64, _ step: Int, _ more: StoryRow.Members...
  ) -> Int {
    pushed(
      "update", card, at, priority: 5,
      [["content-state": Plot.content(step), "stale-date": .unix(at + Plot.fresh)]] + more)
  }

  /// An update that rings.
  mutating func ring(_ card: StoryCard, _ at: Int64, _ step: Int, _ more: StoryRow.Members = [:]) {
    update(card, at, step, ["alert": Plot.alert, "apns-priority": 10], more)
  }

  /// An alert that comes alone.
  mutating func alone(_ card: StoryCard, _ at: Int64, _ more: StoryRow.Members = [:]) {
    line(
      "alert", at, card.sender,
      [
        [
          "source": "push", "token": "\(card.token)", "key": "\(card.key)", "alert": Plot.alert,
        ], headers(at, priority: 10, card.bundle), more,
      ])
  }

  private mutating func pushed(
    _ event: String, _ card: StoryCard, _ at: Int64, priority: Int64, _ more: [StoryRow.Members]
  ) -> Int {
    line(
      event, at, card.sender,
      [
        [
          "source": "push", "token": "\(card.token)", "key": "\(card.key)",
          "timestamp": .unix(at),
        ], headers(at, priority: priority, card.bundle),
      ] + more)
  }

  static let alert = StoryValue.raw("{\"title\":\"Nearly there\",\"body\":\"Two stops\"}")

  /// The sender ends it, with its last words, to be gone in a quarter of an hour.
  @discardableResult
  mutating func end(_ card: StoryCard, _ at: Int64, _ more: StoryRow.Members = [:]) -> Int {
    pushed(
      "end", card, at, priority: 10,
      [["content-state": Plot.content(99), "dismissal-date": .unix(at + 15.minutes)], more])
  }

  /// The app updates it itself.
  mutating func appUpdate(
    _ card: StoryCard, _ at: Int64, _ step: Int, _ more: StoryRow.Members = [:]
  ) {
    line(
      "update", at, card.phone,
      [
        onDevice(card),
        [
          "source": "app", "content-state": Plot.content(step),
          "stale-date": .unix(at + Plot.fresh),
        ], more,
      ])
  }

  mutating func appEnd(_ card: StoryCard, _ at: Int64, _ more: StoryRow.Members = [:]) {
    line(
      "end", at, card.phone,
      [
        onDevice(card),
        [
          "source": "app", "key": "\(card.key)", "content-state": Plot.content(99),
          "dismissal-policy": "after", "dismissal-date": .unix(at + 15.minutes),
        ], more,
      ])
  }

  /// The device shows it in a state.
  mutating func show(
    _ card: StoryCard, _ at: Int64, _ state: String, _ more: StoryRow.Members = [:]
  ) {
    line("state", at, card.phone, [onDevice(card), ["state": "\(state)"], more])
  }

  mutating func dismiss(_ card: StoryCard, _ at: Int64, by: String) {
    line("dismiss", at, card.phone, [onDevice(card), ["by": "\(by)"]])
  }

  mutating func inventory(_ card: StoryCard, _ at: Int64, _ listed: [StoryCard]) {
    let entries = listed.map { "{\"activity-id\":\"\($0.id)\",\"state\":\"active\"}" }
    line(
      "inventory", at, card.phone,
      [
        [
          "device": "\(card.device)", "bundle-id": "\(card.bundle)",
          "attributes-type": "\(card.type)", "complete": true,
          "activities": .raw("[" + entries.joined(separator: ",") + "]"),
        ]
      ])
  }

  /// What became of the order itself.
  mutating func work(_ card: StoryCard, _ at: Int64, _ outcome: String) {
    line("work", at, "order-book", [["key": "\(card.key)", "outcome": "\(outcome)"]])
  }

  /// What the device allows.
  mutating func allow(_ card: StoryCard, _ at: Int64, enabled: Bool, frequent: Bool = true) {
    line(
      "authorization", at, card.phone,
      [
        [
          "device": "\(card.device)", "bundle-id": "\(card.bundle)",
          "enabled": .raw("\(enabled)"), "frequent": .raw("\(frequent)"),
        ]
      ])
  }

  /// ActivityKit or a daemon refused something.
  mutating func failure(
    _ card: StoryCard, _ at: Int64, _ operation: String, _ more: StoryRow.Members = [:]
  ) {
    line(
      "failure", at, card.phone,
      [
        [
          "operation": "\(operation)", "device": "\(card.device)", "bundle-id": "\(card.bundle)",
          "attributes-type": "\(card.type)", "build": "\(card.build)",
        ], more,
      ])
  }

  /// A life as it should be: two updates and an end within 25 minutes.
  mutating func goodLife(_ card: StoryCard, _ at: Int64) {
    start(card, at)
    update(card, at + 8.minutes, 1)
    update(card, at + 16.minutes, 2)
    end(card, at + 25.minutes)
  }
}

/// Broadcast channels: what they were sent, and what was forgotten.
extension StoryKind {
  static let channels: [StoryKind] = [
    StoryKind(4..<7, misuse),
    StoryKind(2..<4, hours: leakHours, endMissing),
    StoryKind(2..<4, hours: -3 ..< -1, leaked),
  ]

  /// An expiration where nothing is stored; a channel nobody knows; one that is deleted; a start.
  private static func misuse(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Misuse")
    let channel = "channel-\(card.number)"
    plot.channel(channel, start, "create", card, ["message-storage-policy": 0])
    switch number % 4 {
    case 0:
      plot.broadcast(
        "update", channel, start + 5.minutes, card,
        [
          "apns-expiration": .unix(start + 2.hours), "status": 400,
          "reason": "BadExpirationDate",
        ])
    case 1:
      plot.broadcast(
        "update", channel, start + 5.minutes, card,
        ["status": 400, "reason": "ChannelNotRegistered"])
    case 2: break
    default:
      plot.broadcast(
        "start", channel, start + 5.minutes, card,
        ["alert": Plot.alert, "status": 400, "reason": "BadRequest"])
    }
    plot.broadcast("update", channel, start + 10.minutes, card)
    plot.broadcast("end", channel, start + 20.minutes, card)
    plot.channel(channel, start + 30.minutes, "delete", card)
    if number % 4 == 2 {
      plot.broadcast(
        "update", channel, start + 40.minutes, card, ["status": 400, "reason": "BadRequest"])
    }
    plot.find("broadcast-misuse")
  }

  /// The match is over, and nobody tells the two cards that listen; or an audience nobody knows.
  private static func endMissing(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Match")
    let channel = "channel-\(first.number)"
    plot.channel(channel, start, "create", first, ["message-storage-policy": 1])
    if number % 2 == 0 {
      for place in 0..<2 {
        var card = place == 0 ? first : plot.another(first)
        card.key = first.key
        plot.begin(
          card, start + (1 + place).minutes,
          [
            "push-type": "channel", "channel": "\(channel)",
            "stale-date": .unix(start + 10.hours),
          ])
        plot.find("never-ended", card)
      }
    }
    plot.broadcast(
      "update", channel, start + 10.minutes, first, ["stale-date": .unix(start + 10.hours)])
    plot.work(first, start + 50.minutes, "finished")
    plot.channel(channel, start + 4.hours, "delete", first)
    plot.find("broadcast-end-missing")
  }

  /// Yesterday's channel: its work is over for more than a day, and it is still there.
  private static func leaked(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Forgotten")
    let channel = "channel-\(card.number)"
    plot.channel(channel, start, "create", card, ["message-storage-policy": 1])
    let done = plot.day - 20.minutes
    if number % 2 == 0 {
      plot.broadcast("update", channel, start + 10.minutes, card)
      plot.broadcast("end", channel, done - 5.minutes, card)
      plot.work(card, done - 6.minutes, "finished")
    } else {
      plot.work(card, done, "cancelled")
    }
    plot.find("channel-leaked")
  }
}

extension Plot {
  mutating func channel(
    _ channel: String, _ at: Int64, _ operation: String, _ card: StoryCard,
    _ more: StoryRow.Members = [:]
  ) {
    line(
      "channel", at, card.sender,
      [["channel": "\(channel)", "key": "\(card.key)", "operation": "\(operation)"], more])
  }

  /// One push to everybody who listens.
  mutating func broadcast(
    _ event: String, _ channel: String, _ at: Int64, _ card: StoryCard,
    _ more: StoryRow.Members = [:]
  ) {
    let fresh = event == "end" ? StoryValue(nilLiteral: ()) : .unix(at + Plot.fresh)
    line(
      event, at, card.sender,
      [
        [
          "source": "broadcast", "channel": "\(channel)", "key": "\(card.key)",
          "timestamp": .unix(at), "content-state": Plot.content(event == "end" ? 99 : 1),
          "stale-date": fresh, "apns-id": "\(push())", "apns-push-type": "liveactivity",
          "apns-priority": 10, "apns-expiration": 0, "status": 200,
        ], more,
      ])
  }
}

/// Habits of a sender: what it puts into its requests.
extension StoryKind {
  static let senders: [StoryKind] = [
    StoryKind(3..<6, wrongTopic),
    StoryKind(2..<4, priorities),
    StoryKind(2..<4, oneShot),
    StoryKind(2..<4, retries),
    StoryKind(3..<5, malformed),
    StoryKind(4..<6, sensitive),
    StoryKind(2..<4, skew),
  ]

  /// The topic of ordinary notifications, refused or not; the push type of alerts.
  private static func wrongTopic(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Topic")
    plot.start(card, start)
    plot.update(card, start + 5.minutes, 1)
    let at = start + 10.minutes
    switch number % 3 {
    case 0:
      let push = plot.push()
      let same: StoryRow.Members = [
        "apns-id": "\(push)", "timestamp": .unix(at), "stale-date": .unix(at + 40.minutes),
      ]
      plot.update(
        card, at, 2, same, ["apns-topic": "\(card.bundle)", "status": 400, "reason": "BadTopic"])
      plot.update(card, at + 4.seconds, 2, same, ["attempt": 2])
    case 1: plot.update(card, at, 2, ["apns-topic": "\(card.bundle)"])
    default: plot.update(card, at, 2, ["apns-push-type": "alert"])
    }
    plot.end(card, start + 20.minutes)
    plot.find("wrong-topic-or-push-type")
  }

  /// Alerts that may wait; silent news that may not.
  private static func priorities(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Priority")
    plot.start(card, start)
    for step in 1...4 {
      let at = start + (step * 6).minutes
      if number % 2 == 0 {
        plot.ring(card, at, step, ["apns-priority": 5])
      } else {
        plot.update(card, at, step, ["apns-priority": 10])
      }
    }
    plot.end(card, start + 30.minutes)
    plot.find("priority-mismatch")
  }

  /// Ends, and starts, that APNs tries once.
  private static func oneShot(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Once")
    for place in 0..<4 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + (place * 4).minutes
      if number % 2 == 0 {
        plot.start(card, at)
        plot.update(card, at + 6.minutes, 1)
        plot.end(card, at + 15.minutes, ["apns-expiration": 0])
      } else {
        plot.pushStart(card, at, ["apns-expiration": 0])
        plot.update(card, at + 6.minutes, 1)
        plot.end(card, at + 15.minutes)
      }
    }
    plot.find("one-shot-push")
  }

  /// One update tried seven times; one answered with a request to wait.
  private static func retries(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Again")
    plot.start(card, start)
    let at = start + 8.minutes
    let push = plot.push()
    let same: StoryRow.Members = [
      "apns-id": "\(push)", "timestamp": .unix(at), "stale-date": .unix(at + 40.minutes),
    ]
    let attempts = number % 2 == 0 ? 7 : 2
    for attempt in 1...attempts {
      let isLast = attempt == attempts
      plot.update(
        card, at + (attempt * 9).seconds, 1, same,
        ["attempt": .number(Int64(attempt)), "status": isLast ? 200 : number % 2 == 0 ? 500 : 429],
        isLast
          ? [:] : ["reason": number % 2 == 0 ? "InternalServerError" : "TooManyRequests"])
    }
    plot.end(card, start + 25.minutes)
    plot.find("retry-storm")
  }

  /// A member under another library's name; a start that names no type; a timestamp left out once.
  private static func malformed(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Misspelt")
    switch number % 3 {
    case 0:
      plot.start(card, start)
      for step in 1...4 {
        plot.update(
          card, start + (step * 5).minutes, step,
          ["content-state": nil, "contentState": Plot.content(step)])
      }
    case 1:
      plot.pushStart(card, start, ["attributes-type": nil])
      plot.update(card, start + 10.minutes, 1)
    default:
      plot.start(card, start)
      for step in 1...6 {
        plot.update(
          card, start + (step * 4).minutes, step, step == 3 ? ["timestamp": nil] : [:])
      }
    }
    plot.end(card, start + 28.minutes)
    plot.find("malformed-payload")
  }

  /// An e-mail address, a phone number, a raw token, a card number.
  private static func sensitive(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Personal")
    let raw = Hex.text(plot.random.next(), 16) + Hex.text(plot.random.next(), 16)
    let values = [
      "ana@example.com", "+4915112345678", raw + String(raw.reversed()), "4111111111111111",
    ]
    let value = values[number % 4]
    plot.start(card, start)
    for step in 1...4 {
      plot.update(
        card, start + (step * 5).minutes, step,
        ["content-state": .raw("{\"stop\":\(step),\"status\":\"\(value)\"}")])
    }
    plot.end(card, start + 28.minutes)
    plot.find("sensitive-data")
  }

  /// A proxy writes the sender's pushes down too, by a clock that is behind, or ahead.
  private static func skew(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Clock")
    plot.start(card, start)
    for step in 1...5 {
      let at = start + (step * 5).minutes
      let late = (number % 2 == 0 ? 9 : -11).seconds + plot.random.below(UTC.second)
      let push = plot.push()
      let same: StoryRow.Members = [
        "apns-id": "\(push)", "timestamp": .unix(at - 20.seconds),
        "stale-date": .unix(at + 40.minutes),
      ]
      plot.update(card, at, step, same)
      plot.update(card, at + late, step, same)
      plot.rename(last: "proxy-\(card.number)")
    }
    plot.end(card, start + 30.minutes)
    plot.find("clock-skew")
  }
}

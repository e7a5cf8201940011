/// Pushes that were refused, dropped, or taken in vain.
extension StoryKind {
  static let delivery: [StoryKind] = [
    StoryKind(6..<20, updateNotDelivered),
    StoryKind(3..<8, startNotDelivered),
    StoryKind(4..<8, hours: 17..<21, startUnacknowledged),
    StoryKind(1..<2, hours: 3..<6) { plot, start, _ in outage(&plot, start, isSigning: false) },
    StoryKind(1..<2, hours: 9..<12) { plot, start, _ in outage(&plot, start, isSigning: true) },
    StoryKind(4..<8, undecodable),
    StoryKind(5..<9, oversize),
  ]

  /// An update is refused, with an alert lost, or never leaves the sender.
  private static func updateNotDelivered(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 5.minutes, 1)
    let lost = start + 12.minutes
    switch number % 3 {
    case 0: plot.update(card, lost, 2, ["status": 503, "reason": "ServiceUnavailable"])
    case 1: plot.ring(card, lost, 2, ["status": 400, "reason": "BadExpirationDate"])
    default:
      let push = plot.push()
      plot.update(card, lost, 2, ["apns-id": "\(push)", "status": nil])
      plot.line(
        "failure", lost + 1.seconds, card.sender,
        [["operation": "send", "apns-id": "\(push)", "message": "timed out"]])
    }
    plot.update(card, lost + (number % 3 == 1 ? 3 : 9).minutes, 3)
    plot.end(card, start + 30.minutes)
    plot.find("update-not-delivered", card)
  }

  /// The only start is refused, or its token is gone, or it has too much in it.
  private static func startNotDelivered(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    switch number % 3 {
    case 0:
      let row = plot.pushStart(
        card, start, shown: false, ["status": 400, "reason": "BadDeviceToken"])
      plot.find("start-not-delivered", start: row, card)
    case 1:
      let row = plot.pushStart(
        card, start, shown: false, ["status": 410, "reason": "Unregistered"])
      plot.find("start-not-delivered", start: row, card)
    default:
      let row = plot.pushStart(card, start, shown: false, ["bytes": 4500])
      plot.find("start-not-delivered", start: row, card)
      plot.find("oversize-payload", start: row, card)
    }
  }

  /// APNs takes one start, or two, and the device, heard of later, shows no card.
  private static func startUnacknowledged(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Unseen")
    plot.pushStart(first, start, shown: false, ["stale-date": .unix(start + 9.hours)])
    if number % 2 == 1 {
      var second = plot.another(first)
      second.device = first.device
      plot.pushStart(
        second, start + 20.minutes, shown: false,
        ["stale-date": .unix(start + 9.hours), "relevance-score": 2])
    }
    plot.allow(first, start + 50.minutes, enabled: true)
    plot.find("start-unacknowledged", deviceOf: first)
  }

  /// A sender's key has run out, or it can no longer sign: three updates are lost, two ends are
  /// late, one never comes.
  private static func outage(_ plot: inout Plot, _ start: Int64, isSigning: Bool) {
    let first = plot.card("Outage")
    let begin = start + 20.minutes
    for place in 0..<6 {
      let card = place == 0 ? first : plot.another(first)
      plot.start(card, start + place.minutes)
      plot.update(card, start + place.minutes + 8.minutes, 1)
      let at = begin + (place * 2).minutes
      let push = plot.push()
      let refused: StoryRow.Members =
        isSigning
        ? ["apns-id": "\(push)", "status": nil]
        : ["apns-id": "\(push)", "status": 403, "reason": "ExpiredProviderToken"]
      if isSigning {
        plot.line(
          "failure", at + 1.seconds, card.sender,
          [["operation": "sign", "apns-id": "\(push)", "message": "no such key"]])
      }
      if place < 3 {
        plot.update(card, at, 2, refused)
        plot.update(card, begin + (place + 14).minutes, 3)
      } else {
        plot.end(card, at, refused)
      }
      if place < 5 { plot.end(card, begin + 30.minutes) }
      plot.find(
        place < 3 ? "update-not-delivered" : place < 5 ? "late-end" : "end-not-delivered", card)
    }
    plot.find("credentials-outage")
  }

  /// The app says what it could not read: by the card, or by the push.
  private static func undecodable(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Unreadable")
    plot.start(card, start)
    plot.update(card, start + 6.minutes, 1)
    let push = plot.push()
    plot.update(card, start + 12.minutes, 2, ["apns-id": "\(push)"])
    if number % 2 == 0 {
      plot.failure(
        card, start + 12.minutes + 2.seconds, "decode",
        ["activity-id": "\(card.id)", "message": "keyNotFound stop"])
    } else {
      plot.failure(
        card, start + 15.minutes, "decode",
        ["apns-id": "\(push)", "message": "typeMismatch stop"])
    }
    plot.find("update-not-delivered", card)
    plot.update(card, start + 20.minutes, 3)
    plot.end(card, start + 28.minutes)
    plot.find("undecodable-content", buildOf: card)
  }

  /// Too large by APNs' word, by its bytes, by its content; nearly too large; refused in the app.
  private static func oversize(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Large")
    if number % 5 == 4 {
      plot.failure(
        card, start, "request", ["case": "attributesTooLarge", "key": "\(card.key)"])
      plot.find(
        StoryFinding(
          rule: "oversize-payload", name: "key:\(card.key)", type: card.type, build: card.build,
          key: card.key, device: card.device))
      return
    }
    plot.start(card, start)
    switch number % 5 {
    case 0:
      plot.update(card, start + 6.minutes, 1, ["status": 413, "reason": "PayloadTooLarge"])
    case 1: plot.update(card, start + 6.minutes, 1, ["bytes": 4200])
    case 2:
      let text = String(repeating: "stop after stop, ", count: 260)
      plot.update(
        card, start + 6.minutes, 1,
        ["content-state": .raw("{\"stop\":1,\"status\":\"\(text)\"}")])
    default:
      for step in 1...4 { plot.update(card, start + (step * 5).minutes, step, ["bytes": 3900]) }
      plot.find("oversize-payload", buildOf: card)
    }
    if number % 5 < 3 {
      plot.find("oversize-payload", card)
      plot.find("update-not-delivered", card)
      plot.update(card, start + 15.minutes, 2)
    }
    plot.end(card, start + 28.minutes)
  }
}

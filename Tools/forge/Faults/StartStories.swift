/// Starts that were refused, came in vain, or came too often.
extension StoryKind {
  static let starts: [StoryKind] = [
    StoryKind(4..<9, requestFailed),
    StoryKind(2..<5, hours: 17..<21, whileDisabled),
    StoryKind(2..<4, hours: 16..<20, burst),
    StoryKind(2..<4, concurrent),
    StoryKind(4..<7, localUpdates),
    StoryKind(2..<4, frequentOff),
    StoryKind(2..<4, rate),
  ]

  private static func find(_ plot: inout Plot, request card: StoryCard) {
    plot.find(
      StoryFinding(
        rule: "request-failed", name: "key:\(card.key)", type: card.type, key: card.key,
        device: card.device))
  }

  /// From the background; too many; switched off; the text of a daemon.
  private static func requestFailed(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    switch number % 4 {
    case 0: plot.failure(card, start, "request", ["key": "\(card.key)", "case": "visibility"])
    case 1:
      plot.failure(
        card, start, "request", ["key": "\(card.key)", "case": "targetMaximumExceeded"])
    case 2:
      // It succeeds half a minute later: worth an info.
      plot.failure(card, start, "request", ["key": "\(card.key)", "case": "visibility"])
      plot.goodLife(card, start + 30.seconds)
    default:
      // Twice the same, and only a text to go by.
      let words: StoryRow.Members = [
        "key": "\(card.key)", "message": "the request is not understood",
      ]
      plot.failure(card, start, "request", words)
      plot.failure(card, start + 3.minutes, "request", words)
    }
    find(&plot, request: card)
  }

  /// The device said no: a push starts a card there all the same; the app asks and is denied.
  private static func whileDisabled(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("SwitchedOff")
    plot.allow(card, start, enabled: false)
    if number % 2 == 0 {
      plot.pushStart(
        card, start + 10.minutes, shown: false, ["stale-date": .unix(start + 9.hours)])
    } else {
      plot.failure(
        card, start + 10.minutes, "request", ["key": "\(card.key)", "case": "denied"])
      find(&plot, request: card)
    }
    plot.find("start-while-disabled", deviceOf: card)
  }

  /// A dozen push starts to one device within an hour; in the second story the last are not seen.
  private static func burst(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Burst")
    for place in 0..<12 {
      var card = place == 0 ? first : plot.another(first)
      card.device = first.device
      let at = start + (place * 270).seconds
      let score: StoryRow.Members = ["relevance-score": .number(Int64(place))]
      if number % 2 == 1, place >= 10 {
        plot.pushStart(
          card, at, shown: false,
          ["relevance-score": .number(Int64(place)), "stale-date": .unix(at + 9.hours)])
      } else {
        plot.pushStart(card, at, score)
        plot.end(card, at + 200.seconds)
      }
    }
    if number % 2 == 1 {
      plot.allow(first, start + 70.minutes, enabled: true)
      plot.find("start-unacknowledged", deviceOf: first)
    }
    plot.find("push-to-start-burst", deviceOf: first)
  }

  /// Six orders at once on one phone; a seventh is refused.
  private static func concurrent(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Crowd")
    for place in 0..<6 {
      var card = place == 0 ? first : plot.another(first)
      card.device = first.device
      let at = start + place.minutes
      plot.start(card, at, ["relevance-score": .number(Int64(place))])
      plot.update(card, at + 10.minutes, 1, ["relevance-score": .number(Int64(place))])
      plot.appEnd(card, at + 25.minutes)
    }
    if number % 2 == 1 {
      var refused = plot.another(first)
      refused.device = first.device
      plot.failure(
        refused, start + 12.minutes, "request",
        ["key": "\(refused.key)", "case": "globalMaximumExceeded"])
      find(&plot, request: refused)
    }
    plot.find("concurrent-limit", deviceOf: first)
  }

  /// The daemon forbids the app's updates; or the device, which shows content, never shows theirs.
  private static func localUpdates(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("InTheBackground")
    plot.begin(card, start)
    if number % 2 == 0 {
      plot.failure(
        card, start + 10.minutes, "update",
        ["activity-id": "\(card.id)", "message": "not allowed to update in the background"])
    } else {
      plot.show(card, start + 5.seconds, "active", ["content-state": Plot.content(0)])
      for step in 1...3 { plot.appUpdate(card, start + (step * 6).minutes, step) }
      plot.show(card, start + 26.minutes, "active", ["content-state": Plot.content(0)])
    }
    plot.appEnd(card, start + 30.minutes)
    plot.find("local-updates-not-applied", deviceOf: card)
  }

  /// Many pushes to a device without frequent pushes: of a sender that writes no headers down, and
  /// of one whose priority 10 is over any budget too.
  private static func frequentOff(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Often")
    var common = card
    common.sender = "courier-\(card.number % 8)"
    plot.allow(card, start - 1.minutes, enabled: true, frequent: false)
    plot.start(card, start)
    let none: StoryRow.Members = [
      "apns-topic": nil, "apns-push-type": nil, "apns-priority": nil, "apns-expiration": nil,
    ]
    for step in 1...14 {
      let at = start + (step * 4).minutes
      if number % 2 == 0 {
        plot.update(card, at, step, none)
      } else {
        plot.update(common, at, step, ["apns-priority": 10])
      }
    }
    plot.end(number % 2 == 0 ? card : common, start + 60.minutes, number % 2 == 0 ? none : [:])
    if number % 2 == 1 { plot.find("update-rate-over-budget", buildOf: card) }
    plot.find("frequent-pushes-off", deviceOf: card)
  }

  /// Fifteen urgent updates within an hour; or five within two seconds.
  private static func rate(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    var card = plot.card("Hurry")
    card.sender = "courier-\(card.number % 8)"
    plot.start(card, start)
    for step in 1...15 {
      if number % 2 == 0 {
        plot.update(card, start + (step * 3).minutes, step, ["apns-priority": 10])
      } else if step <= 6 {
        plot.update(card, start + 5.minutes + Int64(step) * 400_000, step)
      }
    }
    plot.end(card, start + 50.minutes)
    plot.find("update-rate-over-budget", buildOf: card)
  }
}

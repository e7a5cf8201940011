/// Cards that outlived their work, and a type that always does.
extension StoryKind {
  static let leaks: [StoryKind] = [
    StoryKind(6..<30, hours: leakHours, neverEnded),
    StoryKind(4..<12, hours: leakHours, endNotDelivered),
    StoryKind(4..<10, hours: 1..<12, endedBySystemLimit),
    StoryKind(6..<20, lateEnd),
    StoryKind(6..<20, staleWhileLive),
    StoryKind(4..<8, endUnconfirmed),
    StoryKind(2..<4, hours: 1..<10, typeNeverEnds),
    StoryKind(2..<4, hours: 1..<10, staleTreatedAsEnd),
  ]

  /// Nobody ends it; the system is seen doing so; the order is long done.
  private static func neverEnded(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let fresh: StoryRow.Members = ["stale-date": .unix(start + 10.hours)]
    plot.start(card, start, fresh)
    plot.update(card, start + 9.minutes, 1, fresh)
    plot.update(card, start + 21.minutes, 2, fresh)
    if number % 3 == 1 { plot.show(card, start + 8.hours + 3.seconds, "ended") }
    if number % 3 == 2 { plot.work(card, start + 31.minutes, "finished") }
    plot.find("never-ended", card)
  }

  /// The end is refused once, or with every attempt, or never leaves the sender.
  private static func endNotDelivered(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 12.minutes, 1)
    let end = start + 25.minutes
    switch number % 4 {
    case 0: plot.end(card, end, ["status": 400, "reason": "BadDeviceToken"])
    case 1:
      let push = plot.push()
      for attempt in 1...3 {
        plot.end(
          card, end + attempt.seconds,
          [
            "timestamp": .unix(end), "apns-id": "\(push)", "attempt": .number(Int64(attempt)),
            "dismissal-date": .unix(end + 15.minutes), "status": 500,
            "reason": "InternalServerError",
          ])
      }
    case 2:
      let push = plot.push()
      plot.end(card, end, ["apns-id": "\(push)", "status": nil])
      plot.line(
        "failure", end + 2.seconds, card.sender,
        [["operation": "send", "apns-id": "\(push)", "message": "connection reset"]])
    default:
      let push = plot.push()
      plot.end(card, end, ["apns-id": "\(push)", "status": nil])
      plot.line(
        "response", end + 1.seconds, card.sender,
        [["apns-id": "\(push)", "status": 400, "reason": "BadExpirationDate"]])
    }
    plot.find("end-not-delivered", card)
  }

  /// The order goes on beyond eight hours: it says so itself, or its next card does.
  private static func endedBySystemLimit(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let fresh: StoryRow.Members = ["stale-date": .unix(start + 10.hours)]
    let limit = start + 8.hours
    plot.start(card, start, fresh)
    plot.update(card, start + 3.hours, 1, fresh)
    plot.update(card, start + 6.hours, 2, fresh)
    if number % 2 == 0 {
      plot.work(card, start, "open")
      plot.show(card, limit + 2.seconds, "ended")
      plot.work(card, limit + 1.hours, "finished")
    } else {
      var next = plot.card()
      next.key = card.key
      next.device = card.device
      plot.goodLife(next, limit + 30.minutes)
    }
    plot.find("ended-by-system-limit", card)
  }

  /// The end needs another attempt much later, or comes long after the work, or was long on its
  /// way.
  private static func lateEnd(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 10.minutes, 1)
    let done = start + 25.minutes
    let late = done + 6.minutes + plot.random.below(14 * UTC.minute)
    switch number % 3 {
    case 0:
      plot.end(card, done, ["status": 400, "reason": "BadExpirationDate"])
      plot.end(card, late)
    case 1:
      plot.work(card, done, "finished")
      plot.appEnd(card, late)
    default: plot.end(card, late, ["timestamp": .unix(done)])
    }
    plot.find("late-end", card)
  }

  /// Its content is past its own date for long; seen by the system, or not; or it has no date, and
  /// its sender a long pause.
  private static func staleWhileLive(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    var card = plot.card()
    let news = start + 40.minutes
    if number % 3 == 2 {
      // A build of its own: one content without a date is no habit.
      card.build = "8\(card.number)"
      plot.start(card, start)
      plot.update(card, start + 5.minutes, 1, ["stale-date": nil])
    } else {
      plot.start(card, start)
      plot.update(card, start + 5.minutes, 1, ["stale-date": .unix(start + 8.minutes)])
      if number % 3 == 1 {
        plot.line(
          "stale", start + 8.minutes + 1.seconds, card.phone,
          [
            [
              "activity-id": "\(card.id)", "device": "\(card.device)",
              "bundle-id": "\(card.bundle)",
            ]
          ]
        )
      }
    }
    plot.update(card, news, 2)
    plot.end(card, news + 20.minutes)
    plot.find("stale-while-live", card)
  }

  /// APNs took the end, and the device goes on showing or listing the card.
  private static func endUnconfirmed(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 10.minutes, 1)
    plot.end(card, start + 20.minutes)
    if number % 2 == 0 {
      plot.show(card, start + 23.minutes, "active")
    } else {
      plot.inventory(card, start + 24.minutes, [card])
    }
    // Five minutes after the end that was asked for, its going is late as well.
    let isLate = number % 4 > 1
    plot.dismiss(card, start + (isLate ? 26 : 24).minutes + 30.seconds, by: "person")
    if isLate { plot.find("late-end", card) }
    plot.find("end-unconfirmed", card)
  }

  /// No card of a build is ended by its own side: people swipe them away, or nobody does.
  private static func typeNeverEnds(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("EndlessRun")
    for place in 0..<24 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + place.minutes
      let fresh: StoryRow.Members = ["stale-date": .unix(at + 10.hours)]
      plot.start(card, at, fresh)
      plot.update(card, at + 9.minutes, 1, fresh)
      if number % 2 == 0 {
        plot.dismiss(card, at + 40.minutes, by: "person")
      } else {
        plot.find("never-ended", card)
      }
    }
    plot.find("type-never-ends", buildOf: first)
  }

  /// A sender gives its cards up when they turn stale; people find them later.
  private static func staleTreatedAsEnd(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("GivenUp")
    for place in 0..<4 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + (place * 7).minutes
      plot.start(card, at)
      plot.update(card, at + 5.minutes, 1, ["stale-date": .unix(at + 15.minutes)])
      if number % 2 == 0 {
        plot.show(card, at + 18.minutes, "stale")
        plot.dismiss(card, at + 55.minutes, by: "person")
        plot.find("stale-while-live", card)
      } else {
        plot.show(card, at + 8.hours + 2.seconds, "ended")
        plot.find("never-ended", card)
      }
    }
    plot.find("stale-treated-as-end", buildOf: first)
  }
}

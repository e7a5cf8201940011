/// Dates and timestamps that no device reads as they were meant.
extension StoryKind {
  static let dates: [StoryKind] = [
    StoryKind(4..<8, unit),
    StoryKind(2..<5, outOfWindow),
    StoryKind(2..<5, staleInPast),
    StoryKind(3..<5, dismissalDate),
  ]

  /// Milliseconds in a stale date or a timestamp; seconds since 2001 in a dismissal date; text.
  private static func unit(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Unit")
    plot.start(card, start)
    plot.update(card, start + 5.minutes, 1)
    let at = start + 10.minutes
    var last: StoryRow.Members = [:]
    switch number % 4 {
    case 0: plot.update(card, at, 2, ["stale-date": .number((at + 40.minutes) / 1000)])
    case 1:
      plot.update(card, at, 2, ["timestamp": .number(at / 1000)])
      plot.find("update-not-delivered", card)
    case 2:
      let since2001 = (start + 40.minutes) / UTC.second - 978_307_200
      last = ["dismissal-date": .number(since2001)]
    default: plot.update(card, at, 2, ["stale-date": "\(UTC.text(at + 40.minutes))"])
    }
    plot.update(card, start + 14.minutes, 3)
    plot.end(card, start + 25.minutes, last)
    plot.find("timestamp-unit")
  }

  /// Nine hours ahead: dropped; ten minutes ahead: what is true then counts as older.
  private static func outOfWindow(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Ahead")
    plot.start(card, start)
    plot.update(card, start + 5.minutes, 1)
    let at = start + 9.minutes
    if number % 2 == 0 {
      plot.update(card, at, 2, ["timestamp": .unix(at + 9.hours)])
      plot.find("update-not-delivered", card)
    } else {
      plot.update(card, at, 2, ["timestamp": .unix(at + 10.minutes)])
      plot.update(card, at + 4.minutes, 3)
      plot.find("out-of-order-timestamp", card)
    }
    plot.update(card, start + 24.minutes, 4)
    plot.end(card, start + 30.minutes)
    plot.find("timestamp-out-of-window")
  }

  /// A start that is stale at once; updates that are.
  private static func staleInPast(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Past")
    plot.start(
      card, start, number % 2 == 0 ? ["stale-date": .unix(start - 5.minutes)] : [:])
    plot.update(card, start + 3.minutes, 1)
    if number % 2 == 1 {
      for step in 2...4 {
        let at = start + (4 + step).minutes
        plot.update(card, at, step, ["stale-date": .unix(at - 30.seconds)])
      }
      plot.update(card, start + 9.minutes, 5)
    }
    plot.end(card, start + 20.minutes)
    plot.find("stale-date-in-past")
  }

  /// Beyond four hours; later, though at once by policy; on acts that end nothing.
  private static func dismissalDate(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Dismissal")
    for place in 0..<4 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + place.minutes
      let end = at + 15.minutes
      plot.start(card, at)
      let stray: StoryRow.Members = number % 3 == 2 ? ["dismissal-date": .unix(end)] : [:]
      plot.update(card, at + 8.minutes, 1, stray)
      switch number % 3 {
      case 0: plot.end(card, end, ["dismissal-date": .unix(end + 24.hours)])
      case 1:
        plot.end(
          card, end,
          ["dismissal-policy": "immediate", "dismissal-date": .unix(end + 2.hours)])
      default: plot.end(card, end)
      }
    }
    plot.find("dismissal-date-out-of-window", buildOf: first)
  }
}

/// Cards that were to appear later.
extension StoryKind {
  static let schedules: [StoryKind] = [
    StoryKind(3..<9, hours: 16..<21, pending),
    StoryKind(2..<8, notCancelled),
    StoryKind(2..<4, shortLived),
    StoryKind(2..<4, relevance),
  ]

  private static func schedule(_ plot: inout Plot, _ card: StoryCard, _ at: Int64, for date: Int64)
  {
    plot.begin(
      card, at,
      [
        "source": "schedule", "start-date": .unix(date), "alert": Plot.alert,
        "stale-date": .unix(date + 9.hours),
      ])
  }

  /// Still pending after its date; gone from the device's list; another card is shown instead.
  private static func pending(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let date = start + 60.minutes
    schedule(&plot, card, start, for: date)
    switch number % 3 {
    case 0: plot.show(card, date + 10.minutes, "pending")
    case 1: plot.inventory(card, date + 20.minutes, [])
    default:
      var other = plot.another(card)
      other.device = card.device
      plot.start(other, date + 5.minutes, ["relevance-score": 7])
      plot.show(other, date + 6.minutes, "active")
      plot.end(other, date + 30.minutes)
    }
    plot.find("pending-never-started", card)
  }

  /// The order is cancelled before the date, and the card appears; or it is still to appear.
  private static func notCancelled(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    if number % 2 == 0 {
      let date = start + 60.minutes
      schedule(&plot, card, start, for: date)
      plot.work(card, start + 20.minutes, "cancelled")
      plot.show(card, date + 1.seconds, "active")
      plot.dismiss(card, date + 3.minutes, by: "person")
    } else {
      schedule(&plot, card, start, for: plot.day + 26.hours)
      plot.work(card, start + 20.minutes, "finished")
    }
    plot.find("scheduled-not-cancelled", card)
  }

  /// Cards that the app takes away as soon as it has started them.
  private static func shortLived(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Flash")
    for place in 0..<4 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + (place * 3).minutes
      plot.begin(card, at)
      plot.appEnd(
        card, at + (2 + place).seconds,
        ["dismissal-policy": "immediate", "dismissal-date": nil])
    }
    plot.find("short-lived", buildOf: first)
  }

  /// Several orders on one phone, equally important; without a score, or two and two with the same.
  private static func relevance(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Tied")
    for place in 0..<4 {
      var card = place == 0 ? first : plot.another(first)
      let isAlike = number % 2 == 0 || place % 2 == 0
      if isAlike { card.device = first.device } else { card.device = "\(first.device)-second" }
      let at = start + (place * 3).minutes
      plot.start(
        card, at, number % 2 == 0 ? [:] : ["relevance-score": .number(Int64(50 + place % 2))])
      plot.end(card, at + 25.minutes)
    }
    plot.find("relevance-tie", buildOf: first)
  }
}

/// Habits of a build: what its contents hold, and what they lack.
extension StoryKind {
  static let contents: [StoryKind] = [
    StoryKind(2..<4, drift),
    StoryKind(2..<4, missingStaleDate),
    StoryKind(2..<4, noOp),
    StoryKind(2..<4, noFinalContent),
    StoryKind(2..<4, lingering),
    StoryKind(2..<4, withoutAlert),
  ]

  /// A whole number becomes a fraction; a member is gone for good.
  private static func drift(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Drift")
    for place in 0..<8 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + (place * 25).minutes
      func content(_ step: Int) -> StoryRow.Members {
        let old = "{\"stop\":\(step),\"status\":\"on the way\"}"
        let new =
          number % 2 == 0 ? "{\"stop\":\(step).5,\"status\":\"on the way\"}" : "{\"stop\":\(step)}"
        return ["content-state": .raw(place < 4 ? old : new)]
      }
      plot.start(card, at, content(0))
      plot.update(card, at + 6.minutes, 1, content(1))
      plot.update(card, at + 12.minutes, 2, content(2))
      plot.end(card, at + 18.minutes, content(3))
    }
    plot.find("content-shape-drift", buildOf: first)
  }

  /// Content that holds for ever, by its own word: all of it, or that of updates.
  private static func missingStaleDate(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Undated")
    for place in 0..<3 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + place.minutes
      plot.start(card, at, number % 2 == 0 ? ["stale-date": nil] : [:])
      for step in 1...3 {
        plot.update(card, at + (step * 7).minutes, step, ["stale-date": nil])
      }
      plot.end(card, at + 27.minutes)
    }
    plot.find("missing-stale-date", buildOf: first)
  }

  /// The same content, and the same date, again and again.
  private static func noOp(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Same")
    let fresh: StoryRow.Members = ["stale-date": .unix(start + 60.minutes)]
    if number % 2 == 0 { plot.start(card, start, fresh) } else { plot.begin(card, start, fresh) }
    for step in 1...5 {
      let at = start + (step * 5).minutes
      if number % 2 == 0 {
        plot.update(card, at, 1, fresh)
      } else {
        plot.appUpdate(card, at, 1, fresh)
      }
    }
    plot.appEnd(card, start + 30.minutes)
    plot.find("no-op-update", buildOf: card)
  }

  /// Ends that leave "on the way" on the screen, by push and by the app.
  private static func noFinalContent(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Speechless")
    for place in 0..<6 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + (place * 2).minutes
      plot.start(card, at)
      plot.update(card, at + 7.minutes, 1)
      if number % 2 == 0 {
        plot.end(card, at + 15.minutes, ["content-state": nil])
      } else {
        plot.appEnd(card, at + 15.minutes, ["content-state": nil])
      }
    }
    plot.find("end-without-final-content", buildOf: first)
  }

  /// Ends that leave it to the system when the card goes; seen to go late, or not seen.
  private static func lingering(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Linger")
    for place in 0..<4 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + (place * 2).minutes
      plot.start(card, at)
      plot.update(card, at + 7.minutes, 1)
      if number % 2 == 0 {
        plot.end(card, at + 15.minutes, ["dismissal-date": nil])
      } else {
        plot.appEnd(card, at + 15.minutes, ["dismissal-date": nil, "dismissal-policy": "default"])
        plot.dismiss(card, at + 2.hours, by: "policy")
      }
    }
    plot.find("lingering-default-dismissal", buildOf: first)
  }

  /// Push starts without an alert, which a device drops; with one that has no text.
  private static func withoutAlert(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let first = plot.card("Silent")
    for place in 0..<2 {
      let card = place == 0 ? first : plot.another(first)
      let at = start + (place * 9).minutes
      if number % 2 == 0 {
        let row = plot.pushStart(card, at, shown: false, ["alert": nil])
        plot.find("start-not-delivered", start: row, card)
      } else {
        plot.pushStart(card, at, ["alert": .raw("{\"sound\":\"chime\"}")])
        plot.update(card, at + 8.minutes, 1)
        plot.end(card, at + 15.minutes)
      }
    }
    plot.find("start-without-alert", buildOf: first)
  }
}

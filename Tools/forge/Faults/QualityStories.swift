/// What people hear of their cards.
extension StoryKind {
  static let quality: [StoryKind] = [
    StoryKind(2..<4, storm),
    StoryKind(2..<4, untitled),
  ]

  /// Four alerts in as many minutes; every update rings.
  private static func storm(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Loud")
    plot.start(card, start)
    for step in 1...7 {
      if number % 2 == 0 {
        let at = start + (4 + step).minutes
        if step <= 4 { plot.ring(card, at, step) } else { plot.update(card, at, step) }
      } else {
        plot.ring(card, start + (step * 6).minutes, step)
      }
    }
    plot.end(card, start + 50.minutes)
    plot.find("alert-storm", buildOf: card)
  }

  /// Alerts with a body alone, on updates, on their own, and on an end.
  private static func untitled(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Untitled")
    let body: StoryRow.Members = ["alert": .raw("{\"body\":\"Two stops away\"}")]
    plot.start(card, start)
    for step in 1...6 {
      let at = start + (step * 6).minutes
      if step % 2 == 0 {
        plot.update(card, at, step)
      } else if number % 2 == 0 || step == 1 {
        plot.ring(card, at, step, body)
      } else {
        plot.alone(card, at, body)
      }
    }
    plot.end(card, start + 40.minutes, number % 2 == 1 ? body : [:])
    plot.find("alert-without-title", buildOf: card)
  }
}

/// What came too late, twice, out of order, or from nowhere.
extension StoryKind {
  static let order: [StoryKind] = [
    StoryKind(4..<20, outOfOrder),
    StoryKind(4..<20, updateAfterEnd),
    StoryKind(2..<10, sendAfterTerminal),
    StoryKind(3..<9, impossible),
    StoryKind(2..<5, hours: 13..<21, orphan),
    StoryKind(3..<9, doubleEnd),
  ]

  /// One update older than the card shows; or two; or the end too.
  private static func outOfOrder(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 8.minutes, 1)
    let old = start + 7.minutes
    plot.update(card, start + 14.minutes, 2, ["timestamp": .unix(old)])
    if number % 2 == 1 {
      plot.update(card, start + 15.minutes, 3, ["timestamp": .unix(old + 10.seconds)])
    }
    plot.update(card, start + 18.minutes, 4)
    plot.end(
      card, start + 21.minutes,
      number % 4 == 3 ? ["timestamp": .unix(start + 18.minutes - 5.seconds)] : [:])
    plot.find("out-of-order-timestamp", card)
  }

  /// An update, or an alert, minutes after the end.
  private static func updateAfterEnd(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 8.minutes, 1)
    if number % 2 == 0 {
      plot.end(card, start + 15.minutes)
    } else {
      plot.appEnd(card, start + 15.minutes)
    }
    let late = start + 17.minutes + plot.random.below(6 * UTC.minute)
    if number % 4 < 2 { plot.update(card, late, 2) } else { plot.ring(card, late, 2) }
    plot.find("update-after-end", card)
  }

  /// A person took the card away, or its token is gone, and the sender goes on.
  private static func sendAfterTerminal(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 5.minutes, 1)
    if number % 2 == 0 {
      plot.dismiss(card, start + 8.minutes, by: "person")
      for step in 2...5 { plot.update(card, start + (step * 5).minutes, step) }
    } else {
      let gone: StoryRow.Members = ["status": 410, "reason": "Unregistered"]
      plot.update(card, start + 10.minutes, 2, gone)
      plot.update(card, start + 13.minutes, 3, gone)
    }
    plot.find("send-after-terminal", card)
  }

  /// Started twice by one recorder; shown again after it was gone; pending after it was active.
  private static func impossible(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 6.minutes, 1)
    switch number % 3 {
    case 0:
      plot.begin(card, start + 12.minutes, ["content-state": Plot.content(2)])
      plot.end(card, start + 20.minutes)
    case 1:
      plot.dismiss(card, start + 12.minutes, by: "person")
      plot.show(card, start + 16.minutes, "active")
    default:
      plot.show(card, start + 8.minutes, "active")
      plot.show(card, start + 12.minutes, "pending")
      plot.appEnd(card, start + 20.minutes)
    }
    plot.find("impossible-transition", card)
  }

  /// A sender knows cards that nobody started: by token, or by a key that no card has.
  private static func orphan(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card("Nowhere")
    if number % 2 == 0 {
      plot.update(card, start, 1)
      plot.update(card, start + 6.minutes, 2)
      plot.end(card, start + 12.minutes)
    } else {
      plot.update(card, start, 1, ["token": nil])
      plot.end(card, start + 12.minutes, ["token": nil])
    }
    plot.find("orphan-event")
  }

  /// Two ends that disagree on the last words, or on when the card is to go.
  private static func doubleEnd(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    plot.start(card, start)
    plot.update(card, start + 8.minutes, 1)
    switch number % 3 {
    case 0:
      plot.appEnd(card, start + 15.minutes)
      plot.end(
        card, start + 15.minutes + 10.seconds,
        ["content-state": .raw("{\"stop\":100,\"status\":\"closed\"}")])
    case 1:
      plot.end(card, start + 15.minutes)
      plot.end(card, start + 18.minutes, ["dismissal-date": .unix(start + 18.minutes)])
    default:
      plot.end(card, start + 15.minutes)
      plot.end(card, start + 17.minutes, ["dismissal-date": .unix(start + 60.minutes)])
    }
    plot.find("double-end", card)
  }
}

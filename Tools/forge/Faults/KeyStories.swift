/// Several cards of one order, several orders of one card.
extension StoryKind {
  static let keys: [StoryKind] = [
    StoryKind(4..<12, duplicate),
    StoryKind(2..<8, killsReplacement),
    StoryKind(3..<9, hours: leakHours, renewal),
    StoryKind(2..<8, restarted),
    StoryKind(3..<9, mismatch),
  ]

  /// A second card of the same order on the same device.
  private static func next(_ plot: inout Plot, _ card: StoryCard) -> StoryCard {
    var next = plot.another(card)
    (next.key, next.device) = (card.key, card.device)
    return next
  }

  /// The app starts a second card of an order; once where no row says on which device.
  private static func duplicate(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let second = next(&plot, card)
    if number % 2 == 1 {
      let nowhere: StoryRow.Members = ["device": nil]
      for (one, at) in [(card, start), (second, start + 10.minutes)] {
        plot.begin(one, at, nowhere)
        plot.appEnd(one, start + 25.minutes, nowhere)
      }
    } else {
      plot.start(card, start)
      plot.start(second, start + 10.minutes)
      plot.update(card, start + 15.minutes, 1)
      plot.update(second, start + 15.minutes + 1.seconds, 1)
      plot.end(card, start + 25.minutes)
      plot.end(second, start + 26.minutes)
    }
    plot.find("duplicate-live", second)
  }

  /// An end that was made for the former card; or both are torn down together.
  private static func killsReplacement(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let second = next(&plot, card)
    let renewed = start + 20.minutes
    plot.start(card, start)
    plot.update(card, start + 10.minutes, 1)
    plot.work(card, start, "open")
    if number % 2 == 0 {
      plot.start(second, renewed, ["timestamp": .unix(renewed - 3.minutes)])
      plot.appEnd(card, renewed + 10.seconds)
      plot.end(second, renewed + 2.minutes, ["timestamp": .unix(renewed - 1.minutes)])
    } else {
      plot.start(second, renewed)
      plot.appEnd(card, renewed + 2.seconds)
      plot.appEnd(second, renewed + 3.seconds)
    }
    plot.find("end-kills-replacement", second)
  }

  /// An open order without a card for minutes; a card renewed too late; a new card again and again.
  private static func renewal(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let second = next(&plot, card)
    plot.start(card, start, ["stale-date": .unix(start + 9.hours)])
    switch number % 3 {
    case 0:
      plot.work(card, start, "open")
      plot.end(card, start + 20.minutes)
      plot.goodLife(second, start + 26.minutes)
      plot.work(card, start + 51.minutes, "finished")
    case 1:
      plot.appEnd(card, start + 7.hours + 40.minutes)
      plot.goodLife(second, start + 8.hours + 5.minutes)
    default:
      let third = next(&plot, card)
      plot.appEnd(card, start + 9.minutes)
      plot.start(second, start + 11.minutes)
      plot.appEnd(second, start + 19.minutes)
      plot.start(third, start + 21.minutes)
      plot.appEnd(third, start + 35.minutes)
    }
    plot.find("renewal-gap", card)
  }

  /// The server starts the card again that a person, or somebody, removed.
  private static func restarted(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    let second = next(&plot, card)
    plot.start(card, start)
    plot.update(card, start + 8.minutes, 1)
    plot.dismiss(card, start + 15.minutes, by: number % 2 == 0 ? "person" : "unknown")
    plot.pushStart(second, start + 25.minutes)
    plot.update(second, start + 30.minutes, 1)
    plot.end(second, start + 40.minutes)
    plot.find("restarted-after-user-dismissal", second)
  }

  /// One id with two keys; one token with two ids; one id on two devices.
  private static func mismatch(_ plot: inout Plot, _ start: Int64, _ number: Int) {
    let card = plot.card()
    var found = plot.another(card)
    switch number % 3 {
    case 0:
      plot.start(card, start)
      plot.update(card, start + 8.minutes, 1, ["key": "\(found.key)"])
      plot.appEnd(card, start + 15.minutes, ["key": nil])
      found = card
    case 1:
      found.token = card.token
      plot.start(card, start)
      plot.start(found, start + 3.minutes)
      plot.appEnd(card, start + 15.minutes)
      plot.appEnd(found, start + 16.minutes)
    default:
      let tablet = "tablet-\(card.number)"
      plot.begin(card, start)
      plot.begin(card, start + 1.minutes, ["device": "\(tablet)"])
      plot.appEnd(card, start + 15.minutes)
      plot.appEnd(card, start + 16.minutes, ["device": "\(tablet)"])
      found = card
    }
    plot.find("id-mismatch", found)
  }
}

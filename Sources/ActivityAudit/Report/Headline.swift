public import ActivityCore

/// What the findings add up to: how long how many people saw a wrong card.
public struct Headline: Sendable, Equatable {
  /// A total of one kind of verdict; the two are never one sum.
  public struct Total: Sendable, Equatable {
    /// Time in which cards were wrong, overlapping intervals of one card counted once.
    public var wrongCard = Timestamp.Span(microseconds: 0)
    /// How many cards were wrong.
    public var cards = 0
    /// Known devices that showed them.
    public var devices = 0
    /// Cards of which no device is known; each counts for itself.
    public var cardsWithoutDevice = 0
  }

  /// What confirmed findings add up to.
  public var confirmed = Total()
  /// What inferred findings add to the confirmed ones; no minute is in both.
  public var inferred = Total()
  /// Cards that were wrong at any time; one that is in both totals counts once.
  public var cards = 0
  /// Cards that people never got; they have no minutes.
  public var missingCards = 0
  /// When the first wrong card became wrong.
  public var since: Timestamp?
  /// Types of the cards concerned, in order.
  public var types: [String] = []
  /// Their builds, in order.
  public var builds: [String] = []

  init(_ findings: [Finding]) {
    var cards: [String: Card] = [:]
    var order: [String] = []
    var types: Set<String> = []
    var builds: Set<String> = []
    for finding in findings {
      if finding.isMissingCard { missingCards += 1 }
      let all = [finding] + finding.yielded
      guard finding.isMissingCard || all.contains(where: { !$0.wrong.isEmpty }) else { continue }
      if let type = finding.attributesType { types.insert(type) }
      if let build = finding.build { builds.insert(build) }
      since = min(since ?? finding.from, all.map(\.from).min() ?? finding.from)
      guard !finding.isMissingCard else { continue }
      if cards[finding.card] == nil { order.append(finding.card) }
      var card = cards[finding.card] ?? Card()
      card.device = card.device ?? finding.device
      for part in all {
        card.all += part.wrong
        if part.verdict == .confirmed { card.confirmed += part.wrong }
      }
      cards[finding.card] = card
    }
    let touched = order.compactMap { cards[$0] }
    self.cards = touched.count { !$0.all.isEmpty }
    confirmed = Headline.total(touched.filter { !$0.confirmed.isEmpty }) { card in
      Interval.union(card.confirmed)
    }
    inferred = Headline.total(touched.filter(\.hasInferred)) { card in
      Timestamp.Span(microseconds: card.inferredMicroseconds)
    }
    self.types = types.sorted()
    self.builds = builds.sorted()
  }

  /// One card's wrong time.
  private struct Card {
    var device: String?
    var all: [Interval] = []
    var confirmed: [Interval] = []

    var inferredMicroseconds: Int64 {
      Interval.union(all).microseconds - Interval.union(confirmed).microseconds
    }
    var hasInferred: Bool { inferredMicroseconds > 0 }
  }

  private static func total(
    _ cards: [Card], _ length: (Card) -> Timestamp.Span
  ) -> Total {
    var total = Total()
    for card in cards {
      total.wrongCard.microseconds = total.wrongCard.microseconds.addingClamped(
        length(card).microseconds)
    }
    total.cards = cards.count
    total.devices = Set(cards.compactMap(\.device)).count
    total.cardsWithoutDevice = cards.count { $0.device == nil }
    return total
  }
}

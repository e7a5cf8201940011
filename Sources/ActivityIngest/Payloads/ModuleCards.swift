internal import ActivityCore

/// The cards that a module's log has told of and not seen end: what a call that ends all of them
/// asks the end of.
///
/// A phone is known by its `device`; records without one are one phone of their own.
struct ModuleCards: Sendable {
  private struct Card: Sendable {
    var id: String?
    var key: String?
    var at: Int64?

    /// Whether two names may be of one card: ids decide, keys where one has no id.
    func isSame(_ other: Card) -> Bool {
      if let id, let otherID = other.id { return id == otherID }
      return key != nil && key == other.key
    }
  }

  private struct Phone: Sendable {
    var cards: [Card] = []
    var seen = 0
  }

  /// Phones remembered at once, and cards open on one.
  private static let phoneLimit = 1_024
  private static let cardLimit = 64
  /// A card is gone after 8 h of life and 4 h on the Lock Screen.
  private static let longest: Int64 = 12 * 3_600_000_000

  private var phones: [String: Phone] = [:]
  private var count = 0

  /// Learns from what became of a record.
  mutating func see(_ drafts: ArraySlice<EventDraft>) {
    for draft in drafts { see(draft) }
  }

  private mutating func see(_ draft: EventDraft) {
    let at = draft["at"]?.string.flatMap { Timestamp(rfc3339: $0) }?.microseconds
    let card = Card(id: draft["activity-id"]?.string, key: draft["key"]?.string, at: at)
    let device = draft["device"]?.string ?? ""
    let isNamed = card.id != nil || card.key != nil
    switch draft["event"]?.string {
    case "start" where isNamed, "update" where isNamed: open(card, on: device)
    case "token" where card.id != nil: open(card, on: device)
    case "end" where isNamed: close(card, on: device)
    case "state" where isNamed: show(card, draft["state"]?.string, on: device)
    case "inventory":
      let entries = draft["activities"]?.elements ?? []
      for entry in entries {
        let listed = Card(id: entry["activity-id"]?.string, key: nil, at: at)
        show(listed, entry["state"]?.string, on: device)
      }
      guard draft["complete"]?.type == .true else { return }
      let ids = Set(entries.compactMap { $0["activity-id"]?.string })
      change(device) { cards in cards.removeAll { $0.id.map { !ids.contains($0) } ?? false } }
    default: break
    }
  }

  private mutating func show(_ card: Card, _ state: String?, on device: String) {
    switch state {
    case "ended", "dismissed": close(card, on: device)
    case "active", "stale", "pending": open(card, on: device)
    default: break
    }
  }

  private mutating func open(_ card: Card, on device: String) {
    change(device) { cards in
      if let at = card.at {
        cards.removeAll { at.subtractingClamped($0.at ?? at) > Self.longest }
      }
      if let place = cards.firstIndex(where: { $0.isSame(card) }) {
        cards[place].id = cards[place].id ?? card.id
        cards[place].key = cards[place].key ?? card.key
        return
      }
      cards.append(card)
      if cards.count > Self.cardLimit { cards.removeFirst() }
    }
  }

  /// A record without a device may be of any, and a card without one on any.
  private mutating func close(_ card: Card, on device: String) {
    let places = device.isEmpty ? Array(phones.keys) : [device, ""]
    for place in places where phones[place] != nil {
      phones[place]?.cards.removeAll { $0.isSame(card) }
    }
  }

  private mutating func change(_ device: String, _ body: (inout [Card]) -> Void) {
    count += 1
    if phones[device] == nil, phones.count >= Self.phoneLimit {
      let oldest = phones.min { $0.value.seen < $1.value.seen }
      if let oldest { phones[oldest.key] = nil }
    }
    var phone = phones.removeValue(forKey: device) ?? Phone()
    phone.seen = count
    body(&phone.cards)
    phones[device] = phone
  }

  /// A call that ends all cards at once: an end of each that is known to be open on its phone.
  ///
  /// What it gives hangs on earlier records, and so each end has an id of its own, whichever
  /// others another piece of the same log would remember.
  mutating func endAll(
    _ call: ModuleCall, of record: SourceRecord, _ dialect: String,
    into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard call.error == nil else { return call.failure("update", into: &events) { _ in } }
    let at = call.at?.microseconds
    let device = call.draft("end")["device"]?.string ?? ""
    let cards = (phones[device]?.cards ?? []).filter { card in
      guard let at, let since = card.at else { return true }
      return at.subtractingClamped(since) <= Self.longest
    }
    for card in cards {
      var act = call.act("end")
      act.set("activity-id", text: card.id)
      if card.id == nil { act.set("key", text: card.key) }
      act.set("dismissal-policy", text: "immediate")
      let place = call.at == nil ? "\n#\(record.line)" : ""
      let source = record.bytes + Array("\nend \(card.id ?? card.key ?? "")\(place)".utf8)
      act.set("id", text: "\(dialect):" + TokenDigest.sha256(source).prefix(16).hexText)
      _ = call.hand(act, into: &events)
    }
    phones[device]?.cards = []
    return cards.isEmpty ? .skipped("it ends all cards, and none is known to be open") : .events
  }
}

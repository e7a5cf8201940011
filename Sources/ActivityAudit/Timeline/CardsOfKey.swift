internal import ActivityCore

/// The cards of each key on each device, one after the other: renewals, doubles, replacements.
///
/// Only keys that more than one activity says are kept.
package struct CardsOfKey: Sendable {
  private struct Place: Hashable {
    var key: Entry.Word
    var device: Entry.Word
    var bundle: Entry.Word
    var environment: Entry.Word
  }

  private var cards: [Place: [CardNote]] = [:]

  package init() {}

  /// Keeps a life that is a card of its own: not one without other lifetimes than cards have, nor
  /// an audience, nor a token of which no start is known (it may be another card's new token).
  package mutating func add(_ life: Timeline) {
    guard life.isOpen, !life.isExempt, !life.isNamedByKey, life.log.isShared(life.key) else {
      return
    }
    guard life.hasStart || life.entries.contains(where: { !$0.activityID.isAbsent }) else { return }
    let note = CardNote(life)
    let place = Place(
      key: note.key, device: note.device, bundle: note.bundle, environment: note.environment)
    cards[place, default: []].append(note)
  }

  /// Two cards or more of one key on one device, in order of their openings; groups in order of
  /// their first card.
  package func successions(_ log: AuditLog) -> [[CardNote]] {
    cards.values.filter { $0.count > 1 }
      .map { $0.sorted { CardsOfKey.precedes($0, $1, log) } }
      .sorted { CardsOfKey.precedes($0[0], $1[0], log) }
  }

  /// Names and not rows decide between equal times, so that the order of import does not.
  private static func precedes(_ a: CardNote, _ b: CardNote, _ log: AuditLog) -> Bool {
    let (one, other) = ((a.opening, a.firstAt), (b.opening, b.firstAt))
    if one != other { return one < other }
    return (a.name(log), a.firstSeq) < (b.name(log), b.firstSeq)
  }
}

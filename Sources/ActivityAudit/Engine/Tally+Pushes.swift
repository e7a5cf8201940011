/// Rows seen already, which may be of many cards that their key, channel or scope does not tell
/// apart: one push is one push.
package struct Fanned: Sendable {
  private var seen: Set<Int64> = []

  package init() {}

  /// Whether a row is to be counted, which each is once.
  package mutating func isNew(_ entry: Entry) -> Bool { seen.insert(entry.seq).inserted }
}

extension Tally {
  /// Notes a push once in whatever life it is met first, which of one that fans out says nothing.
  package mutating func add(push entry: Entry, of life: Timeline) {
    add(
      at: entry.at, seq: entry.seq,
      device: entry.fansOut ? Entry.Word(-1) : life.deviceWord,
      card: entry.fansOut ? -1 : life.number)
  }
}

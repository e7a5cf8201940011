/// A1–A3: answers that came on rows of their own, and the acts they are answers to.
///
/// Finding them changes no row, so names can be given meanwhile.
struct Answers: Sendable {
  /// Answers with their acts, in order; an act of −1 stands for none.
  private(set) var pairs: [(answer: Int32, act: Int32)] = []

  /// What an answer without `apns-id` is known by.
  private struct HandleKey: Hashable {
    var kind: HandleKind
    var code: Int32
    var recorder: Int32
  }

  /// Looks for the acts of all answers of a set.
  init(_ set: RowSet, _ order: RowOrder) {
    let answers = order.ordered(set.marked.answers, in: set)
    guard !answers.isEmpty else { return }
    pairs.reserveCapacity(answers.count)
    let rows = set.rows
    var acts = ActsByPush(answers.count)
    var handles: Set<HandleKey> = []
    for index in answers {
      let push = rows.push(index)
      if push != .none {
        acts.ask(for: push)
      } else if let key = Answers.firstHandle(rows.packed[Int(index)], rows) {
        handles.insert(key)
      }
    }
    var byHandle: [HandleKey: Int32] = [:]
    var next = 0
    for index in order {
      if answers[next] == index {
        pairs.append((index, Answers.act(of: index, rows, acts, byHandle) ?? -1))
        next += 1
        if next == answers.count { break }
        continue
      }
      let push = rows.push(index)
      guard push != .none || !handles.isEmpty else { continue }
      let row = rows.packed[Int(index)]
      guard row.kind.isAct else { continue }
      if push != .none { acts.take(index, push) }
      guard row.isByPush, !handles.isEmpty else { continue }
      for key in Answers.handles(row, rows) where handles.contains(key) { byHandle[key] = index }
    }
  }

  private static func firstHandle(_ row: PackedRow, _ rows: RowList) -> HandleKey? {
    handles(row, rows).first
  }

  private static func handles(_ row: PackedRow, _ rows: RowList) -> [HandleKey] {
    let handles: [(HandleKind, Int32)] = [
      (.activity, row.activity), (.token, row.token), (.channel, rows.details(of: row).channel),
      (.key, row.key),
    ]
    return handles.filter { $0.1 >= 0 }.map {
      HandleKey(kind: $0.0, code: $0.1, recorder: row.recorder)
    }
  }

  private static func act(
    of index: Int32, _ rows: RowList, _ acts: ActsByPush, _ byHandle: [HandleKey: Int32]
  ) -> Int32? {
    let row = rows.packed[Int(index)]
    let push = rows.push(index)
    guard push != .none else { return firstHandle(row, rows).flatMap { byHandle[$0] } }
    let attempt = rows.details(of: row).attempt
    return acts.latest(of: push) { candidate in
      let known = rows.details(of: rows.packed[Int(candidate)]).attempt
      return known < 0 || attempt < 0 || known == attempt
    }
  }
}

extension Resolution {
  /// Gives every act the answer that names it, and marks acts a decode failure names by `apns-id`.
  mutating func give(_ answers: Answers) {
    for (index, act) in answers.pairs {
      if act < 0 {
        unattached.append(index)
      } else {
        give(set.rows.packed[Int(index)], to: act)
      }
    }
  }

  /// Ties an answer to its act; its own status, or a later answer, goes before an earlier one.
  private mutating func give(_ answer: PackedRow, to act: Int32) {
    if answer.marks.contains(.decoding) {
      set.rows.packed[Int(act)].marks.insert(.undecodable)
      return
    }
    var row = set.rows.packed[Int(act)]
    guard row.isByPush, answer.answer != .none, !row.marks.contains(.ownAnswer) else { return }
    let said = set.rows.details(of: answer)
    var details = set.rows.details(of: row)
    details.status = said.status
    details.reason = said.reason
    row.details = set.rows.details.index(of: details)
    row.answer = answer.answer
    row.marks.insert(.lateAnswer)
    if answer.marks.contains(.unreached) { row.marks.insert(.unreached) }
    set.rows.packed[Int(act)] = row
  }
}

/// The acts of those `apns-id`s that answers name; memory is for the answers, not for the acts.
private struct ActsByPush {
  /// One `apns-id`, and the last link of the acts that have it, −1 for none.
  private struct Entry {
    var push: PushID
    var last: Int32
  }

  private var entries: [Entry] = []
  /// Open addressing: the upper half of a hash, then the entry's number + 1; 0 is free.
  private var slots: [UInt64]
  /// An act, and the link of the act before it.
  private var links: [(act: Int32, before: Int32)] = []
  private let seed = Mix.seed

  init(_ answers: Int) {
    var size = 16
    while size < answers * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    entries.reserveCapacity(answers)
  }

  private func hash(_ push: PushID) -> UInt64 {
    var mix = Mix(seed)
    mix.take(push.high)
    mix.take(push.low)
    return mix.value
  }

  /// The slot of an `apns-id`, or the free one where it would be.
  private func slot(_ push: PushID, _ hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let isAlike = (slots[slot] ^ hash) >> 32 == 0
      if isAlike, entries[Int(slots[slot] & 0xFFFF_FFFF) - 1].push == push { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  mutating func ask(for push: PushID) {
    let hash = hash(push)
    let slot = slot(push, hash)
    guard slots[slot] == 0 else { return }
    entries.append(Entry(push: push, last: -1))
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(entries.count)
  }

  /// Takes an act, if its `apns-id` was asked for; acts come in order.
  mutating func take(_ act: Int32, _ push: PushID) {
    let slot = slot(push, hash(push))
    guard slots[slot] != 0 else { return }
    let entry = Int(slots[slot] & 0xFFFF_FFFF) - 1
    links.append((act, entries[entry].last))
    entries[entry].last = Int32(links.count - 1)
  }

  /// The latest act with an `apns-id` that fits.
  func latest(of push: PushID, _ fits: (Int32) -> Bool) -> Int32? {
    let slot = slot(push, hash(push))
    guard slots[slot] != 0 else { return nil }
    var link = entries[Int(slots[slot] & 0xFFFF_FFFF) - 1].last
    while link >= 0 {
      if fits(links[Int(link)].act) { return links[Int(link)].act }
      link = links[Int(link)].before
    }
    return nil
  }
}

/// A1–A3: answers that came on rows of their own find their acts.
extension Resolution {
  /// What an answer without `apns-id` is known by.
  private struct HandleKey: Hashable {
    var kind: HandleKind
    var code: Int32
    var recorder: Int32
  }

  private func firstHandle(_ row: PackedRow) -> (HandleKind, Int32)? {
    if row.activity >= 0 { return (.activity, row.activity) }
    if row.token >= 0 { return (.token, row.token) }
    let channel = set.rows.details(of: row).channel
    if channel >= 0 { return (.channel, channel) }
    if row.key >= 0 { return (.key, row.key) }
    return nil
  }

  private func handles(_ row: PackedRow) -> [(HandleKind, Int32)] {
    [
      (.activity, row.activity), (.token, row.token),
      (.channel, set.rows.details(of: row).channel), (.key, row.key),
    ].filter { $0.1 >= 0 }
  }

  /// Gives every act the answer that names it, and marks acts a decode failure names by `apns-id`.
  mutating func answer(_ order: RowOrder) {
    let answers = order.ordered(set.marked.answers, in: set)
    guard !answers.isEmpty else { return }
    var acts = ActsByPush(answers.count)
    var handles: Set<HandleKey> = []
    for index in answers {
      let push = set.rows.push(index)
      if push != .none {
        acts.ask(for: push)
      } else {
        let row = set.rows.packed[Int(index)]
        guard let (kind, code) = firstHandle(row) else { continue }
        handles.insert(HandleKey(kind: kind, code: code, recorder: row.recorder))
      }
    }
    var byHandle: [HandleKey: Int32] = [:]
    var next = 0
    for index in order {
      if answers[next] == index {
        attach(index, acts, byHandle)
        next += 1
        if next == answers.count { break }
        continue
      }
      let push = set.rows.push(index)
      guard push != .none || !handles.isEmpty else { continue }
      let row = set.rows.packed[Int(index)]
      guard row.kind.isAct else { continue }
      if push != .none { acts.take(index, push) }
      if row.isByPush { remember(index, row, handles, &byHandle) }
    }
  }

  private func remember(
    _ index: Int32, _ row: PackedRow, _ wanted: Set<HandleKey>,
    _ byHandle: inout [HandleKey: Int32]
  ) {
    guard !wanted.isEmpty else { return }
    for (kind, code) in handles(row) {
      let key = HandleKey(kind: kind, code: code, recorder: row.recorder)
      if wanted.contains(key) { byHandle[key] = index }
    }
  }

  private mutating func attach(
    _ index: Int32, _ acts: ActsByPush, _ byHandle: [HandleKey: Int32]
  ) {
    let row = set.rows.packed[Int(index)]
    let push = set.rows.push(index)
    if push != .none {
      let attempt = set.rows.details(of: row).attempt
      let act = acts.latest(of: push) { candidate in
        let known = set.rows.details(of: set.rows.packed[Int(candidate)]).attempt
        return known < 0 || attempt < 0 || known == attempt
      }
      give(row, index, to: act)
    } else if let (kind, code) = firstHandle(row) {
      give(row, index, to: byHandle[HandleKey(kind: kind, code: code, recorder: row.recorder)])
    }
  }

  /// Ties an answer to its act; its own status, or a later answer, goes before an earlier one.
  private mutating func give(_ answer: PackedRow, _ index: Int32, to act: Int32?) {
    guard let act else {
      unattached.append(index)
      return
    }
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

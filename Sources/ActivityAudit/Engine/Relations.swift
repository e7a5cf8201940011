internal import ActivityCore

/// How activities of one log hang together: by key, by the work behind it, by push starts.
package struct Relations: Sendable {
  /// How far the reach of a key goes: a start claims, and an act by key reaches, this long.
  static let keyReach: Int64 = 12 * 3_600_000_000

  /// Activities that another one is: applied push starts that were claimed, and acts by key alone
  /// on a key whose activities are known by a better name.
  private(set) var shadows: Set<Int> = []
  /// Push starts for which a card is known all the same.
  private(set) var answered: Set<Int> = []

  private var works: [Int32: [RowSet.WorkRow]] = [:]
  private var workIsFinished: Set<Int32> = []
  private var starts: [Int32: [KeyedStart]] = [:]
  /// By key and by channel: when an end that fans out was sent.
  private var keyEnds: [Int32: [Int64]] = [:]
  private var channelEnds: [Int32: [Int64]] = [:]
  /// By key: when each of its activities was first heard of.
  private var firsts: [Int32: [KeyedStart]] = [:]
  private var addressees: [Int: Int32] = [:]

  struct KeyedStart: Sendable {
    var at: Int64
    var device: Int32
    var activity: Int
  }

  init(_ resolution: Resolution) {
    let set = resolution.set
    for work in set.works where work.key >= 0 { works[work.key, default: []].append(work) }
    for key in works.keys { works[key]?.sort { ($0.at, $0.seq) < ($1.at, $1.seq) } }
    for word in ["finished", "cancelled"] {
      if let code = set.texts.code(of: Array(word.utf8)) { workIsFinished.insert(Int32(code)) }
    }
    gather(resolution)
    let claims = Claims(resolution)
    shadows = claims.shadows
    answered = claims.answered
    addressees = claims.addressees
  }

  private mutating func gather(_ resolution: Resolution) {
    for (activity, members) in resolution.members.enumerated() {
      let device = resolution.activityScopes[activity].device
      noteFirst(activity, members, device, resolution)
      for index in members {
        let row = resolution.set.rows[Int(index)]
        guard !row.answer.refuses else { continue }
        if row.kind == .start, row.key >= 0 {
          starts[row.key, default: []].append(
            KeyedStart(at: row.at, device: device, activity: activity))
        }
        guard row.kind == .end else { continue }
        switch resolution.names[activity] {
        case .key(let key): keyEnds[key, default: []].append(row.at)
        case .channel(let channel): channelEnds[channel, default: []].append(row.at)
        case .activity, .token, .start: break
        }
      }
    }
  }

  private mutating func noteFirst(
    _ activity: Int, _ members: [Int32], _ device: Int32, _ resolution: Resolution
  ) {
    let rows = resolution.set.rows
    guard let first = members.first, let keyed = members.first(where: { rows[Int($0)].key >= 0 })
    else { return }
    firsts[rows[Int(keyed)].key, default: []].append(
      KeyedStart(at: rows[Int(first)].at, device: device, activity: activity))
  }

  /// The device that a push start's token belongs to, as a `token` row said.
  func addressee(of activity: Int) -> Entry.Word { Entry.Word(addressees[activity] ?? -1) }

  func finish(of key: Int32, from: Int64, until: Int64) -> Int64? {
    guard key >= 0, let rows = works[key] else { return nil }
    var finished: Int64?
    for row in rows where row.at <= until {
      if workIsFinished.contains(row.outcome) {
        if finished == nil, row.at >= from { finished = row.at }
      } else {
        finished = nil
      }
    }
    return finished
  }

  /// Rule 4: whether the order was still going on when the system ended its card, and nobody had
  /// renewed the card by then.
  func isOpenAtLimit(_ life: Timeline) -> Bool {
    let key = life.key.code
    guard key >= 0 else { return false }
    let (opening, limit) = (life.opening.microseconds, life.limit.microseconds)
    let others = (starts[key] ?? []).filter { start in
      (start.activity != life.number || start.at >= limit) && life.sharesDevice(with: start.device)
    }
    let isRenewed = others.contains { start in
      start.at > opening && start.at < limit && start.device >= 0 && start.device == life.device
    }
    if isRenewed { return false }
    let latest = limit.addingClamped(Relations.keyReach)
    if others.contains(where: { $0.at >= limit && $0.at <= latest }) { return true }
    let rows = works[key] ?? []
    if let last = rows.last(where: { $0.at <= limit }) {
      return !workIsFinished.contains(last.outcome)
    }
    return rows.contains {
      $0.at > limit && $0.at <= latest && workIsFinished.contains($0.outcome)
    }
  }

  /// Whether an end that fans out over its key or its channel was sent while it lived.
  func mayHaveEnded(_ life: Timeline) -> Bool {
    guard !keyEnds.isEmpty || !channelEnds.isEmpty else { return false }
    let lived =
      life.opening
      .microseconds...max(
        life.opening.microseconds, life.limit.microseconds)
    if keyEnds[life.key.code]?.contains(where: lived.contains) ?? false {
      return true
    }
    return life.entries.contains { entry in
      channelEnds[entry.channel.code]?.contains(where: lived.contains) ?? false
    }
  }
}

extension Relations {
  /// Whether another activity of the same key began within an interval that ends with a life's
  /// opening.
  func isKnown(_ life: Timeline, from: Timestamp) -> Bool {
    let opening = life.opening.microseconds
    return firsts[life.key.code]?.contains { first in
      first.activity != life.number && first.at >= from.microseconds && first.at <= opening
    } ?? false
  }
}

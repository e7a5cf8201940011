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
  private var open: Int32 = -1
  private var finished: Set<Int32> = []
  /// By key and device (−1 where none is known), and by key over all devices: starts, by `at`.
  private var starts: [KeyAndDevice: [Moment]] = [:]
  private var startsOfKey: [Int32: [Moment]] = [:]
  /// By key: when each of its activities was first heard of.
  private var firsts: [Int32: [Moment]] = [:]
  /// By key and by channel: when acts that fan out were sent.
  private var keyActs: [Int32: FanOut] = [:]
  private var channelActs: [Int32: FanOut] = [:]
  private var addressees: [Int: Int32] = [:]

  private struct KeyAndDevice: Hashable {
    var key: Int32
    var device: Int32
  }

  /// Something an activity did at an instant.
  private struct Moment: Sendable {
    var at: Int64
    var activity: Int
  }

  /// Acts without a name of their own that may have reached many activities.
  private struct FanOut: Sendable {
    var contents: [Int64] = []
    var ends: [Int64] = []

    mutating func note(_ row: Row) {
      contents.append(row.at)
      if row.kind == .end { ends.append(row.at) }
    }
  }

  init(_ resolution: Resolution) {
    let set = resolution.set
    for work in set.works where work.key >= 0 { works[work.key, default: []].append(work) }
    for key in works.keys { works[key]?.sort { ($0.at, $0.seq) < ($1.at, $1.seq) } }
    for word in ["finished", "cancelled"] {
      if let code = set.texts.code(of: Array(word.utf8)) { finished.insert(Int32(code)) }
    }
    open = set.texts.code(of: Array("open".utf8)).map { Int32($0) } ?? -1
    for (activity, members) in resolution.members.enumerated() {
      gather(activity, members, resolution)
    }
    sort()
    let claims = Claims(resolution)
    shadows = claims.shadows
    answered = claims.answered
    addressees = claims.addressees
  }

  private mutating func gather(_ activity: Int, _ members: [Int32], _ resolution: Resolution) {
    let device = resolution.activityScopes[activity].device
    var key: Int32 = -1
    for index in members {
      let row = resolution.set.rows[Int(index)]
      if key < 0, row.key >= 0 {
        key = row.key
        let first = resolution.set.rows[Int(members[0])]
        firsts[key, default: []].append(Moment(at: first.at, activity: activity))
      }
      guard row.kind.isContentAct, !row.answer.refuses else { continue }
      if row.kind == .start, row.key >= 0 {
        let moment = Moment(at: row.at, activity: activity)
        starts[KeyAndDevice(key: row.key, device: device), default: []].append(moment)
        startsOfKey[row.key, default: []].append(moment)
      }
      switch resolution.names[activity] {
      case .key(let key): keyActs[key, default: FanOut()].note(row)
      case .channel(let channel): channelActs[channel, default: FanOut()].note(row)
      case .activity, .token, .start: break
      }
    }
  }

  private mutating func sort() {
    for key in starts.keys { starts[key]?.sort { $0.at < $1.at } }
    for key in startsOfKey.keys { startsOfKey[key]?.sort { $0.at < $1.at } }
    for key in firsts.keys { firsts[key]?.sort { $0.at < $1.at } }
  }
}

extension Relations {
  /// The device that a push start's token belongs to, as a `token` row said.
  func addressee(of activity: Int) -> Entry.Word { Entry.Word(addressees[activity] ?? -1) }

  /// When work was finished or cancelled; a later `open` takes it back.
  func finish(of key: Int32, from: Int64, until: Int64) -> Int64? {
    guard key >= 0, let rows = works[key] else { return nil }
    var done: Int64?
    for row in rows {
      guard row.at <= until else { break }
      if row.outcome == open { done = nil }
      if finished.contains(row.outcome), done == nil, row.at >= from { done = row.at }
    }
    return done
  }

  /// Rule 4: whether the order was still going on when the system ended its card, and nobody had
  /// renewed the card by then.
  func isOpenAtLimit(_ life: Timeline) -> Bool {
    let key = life.key.code
    guard key >= 0 else { return false }
    let (opening, limit) = (life.opening.microseconds, life.limit.microseconds)
    let latest = limit.addingClamped(Relations.keyReach)
    let own = starts[KeyAndDevice(key: key, device: life.device)] ?? []
    if life.device >= 0 {
      let between = own[Relations.range(own, from: opening.addingClamped(1), until: limit - 1)]
      if between.contains(where: { $0.activity != life.number }) { return false }
    }
    let unknown = starts[KeyAndDevice(key: key, device: -1)] ?? []
    let lists = life.device >= 0 ? [own, unknown] : [startsOfKey[key] ?? []]
    if lists.contains(where: { !Relations.range($0, from: limit, until: latest).isEmpty }) {
      return true
    }
    let rows = works[key] ?? []
    if let last = rows.last(where: { $0.at <= limit }) { return !finished.contains(last.outcome) }
    return rows.contains { $0.at > limit && $0.at <= latest && finished.contains($0.outcome) }
  }

  /// Whether another activity of the same key was first heard of between an instant and a life's
  /// opening.
  func isKnown(_ life: Timeline, from: Timestamp) -> Bool {
    guard let moments = firsts[life.key.code] else { return false }
    let range = Relations.range(
      moments, from: from.microseconds, until: life.opening.microseconds)
    return moments[range].contains { $0.activity != life.number }
  }

  /// Whether an act that fans out over its key or its channel was sent while it lived; with `ends`,
  /// only one that ends.
  func isReached(_ life: Timeline, byEnds ends: Bool) -> Bool {
    guard !keyActs.isEmpty || !channelActs.isEmpty, !life.isChannel, !life.isShadow else {
      return false
    }
    let lived =
      life.opening
      .microseconds...max(
        life.opening.microseconds, (life.endedAt ?? life.limit).microseconds)
    if !life.isNamedByKey, let acts = keyActs[life.key.code],
      (ends ? acts.ends : acts.contents).contains(where: lived.contains)
    {
      return true
    }
    return life.entries.contains { entry in
      guard let acts = channelActs[entry.channel.code] else { return false }
      return (ends ? acts.ends : acts.contents).contains(where: lived.contains)
    }
  }

  /// The moments within two instants, both included, of a list in order.
  private static func range(_ moments: [Moment], from: Int64, until: Int64) -> Range<Int> {
    func first(_ isBeyond: (Int64) -> Bool) -> Int {
      var low = 0
      var high = moments.count
      while low < high {
        let middle = (low + high) / 2
        if isBeyond(moments[middle].at) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let lower = first { $0 >= from }
    return lower..<max(lower, first { $0 > until })
  }
}

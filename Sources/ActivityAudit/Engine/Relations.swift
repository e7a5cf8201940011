internal import ActivityCore

/// How activities of one log hang together: by key, and by the work behind it.
package struct Relations: Sendable {
  /// How far the reach of a key goes: activities of a key that begin this soon after one another
  /// belong to one piece of work.
  static let keyReach: Int64 = 12 * 3_600_000_000

  private var works: [Int32: [RowSet.WorkRow]] = [:]
  private var open: Int32 = -1
  private var finished: Set<Int32> = []
  /// By key and device (−1 where none is known), and by key over all devices: starts, by `at`.
  private var starts: [KeyAndDevice: [Moment]] = [:]
  private var startsOfKey: [Int32: [Moment]] = [:]
  /// By key: when each of its activities was first heard of.
  private var firsts: [Int32: [Moment]] = [:]
  /// By key and known device: when each of its activities came to be, as far as answers tell.
  private var arrivals: [KeyAndDevice: [Moment]] = [:]

  private struct KeyAndDevice: Hashable {
    var key: Int32
    var device: Int32
  }

  /// Something an activity did at an instant.
  private struct Moment: Sendable {
    var at: Int64
    var activity: Int
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
  }

  private mutating func gather(
    _ activity: Int, _ members: ArraySlice<Int32>, _ resolution: Resolution
  ) {
    let device = resolution.activityScopes[activity].device
    var key: Int32 = -1
    var isHere = false
    for index in members {
      let row = resolution.set.rows[Int(index)]
      let fansOut = resolution.fansOut(row, in: activity)
      if key < 0, row.key >= 0, !fansOut {
        key = row.key
        let first = resolution.set.rows[Int(members[members.startIndex])]
        firsts[key, default: []].append(Moment(at: first.at, activity: activity))
      }
      if !isHere, key >= 0, device >= 0, !row.answer.refuses {
        isHere = true
        arrivals[KeyAndDevice(key: key, device: device), default: []].append(
          Moment(at: row.at, activity: activity))
      }
      guard row.kind == .start, row.key >= 0, !row.answer.refuses else { continue }
      // A start by key alone is no activity's own, and no device is known to have got it.
      let moment = Moment(at: row.at, activity: fansOut ? -1 : activity)
      let owner = KeyAndDevice(key: row.key, device: fansOut ? -1 : device)
      starts[owner, default: []].append(moment)
      startsOfKey[row.key, default: []].append(moment)
    }
  }

  private mutating func sort() {
    for key in starts.keys { starts[key]?.sort { $0.at < $1.at } }
    for key in startsOfKey.keys { startsOfKey[key]?.sort { $0.at < $1.at } }
    for key in firsts.keys { firsts[key]?.sort { $0.at < $1.at } }
    for key in arrivals.keys { arrivals[key]?.sort { $0.at < $1.at } }
  }
}

extension Relations {
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

  /// Whether another activity of a start's key came to be on its device, as soon after the start as
  /// a key reaches.
  func hasArrived(_ life: Timeline, after start: Timestamp) -> Bool {
    guard life.device >= 0,
      let moments = arrivals[KeyAndDevice(key: life.key.code, device: life.device)]
    else { return false }
    let until = start.microseconds.addingClamped(Relations.keyReach)
    return moments[Relations.range(moments, from: start.microseconds, until: until)]
      .contains { $0.activity != life.number }
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

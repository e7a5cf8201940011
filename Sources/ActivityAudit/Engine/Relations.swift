internal import ActivityCore

/// How activities of one log hang together by key: when they started, were first heard of, and came
/// to be.
package struct Relations: Sendable {
  /// How far the reach of a key goes: activities of a key that begin this soon after one another
  /// belong to one piece of work.
  static let keyReach: Int64 = 12 * 3_600_000_000

  /// Something an activity of a key did at an instant.
  private struct Moment: Sendable {
    enum Sort: Int32 {
      /// A start that was not refused.
      case start
      /// The first row.
      case first
      /// The first row that was not refused, on a known device.
      case arrival
      /// A start again, whatever its device.
      case startAnywhere
    }

    var key: Int32
    var sort: Sort
    /// −1 where none is known.
    var device: Int32
    /// −1 for what fans out.
    var activity: Int32
    var at: Int64

    /// Their order within a key.
    var order: (Int32, Int32, Int64) { (sort.rawValue, device, at) }
  }

  private var moments: [Moment] = []
  /// By key's code: where its moments begin.
  private var starts: [Int32] = []

  init() {}

  /// Takes in the rows of one activity, in order.
  mutating func gather(
    _ activity: Int32, device: Int32, isReached: Bool, _ members: ArraySlice<Int32>,
    _ rows: RowList
  ) {
    var key: Int32 = -1
    var isHere = false
    var firstAt: Int64?
    for index in members {
      let row = rows.packed[Int(index)]
      let fansOut = isReached && row.activity < 0 && row.token < 0
      let began = firstAt ?? row.at
      firstAt = began
      if key < 0, row.key >= 0, !fansOut {
        key = row.key
        add(.first, key, -1, activity, began)
      }
      if !isHere, key >= 0, device >= 0, !row.answer.refuses {
        isHere = true
        add(.arrival, key, device, activity, row.at)
      }
      guard row.kind == .start, row.key >= 0, !row.answer.refuses else { continue }
      // A start by key alone is no activity's own, and no device is known to have got it.
      add(.start, row.key, fansOut ? -1 : device, fansOut ? -1 : activity, row.at)
      add(.startAnywhere, row.key, -1, -1, row.at)
    }
  }

  private mutating func add(
    _ sort: Moment.Sort, _ key: Int32, _ device: Int32, _ activity: Int32, _ at: Int64
  ) {
    moments.append(Moment(key: key, sort: sort, device: device, activity: activity, at: at))
  }

  /// Takes in what was gathered of other activities.
  mutating func add(_ other: Relations) { moments.append(contentsOf: other.moments) }

  /// Puts everything in order; only what is asked of the given keys, by code, is kept.
  mutating func settle(keys: [Bool]) {
    moments.removeAll { !keys[Int($0.key)] }
    starts = Groups.sort(&moments, count: keys.count) { Int($0.key) }
    for key in keys.indices where starts[key + 1] - starts[key] > 1 {
      moments[Int(starts[key])..<Int(starts[key + 1])].sort { $0.order < $1.order }
    }
  }
}

extension Relations {
  /// Rule 4: whether the order was still going on when the system ended its card, and nobody had
  /// renewed the card by then.
  func isOpenAtLimit(_ life: Timeline) -> Bool {
    let key = life.key.code
    guard key >= 0 else { return false }
    let (opening, limit) = (life.opening.microseconds, life.limit.microseconds)
    let latest = limit.addingClamped(Relations.keyReach)
    if life.device >= 0 {
      let between = range(
        key, .start, life.device, from: opening.addingClamped(1), until: limit - 1)
      if between.contains(where: { $0.activity != life.number }) { return false }
    }
    let isRenewed =
      life.device >= 0
      ? [life.device, -1].contains { !range(key, .start, $0, from: limit, until: latest).isEmpty }
      : !range(key, .startAnywhere, -1, from: limit, until: latest).isEmpty
    if isRenewed { return true }
    return life.log.works.isOpen(key, at: limit, finishedBy: latest)
  }

  /// Whether another activity of the same key was first heard of between an instant and a life's
  /// opening.
  func isKnown(_ life: Timeline, from: Timestamp) -> Bool {
    let until = life.opening.microseconds
    return range(life.key.code, .first, -1, from: from.microseconds, until: until)
      .contains { $0.activity != life.number }
  }

  /// Whether another activity of a start's key came to be on its device, as soon after the start as
  /// a key reaches.
  func hasArrived(_ life: Timeline, after start: Timestamp) -> Bool {
    guard life.device >= 0 else { return false }
    let until = start.microseconds.addingClamped(Relations.keyReach)
    return range(life.key.code, .arrival, life.device, from: start.microseconds, until: until)
      .contains { $0.activity != life.number }
  }

  /// The moments of one sort within two instants, both included.
  private func range(
    _ key: Int32, _ sort: Moment.Sort, _ device: Int32, from: Int64, until: Int64
  ) -> ArraySlice<Moment> {
    guard key >= 0, from <= until else { return [] }
    func first(_ bound: Int64, beyond: Bool) -> Int {
      var low = Int(starts[Int(key)])
      var high = Int(starts[Int(key) + 1])
      while low < high {
        let middle = (low + high) / 2
        let order = moments[middle].order
        let target = (sort.rawValue, device, bound)
        if beyond ? order > target : order >= target { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let lower = first(from, beyond: false)
    return moments[lower..<max(lower, first(until, beyond: true))]
  }
}

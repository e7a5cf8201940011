/// I8–I10: rows that a key or a channel alone names, and the activities they reach.
extension Resolution {
  /// So many rows reach activities by key or channel, 4 bytes each; what comes after them keeps its
  /// name and is counted, so that no log can ask for more memory than this.
  private static let reachMax = 1 << 26

  /// Gives rows that fan out to every activity they reach, and makes activities of those that keep
  /// their name.
  mutating func fanOut(_ unsettled: Unsettled, _ claimed: Set<Int>) {
    guard !unsettled.fanning.isEmpty else { return }
    let activities = unsettled.asked.activities.union(claimed).sorted()
    var reaches = Reaches(of: unsettled.fanning, self, activities)
    var added: [Int: [Int32]] = [:]
    var kept: [Int32] = []
    var homes = KeyHomes()
    var reached = 0
    for index in unsettled.fanning {
      let row = set.rows[Int(index)]
      let scope = set.scopes[row.scope]
      var isReaching = false
      guard reached < Resolution.reachMax else {
        unfollowed += 1
        kept.append(index)
        continue
      }
      reaches.forEach(reachedBy: row, on: scope.device) { activity in
        guard activityScopes[activity].agrees(with: scope) else { return }
        added[activity, default: []].append(index)
        reached += 1
        isReaching = true
      }
      if !isReaching {
        kept.append(index)
        homes.note(row)
      } else if row.channel < 0, homes.hold(row, in: set) {
        kept.append(index)
      }
    }
    for (activity, rows) in added { members.add(rows, to: activity) }
    settleMembers()
    guard !kept.isEmpty else { return }
    var named: [Int32] = []
    MemberLists.merge(kept, unsettled.failures, into: &named) { set.precedes($0, $1) }
    var naming = RowNames(set)
    for index in named {
      let row = set.rows.packed[Int(index)]
      if let name = sharedName(of: row) { naming.name(index, row, name) }
    }
    gather(named, naming)
  }

  /// Whether a row of an activity is there only because it reached it by key or channel.
  package func fansOut(_ row: PackedRow, in activity: Int) -> Bool {
    row.activity < 0 && row.token < 0 && isReached(activity)
  }

  /// Whether a row of an activity is there only because it reached it by key or channel.
  package func fansOut(_ row: Row, in activity: Int) -> Bool {
    row.activity < 0 && row.token < 0 && isReached(activity)
  }

  private func isReached(_ activity: Int) -> Bool {
    switch names[activity] {
    case .activity, .token, .start: true
    case .channel, .key: false
    }
  }
}

/// From when to when activities are reached by their keys and channels.
struct Reaches {
  /// Rows after `at`, `seq` reach it up to and including `until`, which never falls from one to the
  /// next.
  private struct Span {
    var at: Int64
    var seq: Int64
    var until: Int64

    func precedes(_ row: Row) -> Bool { (at, seq) < (row.at, row.seq) }
  }

  /// An activity, as one key or channel reaches it.
  private struct Target {
    var activity: Int
    var spans: [Span]

    /// Whether some span holds a row.
    func isReached(by row: Row) -> Bool {
      var low = 0
      var high = spans.count
      while low < high {
        let middle = (low + high) / 2
        if spans[middle].precedes(row) { low = middle + 1 } else { high = middle }
      }
      return low > 0 && spans[low - 1].until >= row.at
    }
  }

  /// The targets of one key or channel. Rows ask in order, so a target comes into view once and
  /// leaves it once.
  private struct Sweep {
    var targets: [Target]
    var next = 0
    var inView: [Int] = []
  }

  /// A key or channel on one device, −1 for activities of which none is known; −2 for all.
  private struct Place: Hashable {
    var word: Int32
    var device: Int32
  }

  private let limits: SystemLimits
  private var byKey: [Place: Sweep] = [:]
  private var byChannel: [Place: Sweep] = [:]

  /// Looks at those activities of ids, tokens and starts that say an asked word for what rows that
  /// fan out may reach.
  init(of fanning: [Int32], _ resolution: Resolution, _ activities: [Int]) {
    let set = resolution.set
    limits = set.limits
    var keys = [Bool](repeating: false, count: set.texts.count)
    var channels = keys
    for index in fanning {
      let row = set.rows[Int(index)]
      if row.channel >= 0 { channels[Int(row.channel)] = true } else { keys[Int(row.key)] = true }
    }
    var targetsOfKey: [Place: [Target]] = [:]
    var targetsOfChannel: [Place: [Target]] = [:]
    for activity in activities {
      let members = resolution.members[activity]
      let device = resolution.activityScopes[activity].device
      var beginnings: [Span] = []
      var latest: Int64?
      var ownKeys: [Int32] = []
      var subscriptions: [Int32: [Span]] = [:]
      for index in members {
        let row = set.rows.packed[Int(index)]
        guard row.isFolded else { continue }
        if row.key >= 0, keys[Int(row.key)], !ownKeys.contains(row.key) { ownKeys.append(row.key) }
        guard !row.answer.refuses else { continue }
        let isStart = row.kind == .start
        let details = isStart ? set.rows.details(of: row) : RowDetails()
        if Reaches.begins(row, after: latest, limits) {
          let until = Reaches.keyEnd(of: row, date: details.date, limits)
          Reaches.extend(&beginnings, by: row, until: until)
        }
        latest = row.at
        guard isStart else { continue }
        for channel in Set([details.channel, details.inputPushChannel])
        where channel >= 0 && channels[Int(channel)] {
          Reaches.extend(
            &subscriptions[channel, default: []], by: row,
            until: Reaches.channelEnd(of: row, date: details.date, limits))
        }
      }
      for key in ownKeys where !beginnings.isEmpty {
        Reaches.add(Target(activity: activity, spans: beginnings), key, device, to: &targetsOfKey)
      }
      for (channel, spans) in subscriptions {
        Reaches.add(
          Target(activity: activity, spans: spans), channel, device, to: &targetsOfChannel)
      }
    }
    byKey = targetsOfKey.mapValues(Reaches.sweep)
    byChannel = targetsOfChannel.mapValues(Reaches.sweep)
  }

  /// A target is reached by its word alone, and by its word on its device.
  private static func add(
    _ target: Target, _ word: Int32, _ device: Int32, to targets: inout [Place: [Target]]
  ) {
    targets[Place(word: word, device: -2), default: []].append(target)
    targets[Place(word: word, device: device), default: []].append(target)
  }

  private static func begins(
    _ row: PackedRow, after latest: Int64?, _ limits: SystemLimits
  ) -> Bool {
    guard let latest, row.kind != .start else { return true }
    return row.at.subtractingClamped(latest) > limits.silence.microseconds
  }

  /// Until when a beginning is reached by its key: 12 h, or up to its start-date.
  private static func keyEnd(
    of row: PackedRow, date: Int64, _ limits: SystemLimits
  ) -> Int64 {
    let usual = row.at.addingClamped(limits.keyReach.microseconds)
    guard row.kind == .start, date != EventColumns.absent else { return usual }
    return max(usual, date.subtractingClamped(1))
  }

  /// Until when a start is reached by its channel: 12 h from when it begins.
  private static func channelEnd(
    of row: PackedRow, date: Int64, _ limits: SystemLimits
  ) -> Int64 {
    var from = row.at
    if date != EventColumns.absent {
      from = max(from, min(date, from.addingClamped(limits.schedule.microseconds)))
    }
    return from.addingClamped(limits.keyReach.microseconds)
  }

  private static func extend(_ spans: inout [Span], by row: PackedRow, until: Int64) {
    let furthest = max(until, spans.last?.until ?? .min)
    spans.append(Span(at: row.at, seq: row.seq, until: furthest))
  }

  private static func sweep(_ targets: [Target]) -> Sweep {
    Sweep(
      targets: targets.sorted { one, other in
        (one.spans[0].at, one.spans[0].seq, one.activity)
          < (other.spans[0].at, other.spans[0].seq, other.activity)
      })
  }

  /// Hands over every activity that a row's key or channel reaches and that its device, −1 for
  /// none, allows, whatever the rest of its scope. Rows are asked for in order.
  mutating func forEach(reachedBy row: Row, on device: Int32, _ take: (Int) -> Void) {
    for device in device < 0 ? [-2] : [device, -1] {
      if row.channel >= 0 {
        let place = Place(word: row.channel, device: device)
        guard byChannel[place] != nil else { continue }
        Reaches.forEach(&byChannel[place, default: Sweep(targets: [])], row, take)
      } else {
        let place = Place(word: row.key, device: device)
        guard byKey[place] != nil else { continue }
        Reaches.forEach(&byKey[place, default: Sweep(targets: [])], row, take)
      }
    }
  }

  private static func forEach(_ sweep: inout Sweep, _ row: Row, _ take: (Int) -> Void) {
    while sweep.next < sweep.targets.count, sweep.targets[sweep.next].spans[0].precedes(row) {
      sweep.inView.append(sweep.next)
      sweep.next += 1
    }
    let targets = sweep.targets
    sweep.inView.removeAll { targets[$0].spans[targets[$0].spans.count - 1].until < row.at }
    for number in sweep.inView where targets[number].isReached(by: row) {
      take(targets[number].activity)
    }
  }
}

/// I9: where rows of a key that reached nothing opened an activity of the key itself.
struct KeyHomes {
  /// By key and scope: when the latest such row came.
  private var latest: [Int32: [Int32: Int64]] = [:]

  /// A row that kept its name.
  mutating func note(_ row: Row) {
    guard row.channel < 0, row.kind != .end, row.kind != .alert else { return }
    latest[row.key, default: [:]][row.scope] = row.at
  }

  /// Whether a row that reached other activities is one of its key's own too.
  func hold(_ row: Row, in set: RowSet) -> Bool {
    guard let homes = latest[row.key] else { return false }
    return homes.contains { scope, at in
      row.at.subtractingClamped(at) <= set.limits.keyReach.microseconds
        && set.scopes[scope].agrees(with: set.scopes[row.scope])
    }
  }
}

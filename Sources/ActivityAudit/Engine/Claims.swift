internal import ActivityCore

/// EVENTS 2.3 and 2.5, as far as the audit needs them: which push start became which activity.
///
/// Resolution leaves claims open (I7), so a push start and the card it became are two activities;
/// counting both would report every well-ended card once as a leak.
struct Claims {
  private(set) var shadows: Set<Int> = []
  private(set) var answered: Set<Int> = []
  private(set) var addressees: [Int: Int32] = [:]

  /// An activity that a start may have become.
  private struct Candidate {
    var activity: Int
    var at: Int64
    var device: Int32
    var isClaimed = false
  }

  /// A key or a type, on a device.
  private struct Pair: Hashable {
    var device: Int32
    var word: Int32
  }

  /// Candidates in order. Starts ask in order too, so what came before one is never asked for
  /// again, and claiming stays linear.
  private struct Queue {
    var numbers: [Int] = []
    var head = 0
  }

  private static let byDevice: Int64 = 120_000_000
  private static let tokenReach: Int64 = 36 * 3_600_000_000

  private let resolution: Resolution
  private var candidates: [Candidate] = []
  private var byKey: [Int32: Queue] = [:]
  private var byKeyAndDevice: [Pair: Queue] = [:]
  private var byTypeAndDevice: [Pair: Queue] = [:]
  private var owners: [Int32: [(at: Int64, device: Int32)]] = [:]

  init(_ resolution: Resolution) {
    self.resolution = resolution
    var starts: [(activity: Int, row: Row)] = []
    var keyed: [(activity: Int, key: Int32, at: Int64)] = []
    for (activity, members) in resolution.members.enumerated() {
      guard let first = members.first else { continue }
      let row = resolution.set.rows[Int(first)]
      switch resolution.names[activity] {
      case .start: starts.append((activity, row))
      case .key(let key): keyed.append((activity, key, row.at))
      case .activity, .token: add(activity, members)
      case .channel: break
      }
    }
    guard !starts.isEmpty || !keyed.isEmpty else { return }
    candidates.sort { ($0.at, $0.activity) < ($1.at, $1.activity) }
    index()
    if !starts.isEmpty { findOwners() }
    for start in starts.sorted(by: { $0.row.precedes($1.row) }) { claim(start) }
    for act in keyed {
      let known = (byKey[act.key]?.numbers ?? []).contains { number in
        let distance = act.at.subtractingClamped(candidates[number].at)
        return distance >= 0 && distance <= Relations.keyReach
      }
      if known { shadows.insert(act.activity) }
    }
  }

  private mutating func add(_ activity: Int, _ members: [Int32]) {
    let first = resolution.set.rows[Int(members[0])]
    candidates.append(
      Candidate(
        activity: activity, at: first.at, device: resolution.activityScopes[activity].device))
  }

  private mutating func index() {
    for (number, candidate) in candidates.enumerated() {
      var key: Int32 = -1
      var type: Int32 = -1
      for index in resolution.members[candidate.activity] {
        let row = resolution.set.rows[Int(index)]
        if key < 0 { key = row.key }
        if type < 0 { type = resolution.set.facts[row.facts].attributesType }
        if key >= 0, type >= 0 { break }
      }
      if key >= 0 {
        byKey[key, default: Queue()].numbers.append(number)
        byKeyAndDevice[Pair(device: candidate.device, word: key), default: Queue()].numbers
          .append(number)
      }
      if candidate.device >= 0, type >= 0 {
        byTypeAndDevice[Pair(device: candidate.device, word: type), default: Queue()].numbers
          .append(number)
      }
    }
  }

  /// Whose start token is whose.
  private mutating func findOwners() {
    for row in resolution.set.rows where row.kind == .token && row.token >= 0 {
      guard row.marks.contains(.otherToken) else { continue }
      let device = resolution.set.scopes[row.scope].device
      if device >= 0 { owners[row.token, default: []].append((row.at, device)) }
    }
    for token in owners.keys { owners[token]?.sort { $0 < $1 } }
  }

  private mutating func claim(_ start: (activity: Int, row: Row)) {
    let row = start.row
    var device = resolution.set.scopes[row.scope].device
    if device < 0, let known = owners[row.token] {
      let owner = known.last { $0.at <= row.at && row.at - $0.at <= Claims.tokenReach }
      device = owner?.device ?? -1
    }
    if device >= 0 { addressees[start.activity] = device }
    let type = resolution.set.facts[row.facts].attributesType
    guard let number = next(row.key, device, row.at) ?? next(type: type, device, row.at) else {
      return
    }
    candidates[number].isClaimed = true
    answered.insert(start.activity)
    if !row.answer.refuses { shadows.insert(start.activity) }
  }

  /// The first unclaimed candidate of the key that may be on the device.
  private mutating func next(_ key: Int32, _ device: Int32, _ at: Int64) -> Int? {
    guard key >= 0 else { return nil }
    let reach = Relations.keyReach
    guard device >= 0 else {
      return Claims.first(candidates, &byKey[key, default: Queue()], at, reach)
    }
    let here = Claims.first(
      candidates, &byKeyAndDevice[Pair(device: device, word: key), default: Queue()], at, reach)
    let unknown = Claims.first(
      candidates, &byKeyAndDevice[Pair(device: -1, word: key), default: Queue()], at, reach)
    return [here, unknown].compactMap(\.self).min()
  }

  private mutating func next(type: Int32, _ device: Int32, _ at: Int64) -> Int? {
    guard type >= 0, device >= 0 else { return nil }
    return Claims.first(
      candidates, &byTypeAndDevice[Pair(device: device, word: type), default: Queue()], at,
      Claims.byDevice)
  }

  private static func first(
    _ candidates: [Candidate], _ queue: inout Queue, _ at: Int64, _ reach: Int64
  ) -> Int? {
    while queue.head < queue.numbers.count {
      let candidate = candidates[queue.numbers[queue.head]]
      if !candidate.isClaimed, candidate.at >= at {
        return candidate.at.subtractingClamped(at) <= reach ? queue.numbers[queue.head] : nil
      }
      queue.head += 1
    }
    return nil
  }
}

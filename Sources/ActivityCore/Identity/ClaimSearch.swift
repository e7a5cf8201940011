/// Finds for one start after the other the earliest activity that nothing claimed yet (I7).
struct ClaimSearch {
  /// An activity that a start may have become.
  struct Candidate {
    var activity: Int
    /// Index of its first folded row.
    var first: Int32
    var at: Int64
    var scope: Scope
    /// The first key and the first type its rows say, −1 for none.
    var key: Int32 = -1
    var type: Int32 = -1
    /// Whether its first `start` row is no push.
    var isStartedByApp = false
    var isClaimed = false
  }

  /// A key or a type, on a device; −2 stands for all devices together.
  private struct Place: Hashable {
    var word: Int32
    var device: Int32
  }

  /// Candidates in order. Starts ask in order too, so what came before one is never asked for
  /// again, and claiming stays linear.
  private struct Queue {
    var numbers: [Int] = []
    var head = 0
  }

  private static let anywhere: Int32 = -2

  private let limits: SystemLimits
  private var candidates: [Candidate] = []
  private var byKey: [Place: Queue] = [:]
  private var byType: [Place: Queue] = [:]

  /// Looks at activities known so far, those of ids and tokens, that starts may ask for.
  init(_ resolution: Resolution, _ activities: [Int]) {
    limits = resolution.set.limits
    for activity in activities {
      if let candidate = ClaimSearch.candidate(activity, resolution) {
        candidates.append(candidate)
      }
    }
    candidates.sort { one, other in
      one.first == other.first
        ? one.activity < other.activity : resolution.set.precedes(one.first, other.first)
    }
  }

  private static func candidate(_ activity: Int, _ resolution: Resolution) -> Candidate? {
    let set = resolution.set
    var candidate: Candidate?
    var seesStart = false
    for index in resolution.members[activity] {
      let row = set.rows.packed[Int(index)]
      guard row.isFolded else { continue }
      var known =
        candidate
        ?? Candidate(
          activity: activity, first: index, at: row.at,
          scope: resolution.activityScopes[activity])
      if known.key < 0 { known.key = row.key }
      if known.type < 0 { known.type = set.facts[row.facts].attributesType }
      if row.kind == .start, !seesStart {
        seesStart = true
        known.isStartedByApp = !row.isByPush
      }
      candidate = known
      if known.key >= 0, known.type >= 0, seesStart { break }
    }
    return candidate
  }

  /// Makes the candidates that a filter lets through, and nothing claimed, the ones asked for.
  mutating func index(_ isAsked: (Candidate) -> Bool) {
    byKey = [:]
    byType = [:]
    for (number, candidate) in candidates.enumerated()
    where !candidate.isClaimed && isAsked(candidate) {
      let device = candidate.scope.device
      if candidate.key >= 0 {
        for device in [device, ClaimSearch.anywhere] {
          byKey[Place(word: candidate.key, device: device), default: Queue()].numbers
            .append(number)
        }
      }
      if candidate.type >= 0, device >= 0 {
        byType[Place(word: candidate.type, device: device), default: Queue()].numbers
          .append(number)
      }
    }
  }

  /// The activity a start became, if any; it is claimed then. Starts ask in order.
  mutating func claim(for start: ClaimingStart) -> Int? {
    guard let number = ofKey(start) ?? ofType(start) else { return nil }
    candidates[number].isClaimed = true
    return candidates[number].activity
  }

  private mutating func ofKey(_ start: ClaimingStart) -> Int? {
    guard start.key >= 0 else { return nil }
    let device = start.scope.device
    let devices = device < 0 ? [ClaimSearch.anywhere] : [device, -1]
    let reach = limits.keyReach.microseconds
    return devices.compactMap { device in
      let place = Place(word: start.key, device: device)
      guard byKey[place] != nil else { return nil }
      return ClaimSearch.first(
        of: candidates, &byKey[place, default: Queue()], start, within: reach
      ) { _ in true }
    }.min()
  }

  private mutating func ofType(_ start: ClaimingStart) -> Int? {
    let place = Place(word: start.type, device: start.scope.device)
    guard start.type >= 0, start.scope.device >= 0, byType[place] != nil else { return nil }
    let reach = limits.typeReach.microseconds
    return ClaimSearch.first(
      of: candidates, &byType[place, default: Queue()], start, within: reach
    ) { candidate in
      start.key < 0 || candidate.key < 0 || start.key == candidate.key
    }
  }

  private static func first(
    of candidates: [Candidate], _ queue: inout Queue, _ start: ClaimingStart,
    within reach: Int64, _ fits: (Candidate) -> Bool
  ) -> Int? {
    while queue.head < queue.numbers.count {
      let candidate = candidates[queue.numbers[queue.head]]
      guard candidate.isClaimed || candidate.at < start.at else { break }
      queue.head += 1
    }
    for number in queue.numbers[queue.head...] {
      let candidate = candidates[number]
      if candidate.at.subtractingClamped(start.at) > reach { return nil }
      if !candidate.isClaimed, candidate.scope.agrees(with: start.scope), fits(candidate) {
        return number
      }
    }
    return nil
  }
}

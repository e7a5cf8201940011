internal import ActivityCore

/// Who recorded what, from when to when: what the audit's verdicts rest on.
struct Survey: Sendable {
  /// One recorder's span; code −1 stands for all lines that name none.
  struct Recorder: Sendable {
    var first: Int64
    var last: Int64
    var rows: Int
  }

  var recorders: [Int32: Recorder] = [:]
  /// By device: who has a row on it.
  var recordersOfDevice: [Int32: [Int32]] = [:]
  /// By recorder: the spans it says it lost, in order.
  var holes: [Int32: [(from: Int64, until: Int64)]] = [:]
  var met: Set<RuleInfo.Need> = []
  var hasPushes = false
  var first = Int64.max
  var last = Int64.min
  var rows = 0

  /// By kind, indexes in order of rows that are not, or not only, about one activity: what devices
  /// allow, channels, orders, tokens that start, failures, inventories.
  var asides: [EventKind: [Int32]] = [:]
  /// Indexes in order of pushes to channels.
  var broadcasts: [Int32] = []

  init(_ resolution: Resolution, _ contents: Contents, finishedRows: Set<Int64>) {
    let set = resolution.set
    if contents.isRead { met.insert(.content) }
    var seen: Set<Int64> = []
    for (index, row) in set.rows.enumerated() where !row.marks.contains(.listed) {
      count(row)
      if row.headers != 0 { met.insert(.headers) }
      if !row.isFolded || row.kind == .token {
        asides[row.kind, default: []].append(Int32(index))
      }
      if row.channel >= 0, row.isBroadcast { broadcasts.append(Int32(index)) }
      let device = set.scopes[row.scope].device
      if device >= 0, seen.insert(Int64(device) << 32 | Int64(row.recorder) + 1).inserted {
        recordersOfDevice[device, default: []].append(row.recorder)
      }
    }
    for kind in asides.keys {
      asides[kind]?.sort { set.rows[Int($0)].precedes(set.rows[Int($1)]) }
    }
    broadcasts.sort { set.rows[Int($0)].precedes(set.rows[Int($1)]) }
    for coverage in set.coverages where coverage.until > coverage.from {
      holes[coverage.recorder, default: []].append((coverage.from, coverage.until))
    }
    for recorder in holes.keys { holes[recorder]?.sort { $0 < $1 } }
    if !set.works.isEmpty || !finishedRows.isEmpty { met.insert(.work) }
  }

  private mutating func count(_ row: Row) {
    rows += 1
    first = min(first, row.at)
    last = max(last, row.at)
    var recorder = recorders[row.recorder] ?? Recorder(first: row.at, last: row.at, rows: 0)
    recorder.first = min(recorder.first, row.at)
    recorder.last = max(recorder.last, row.at)
    recorder.rows += 1
    recorders[row.recorder] = recorder
    if row.key >= 0 { met.insert(.key) }
    switch row.kind {
    case .start, .update, .alert, .end:
      if row.isByPush {
        hasPushes = true
        if row.answer != .none { met.insert(.responses) }
      }
    case .token: met.insert(.tokens)
    case .stale, .dismiss, .state, .inventory: met.insert(.deviceEvidence)
    case .unknown, .response, .failure, .authorization, .channel, .work, .coverage: break
    }
  }

  /// How far a recorder saw without a gap since an instant.
  func reach(of recorder: Int32, since opening: Int64) -> Int64 {
    guard let span = recorders[recorder] else { return .min }
    let hole = holes[recorder]?.first { $0.until > opening }
    return min(span.last, hole?.from ?? .max)
  }
}

extension Row {
  /// Whether it is a push to a channel, not to a card.
  fileprivate var isBroadcast: Bool {
    kind.isAct && (source == .broadcast || activity < 0 && token < 0)
  }
}

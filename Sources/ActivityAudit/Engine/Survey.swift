internal import ActivityCore

/// Who recorded what, from when to when, and what of it is about no single life: one pass over all
/// rows in the order they lie in.
struct Survey: Sendable {
  /// One recorder's span; code −1 stands for all lines that name none.
  struct Recorder: Sendable {
    let code: Int32
    var first: Int64
    var last: Int64
    var rows = 0
    var sent = SenderCounts()
  }

  private(set) var recorders: [Recorder] = []
  /// By recorder's number: the spans it says it lost, in order.
  private(set) var holes: [Int32: [(from: Int64, until: Int64)]] = [:]
  private(set) var met: Set<RuleInfo.Need> = []
  private(set) var hasPushes = false
  /// Whether rows lie in the order in which things happened.
  private(set) var isInOrder = true
  private(set) var first = Int64.max
  private(set) var last = Int64.min
  private(set) var rows = 0
  /// Indexes in order of pushes to channels.
  private(set) var broadcasts: [Int32] = []

  /// By code + 1: the recorder's number, −1 for words that are none.
  private var numbers: [Int32]
  /// By code: who of the first 64 recorders has a row on a device; and who of the others.
  private var masks: [UInt64]
  private var others: [Int32: Set<Int32>] = [:]
  /// By kind: rows that are not, or not only, about one activity.
  private var asides = [[Int32]](repeating: [], count: EventKind.allCases.count)

  init(_ resolution: Resolution, _ contents: Contents, finishedRows: Set<Int64>, _ hidden: Hidden) {
    let set = resolution.set
    numbers = [Int32](repeating: -1, count: set.texts.count + 1)
    masks = [UInt64](repeating: 0, count: set.texts.count)
    if contents.isRead { met.insert(.content) }
    var seen = Seen()
    let headers = HeaderFlags(set)
    let rows = set.rows
    for (index, row) in rows.packed.enumerated() {
      if row.marks.contains(.listed) { continue }
      let kind = row.kind
      let number = number(of: row)
      recorders[number].count(row)
      seen.take(row, kind)
      let device = set.scopes[row.scope].device
      if device >= 0 { meet(device, number) }
      if kind == .token || !row.isFolded { asides[Int(kind.rawValue)].append(Int32(index)) }
      guard kind.isAct else { continue }
      let details = rows.details(of: row)
      if details.headers != 0 { seen.hasHeaders = true }
      let isBroadcast = row.source == .broadcast || row.activity < 0 && row.token < 0
      if details.channel >= 0, isBroadcast { broadcasts.append(Int32(index)) }
      if rows.isNamed(row), !hidden.contains(row: index) {
        recorders[number].sent.count(row, headers[details.headers], set.facts[row.facts])
      }
    }
    finish(set, seen)
    if !set.works.isEmpty || !finishedRows.isEmpty { met.insert(.work) }
  }

  /// What was seen of all rows.
  private struct Seen {
    var first = Int64.max
    var last = Int64.min
    var rows = 0
    var kinds: UInt16 = 0
    var hasKeys = false
    var hasHeaders = false
    var hasPushes = false
    var hasAnswers = false
    var isInOrder = true
    private var latest: (at: Int64, seq: Int64) = (.min, .min)

    /// What a row shows beside its headers.
    mutating func take(_ row: PackedRow, _ kind: EventKind) {
      rows += 1
      first = min(first, row.at)
      last = max(last, row.at)
      kinds |= 1 << UInt16(kind.rawValue)
      if row.key >= 0 { hasKeys = true }
      if row.isByPush, kind.isAct {
        hasPushes = true
        if row.answer != .none { hasAnswers = true }
      }
      if (row.at, row.seq) < latest { isInOrder = false }
      latest = (row.at, row.seq)
    }

    func has(_ kind: EventKind) -> Bool { kinds & 1 << UInt16(kind.rawValue) != 0 }
  }

  private mutating func finish(_ set: RowSet, _ seen: Seen) {
    (first, last, rows, hasPushes) = (seen.first, seen.last, seen.rows, seen.hasPushes)
    if seen.hasHeaders { met.insert(.headers) }
    if seen.hasKeys { met.insert(.key) }
    if seen.hasAnswers { met.insert(.responses) }
    if seen.has(.token) { met.insert(.tokens) }
    let evidence: [EventKind] = [.stale, .dismiss, .state, .inventory]
    if evidence.contains(where: seen.has) { met.insert(.deviceEvidence) }
    isInOrder = seen.isInOrder
    if !isInOrder {
      for kind in asides.indices { Survey.sort(&asides[kind], set) }
      Survey.sort(&broadcasts, set)
    }
    for coverage in set.coverages where coverage.until > coverage.from {
      guard let number = number(of: coverage.recorder) else { continue }
      holes[number, default: []].append((coverage.from, coverage.until))
    }
    for recorder in holes.keys { holes[recorder]?.sort { $0 < $1 } }
  }

  /// Times are looked up once for each row, not for each comparison.
  private static func sort(_ indexes: inout [Int32], _ set: RowSet) {
    var keys = indexes.map { index in
      (at: set.rows.packed[Int(index)].at, seq: set.rows.packed[Int(index)].seq, index: index)
    }
    keys.sort { ($0.at, $0.seq) < ($1.at, $1.seq) }
    for (place, key) in keys.enumerated() { indexes[place] = key.index }
  }

  private mutating func number(of row: PackedRow) -> Int {
    let known = numbers[Int(row.recorder) + 1]
    if known >= 0 { return Int(known) }
    numbers[Int(row.recorder) + 1] = Int32(recorders.count)
    recorders.append(Recorder(code: row.recorder, first: row.at, last: row.at))
    return recorders.count - 1
  }

  private mutating func meet(_ device: Int32, _ number: Int) {
    if number < 64 {
      masks[Int(device)] |= 1 << UInt64(number)
    } else {
      others[device, default: []].insert(Int32(number))
    }
  }

  /// The rows of a kind that are not folded into cards, and all `token` rows, in order.
  func rows(of kind: EventKind) -> [Int32] { asides[Int(kind.rawValue)] }

  /// The number of a recorder by its code; nil for a word that is none.
  func number(of code: Int32) -> Int32? {
    let number = numbers[Int(code) + 1]
    return number < 0 ? nil : number
  }

  /// The spans a recorder says it lost, in order.
  func holes(of recorder: Recorder) -> [(from: Int64, until: Int64)] {
    number(of: recorder.code).flatMap { holes[$0] } ?? []
  }

  /// What a recorder sent.
  func sent(by code: Int32) -> SenderCounts {
    number(of: code).map { recorders[Int($0)].sent } ?? SenderCounts()
  }

  /// How far a recorder saw without a gap since an instant.
  private func reach(of number: Int32, since opening: Int64) -> Int64 {
    let last = recorders[Int(number)].last
    if holes.isEmpty { return last }
    let hole = holes[number]?.first { $0.until > opening }
    return min(last, hole?.from ?? .max)
  }

  /// The latest instant to which one of these recorders, or one that has rows on a device, saw
  /// without a gap since a life began; nil when there are none.
  func reach(of witnesses: Witnesses, device: Int32, since opening: Int64) -> Int64? {
    var latest: Int64?
    var mask = witnesses.mask
    if device >= 0 { mask |= masks[Int(device)] }
    while mask != 0 {
      let number = Int32(mask.trailingZeroBitCount)
      mask &= mask - 1
      latest = max(latest ?? .min, reach(of: number, since: opening))
    }
    guard recorders.count > 64 else { return latest }
    for number in witnesses.others.union(others[device] ?? []) {
      latest = max(latest ?? .min, reach(of: number, since: opening))
    }
    return latest
  }

  /// Recorders that have rows on one activity.
  struct Witnesses {
    fileprivate(set) var mask: UInt64 = 0
    fileprivate(set) var others: Set<Int32> = []
  }

  /// Who has a row on an activity with these rows.
  func witnesses(
    _ members: some Sequence<Int32>, _ rows: RowList
  ) -> Witnesses {
    var witnesses = Witnesses()
    for index in members {
      let number = numbers[Int(rows.packed[Int(index)].recorder) + 1]
      if number >= 0, number < 64 {
        witnesses.mask |= 1 << UInt64(number)
      } else if number >= 0 {
        witnesses.others.insert(number)
      }
    }
    return witnesses
  }
}

extension Survey.Recorder {
  fileprivate mutating func count(_ row: PackedRow) {
    rows += 1
    first = min(first, row.at)
    last = max(last, row.at)
  }
}

extension RowList {
  /// Whether anything says whom a row is about.
  func isNamed(_ row: PackedRow) -> Bool {
    row.activity >= 0 || row.token >= 0 || row.key >= 0 || details(of: row).channel >= 0
  }
}

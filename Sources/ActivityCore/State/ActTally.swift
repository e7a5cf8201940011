/// I11: tells which applied acts of one life are attempts or witnesses of an earlier one.
struct ActTally {
  /// Same token, version and kind as one that was not taken.
  private struct Attempt: Hashable {
    var kind: EventKind
    var token: Int32
    var version: Int64
  }

  /// What two recorders write of one act.
  private struct Witness: Hashable {
    var kind: EventKind
    var version: Int64
    var staleDate: Int64
    var hasAlert: Bool
    var source: Source
  }

  private struct Push: Hashable {
    var kind: EventKind
    var id: PushID
  }

  /// All acts so far by what ties later ones to them.
  private struct Index {
    var pushes: Set<Push> = []
    var attempts: Set<Attempt> = []
    /// The recorder that wrote them, nil for several.
    var witnesses: [Witness: Int32?] = [:]
  }

  /// Few acts are looked through one by one; this many are looked up.
  private static let scanMax = 32

  /// Rows that a later one may be the same act as.
  private var rows: [Int32] = []
  private var index: Index?

  /// Begins a new life.
  mutating func forget() {
    rows.removeAll(keepingCapacity: true)
    index = nil
  }

  /// Takes an applied act; false when it is the same act as one taken before.
  mutating func takes(_ number: Int32, in all: [Row]) -> Bool {
    let row = all[Int(number)]
    guard row.push != .none || row.marks.contains(.versioned) else { return true }
    if index != nil { return takeIndexed(row) }
    let isNew = !rows.contains { ActTally.isSame(all[Int($0)], row) }
    rows.append(number)
    if rows.count == ActTally.scanMax {
      index = Index()
      for number in rows { _ = takeIndexed(all[Int(number)]) }
    }
    return isNew
  }

  /// Whether a later row is an attempt or a witness of an earlier one.
  private static func isSame(_ earlier: Row, _ row: Row) -> Bool {
    guard earlier.kind == row.kind else { return false }
    if row.push != .none, earlier.push == row.push { return true }
    guard earlier.version == row.version, earlier.marks.contains(.versioned),
      row.marks.contains(.versioned)
    else { return false }
    if row.token >= 0, earlier.token == row.token, earlier.answer != .accepted { return true }
    return earlier.recorder != row.recorder && witness(earlier) == witness(row)
  }

  private static func witness(_ row: Row) -> Witness {
    Witness(
      kind: row.kind, version: row.version, staleDate: row.staleDate,
      hasAlert: row.kind == .alert || row.flags.contains(.alert), source: row.source)
  }

  /// The same by look-up.
  private mutating func takeIndexed(_ row: Row) -> Bool {
    var isNew = true
    if row.push != .none {
      let push = Push(kind: row.kind, id: row.push)
      if index?.pushes.insert(push).inserted == false { isNew = false }
    }
    guard row.marks.contains(.versioned) else { return isNew }
    if row.token >= 0 {
      let attempt = Attempt(kind: row.kind, token: row.token, version: row.version)
      if index?.attempts.contains(attempt) == true { isNew = false }
      if row.answer != .accepted { index?.attempts.insert(attempt) }
    }
    let witness = ActTally.witness(row)
    if let known = index?.witnesses[witness] {
      if known != row.recorder {
        isNew = false
        index?.witnesses[witness] = .some(nil)
      }
    } else {
      index?.witnesses[witness] = row.recorder
    }
    return isNew
  }
}

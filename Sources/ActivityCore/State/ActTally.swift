/// What ties an applied act to an earlier one of the same life (I11).
struct CountedAct: Sendable {
  var kind: EventKind
  var source: Source
  var isVersioned: Bool
  var isAccepted: Bool
  var hasAlert: Bool
  var token: Int32
  var recorder: Int32
  var version: Int64
  var staleDate: Int64
  var push: PushID

  init(_ row: PackedRow, push: PushID) {
    kind = row.kind
    source = row.source
    isVersioned = row.marks.contains(.versioned)
    isAccepted = row.answer == .accepted
    hasAlert = row.kind == .alert || row.flags.contains(.alert)
    token = row.token
    recorder = row.recorder
    version = row.version
    staleDate = row.staleDate
    self.push = push
  }

  /// Whether a later act is an attempt or a witness of this earlier one.
  func isSame(as later: CountedAct) -> Bool {
    guard kind == later.kind else { return false }
    if later.push != .none, push == later.push { return true }
    guard version == later.version, isVersioned, later.isVersioned else { return false }
    if later.token >= 0, token == later.token, !isAccepted { return true }
    return recorder != later.recorder && staleDate == later.staleDate
      && hasAlert == later.hasAlert && source == later.source
  }
}

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

    init(_ act: CountedAct) {
      kind = act.kind
      version = act.version
      staleDate = act.staleDate
      hasAlert = act.hasAlert
      source = act.source
    }
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

  /// Acts that a later one may be the same as.
  private var acts: [CountedAct] = []
  private var index: Index?

  /// Begins a new life.
  mutating func forget() {
    if !acts.isEmpty { acts.removeAll(keepingCapacity: true) }
    if index != nil { index = nil }
  }

  /// Takes an applied act; false when it is the same act as one taken before.
  mutating func takes(_ row: PackedRow, push: PushID) -> Bool {
    guard push != .none || row.marks.contains(.versioned) else { return true }
    let act = CountedAct(row, push: push)
    if index != nil { return takeIndexed(act) }
    let isNew = !acts.contains { $0.isSame(as: act) }
    acts.append(act)
    if acts.count == ActTally.scanMax {
      index = Index()
      for act in acts { _ = takeIndexed(act) }
    }
    return isNew
  }

  /// The same by look-up.
  private mutating func takeIndexed(_ act: CountedAct) -> Bool {
    var isNew = true
    if act.push != .none {
      let push = Push(kind: act.kind, id: act.push)
      if index?.pushes.insert(push).inserted == false { isNew = false }
    }
    guard act.isVersioned else { return isNew }
    if act.token >= 0 {
      let attempt = Attempt(kind: act.kind, token: act.token, version: act.version)
      if index?.attempts.contains(attempt) == true { isNew = false }
      if !act.isAccepted { index?.attempts.insert(attempt) }
    }
    let witness = Witness(act)
    if let known = index?.witnesses[witness] {
      if known != act.recorder {
        isNew = false
        index?.witnesses[witness] = .some(nil)
      }
    } else {
      index?.witnesses[witness] = act.recorder
    }
    return isNew
  }
}

/// The one loop: rows of one activity, in order, become its lives.
///
/// One fold serves one activity after the other and keeps its buffers.
package struct Fold: Sendable {
  /// One life, and which of the fold's steps are its own.
  package struct FoldedLife: Sendable {
    package var life: Life
    package var steps: Range<Int>
  }

  private let rows: RowList
  private let facts: Interned<Facts>
  private let names: [ActivityName]
  private let members: MemberLists
  private let verdicts: [Int: [Int32]]
  private let newestTokens: [Int: Int32]
  /// Whether any decode failure could name a content act that it follows.
  private let hasDecodeFailures: Bool
  package let view: LogView
  let limits: SystemLimits
  private let until: Int64
  private let keepsSteps: Bool

  /// The rows of the lists from one place on. Rows of an activity lie far apart, and waiting for
  /// one after the other would cost more than folding them; here many are fetched at a time.
  private var near = NearRows()

  private var newestToken: Int32 = -1
  private var isNamedByID = false
  /// Whether a row without id and token is one that only reached this activity (I10).
  private var isReached = false

  /// Lives that are over for good, and the present one last.
  package private(set) var folded: [FoldedLife] = []
  /// The steps of all lives, one life after the other; empty unless they are kept.
  package private(set) var steps: [Step] = []
  /// Where the steps of the present life begin.
  private var firstStep = 0
  private(set) var life = Life()
  /// Content acts (F1, undecodable) that a decode failure without `apns-id` names.
  private(set) var undecodable: Set<Int32> = []
  /// The applied acts of the present life.
  private var acts = ActTally()
  /// The `apns-id` of the row being folded.
  private var push = PushID.none

  /// A fold of activities of a resolution up to an instant; nothing is folded yet.
  package init(of resolution: Resolution, view: LogView, until: Int64, keepsSteps: Bool) {
    rows = resolution.set.rows
    facts = resolution.set.facts
    names = resolution.names
    members = resolution.members
    verdicts = resolution.verdicts
    newestTokens = resolution.newestTokens
    hasDecodeFailures = !resolution.set.marked.decoding.isEmpty
    limits = resolution.set.limits
    self.view = view
    self.until = until
    self.keepsSteps = keepsSteps
  }

  /// Folds one activity of a resolution up to an instant.
  package init(
    _ activity: Int, of resolution: Resolution, view: LogView, until: Int64, keepsSteps: Bool
  ) {
    self.init(of: resolution, view: view, until: until, keepsSteps: keepsSteps)
    near.isForOne = true
    take(activity)
  }

  /// The lives with their own steps.
  package var lives: [(life: Life, steps: [Step])] {
    folded.map { ($0.life, Array(steps[$0.steps])) }
  }

  /// Folds one activity; what was folded before is forgotten.
  package mutating func take(_ activity: Int) {
    folded.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    firstStep = 0
    newestToken = newestTokens.isEmpty ? -1 : newestTokens[activity] ?? -1
    switch names[activity] {
    case .activity: (isNamedByID, isReached) = (true, true)
    case .token, .start: (isNamedByID, isReached) = (false, true)
    case .channel, .key: (isNamedByID, isReached) = (false, false)
    }
    if hasDecodeFailures { findUndecodable(members[activity]) }
    run(members.places(of: activity), verdicts.isEmpty ? [] : verdicts[activity] ?? [])
  }

  private mutating func run(_ places: Range<Int>, _ verdicts: [Int32]) {
    var next = 0
    for place in places {
      if !near.places.contains(place) { near.fetch(place, places, members, rows) }
      let (index, row) = near[place]
      push = near.push(place)
      while next < verdicts.count, rows.packed[Int(verdicts[next])].precedes(row) {
        judge(verdicts[next])
        next += 1
      }
      if row.isFolded { take(index, row) }
    }
    while next < verdicts.count {
      judge(verdicts[next])
      next += 1
    }
    closeLife()
  }

  /// F1: a decode failure without `apns-id` names the latest content act before it.
  private mutating func findUndecodable(_ members: ArraySlice<Int32>) {
    undecodable = []
    var latest: Int32 = -1
    for index in members {
      let row = rows.packed[Int(index)]
      if row.kind.isContentAct { latest = index }
      if row.marks.contains(.decoding), rows.push(index) == .none, latest >= 0 {
        undecodable.insert(latest)
      }
    }
  }

  private mutating func advance(to instant: Int64) {
    while let move = life.advance(to: instant, limits: limits) {
      guard keepsSteps else { continue }
      steps.append(
        Step(
          cause: .clock(move.kind), at: move.at, seq: move.seq, outcome: .applied,
          before: move.before, after: move.after))
    }
  }

  /// No row moves it any more; the clock still does.
  private mutating func closeLife() {
    advance(to: until)
    // V1: what a sender believes rests on nothing else.
    if view == .sent { life.forgetDoubt() }
    folded.append(FoldedLife(life: life, steps: firstStep..<steps.count))
    life = Life()
    firstStep = steps.count
    acts.forget()
  }

  /// I10: whether a row is here only because it reached this activity by key or channel.
  func fansOut(_ row: PackedRow) -> Bool { isReached && row.activity < 0 && row.token < 0 }

  /// A folded row: first what the clock brought before it, then the row.
  private mutating func take(_ index: Int32, _ row: PackedRow) {
    let counts = view == .device || row.kind.isAct
    let fansOut = fansOut(row)
    if counts {
      if !fansOut, life.lastRowAt != Life.absent,
        row.at.subtractingClamped(life.lastRowAt) > limits.silence.microseconds
      {
        closeLife()
      }
      advance(to: row.at)
    }
    if row.kind == .start, !fansOut, life.phase.isOver, refusal(row, index) == nil,
      !isWitness(row)
    {
      closeLife()
    }
    note(row, fansOut)
    guard counts else { return }
    if !fansOut { countForSilence(row) }
    let before = life.phase
    let outcome = evolve(index, row)
    if keepsSteps {
      steps.append(
        Step(
          cause: .row(index), at: row.at, seq: row.seq, outcome: outcome, before: before,
          after: life.phase))
    }
  }

  /// I6: what one row says of its activity holds for it; what fans out says nothing (I10).
  private mutating func note(_ row: PackedRow, _ fansOut: Bool) {
    life.lastSeq = max(life.lastSeq, row.seq)
    if fansOut { return }
    if row.facts != 0 { life.facts = life.facts.updated(by: facts[row.facts]) }
    if row.key >= 0 { life.key = row.key }
    if life.firstSeq == 0 { life.firstSeq = row.seq }
  }

  /// I5: a scheduled start counts from its start-date.
  private mutating func countForSilence(_ row: PackedRow) {
    // An absent date is before all others.
    let date = row.kind == .start ? rows.details(of: row).date : row.at
    life.lastRowAt = max(life.lastRowAt, row.at, date)
  }

  /// I5: a second recorder's report of the same start.
  func isWitness(_ row: PackedRow) -> Bool {
    guard life.startRow >= 0 else { return false }
    let start = rows.packed[Int(life.startRow)]
    return start.recorder != row.recorder && abs(row.at - start.at) <= limits.witness.microseconds
  }

  /// The one exhaustive switch: every kind moves the life in its own file.
  private mutating func evolve(_ index: Int32, _ row: PackedRow) -> Outcome {
    if !row.kind.isAct, fansOut(row) {
      if !life.isOpen { return .noLife }
      // I10: it revives nothing.
      if row.kind == .state, life.phase.isOver, State.isLife(row) { return .noted }
    }
    return switch row.kind {
    case .start, .update, .end, .alert: act(index, row)
    case .stale: Stale.evolve(&life, index, row, limits)
    case .dismiss: Dismiss.evolve(&life, index, row, limits)
    case .state: shown(index, row)
    case .token: Token.evolve(&life, index, row, limits)
    case .unknown, .inventory, .response, .failure, .authorization, .channel, .work, .coverage:
      .noted
    }
  }

  /// An act takes effect, or has the name of the reason why not.
  private mutating func act(_ index: Int32, _ row: PackedRow) -> Outcome {
    if let reason = notApplied(row, index) {
      if view == .device, reason == .refused, row.answer == .gone { endByGoneToken(row) }
      return reason
    }
    let kind = row.kind
    let flagged = kind == .end && view == .device && row.version < life.mark
    let (updates, alerts) = (life.updates, life.alerts)
    switch kind {
    case .start: Start.evolve(&life, index, row, rows.details(of: row), limits)
    case .update: Update.evolve(&life, index, row, limits)
    case .end: End.evolve(&life, index, row, rows.details(of: row), limits)
    case .alert: if life.isOpen { life.alerts += 1 }
    case .unknown, .stale, .dismiss, .state, .inventory, .response, .failure, .token,
      .authorization, .channel, .work, .coverage:
      break
    }
    if kind.isContentAct { life.mark = max(life.mark, row.version) }
    if kind != .alert, row.flags.contains(.alert) { life.alerts += 1 }
    let isNew = acts.takes(row, push: push)
    if !isNew { (life.updates, life.alerts) = (updates, alerts) }
    return flagged ? .appliedOlder : .applied
  }

  /// F7.
  private mutating func endByGoneToken(_ row: PackedRow) {
    guard life.isOpen, !life.phase.isOver, row.token >= 0, row.token == newestToken else { return }
    life.end(
      at: row.at, dismissal: life.lingers(from: row.at, limits: limits),
      reason: .unknown, cause: .inferred, seq: row.seq)
  }

  /// F8: an inventory that leaves the activity out, an authorization that ends it.
  private mutating func judge(_ index: Int32) {
    guard view == .device, life.isOpen else { return }
    let row = rows.packed[Int(index)]
    advance(to: row.at)
    let before = life.phase
    let lingers = life.lingers(from: row.at, limits: limits)
    if row.kind == .authorization {
      guard life.phase.isLive || life.phase == .pending else { return }
      life.end(
        at: row.at, dismissal: lingers, reason: .disabled, cause: .disabled, seq: row.seq)
    } else {
      guard life.phase.isLive, isNamedByID else { return }
      life.end(at: row.at, dismissal: lingers, reason: .unknown, cause: .inferred, seq: row.seq)
    }
    guard keepsSteps else { return }
    steps.append(
      Step(
        cause: .row(index), at: row.at, seq: row.seq, outcome: .applied, before: before,
        after: life.phase))
  }

  /// F10: life shown after X means that the end by the clock never was.
  private mutating func shown(_ index: Int32, _ row: PackedRow) -> Outcome {
    if life.endCause == .clock, State.isLife(row), !life.dismissObserved {
      life.undoClockEnd(limit: row.at.addingClamped(limits.active.microseconds))
      let kept = steps[firstStep...].filter {
        $0.cause != .clock(.end) && $0.cause != .clock(.dismiss)
      }
      steps.replaceSubrange(firstStep..., with: kept)
      // A stale date between X and now has come to count after all.
      advance(to: row.at)
    }
    return State.evolve(&life, index, row, limits)
  }
}

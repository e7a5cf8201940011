/// The one loop: rows of one activity, in order, become its lives.
package struct Fold {
  package let rows: [Row]
  package let set: RowSet
  package let view: LogView
  private let limits: SystemLimits
  private let newestToken: Int32
  private let isNamedByID: Bool
  /// Whether a row without id and token is one that only reached this activity (I10).
  private let isReached: Bool
  private let until: Int64

  /// Lives that are over for good, and the present one last.
  package private(set) var lives: [(life: Life, steps: [Step])] = []
  package var life = Life()
  private var steps: [Step] = []
  private let keepsSteps: Bool
  /// Index of the latest content act (F1, undecodable), to be marked by a decode failure.
  private var undecodable: Set<Int32> = []
  /// The applied acts of the present life.
  private var acts = ActTally()

  /// Folds one activity of a resolution up to an instant.
  package init(
    _ activity: Int, of resolution: Resolution, view: LogView, until: Int64, keepsSteps: Bool
  ) {
    set = resolution.set
    rows = resolution.set.rows
    self.view = view
    limits = resolution.set.limits
    newestToken = resolution.newestTokens[activity] ?? -1
    switch resolution.names[activity] {
    case .activity: (isNamedByID, isReached) = (true, true)
    case .token, .start: (isNamedByID, isReached) = (false, true)
    case .channel, .key: (isNamedByID, isReached) = (false, false)
    }
    self.keepsSteps = keepsSteps
    self.until = until
    run(resolution.members[activity], resolution.verdicts[activity] ?? [])
  }

  private mutating func run(_ members: [Int32], _ verdicts: [Int32]) {
    findUndecodable(members)
    var next = 0
    for index in members {
      let row = rows[Int(index)]
      while next < verdicts.count, rows[Int(verdicts[next])].precedes(row) {
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
  private mutating func findUndecodable(_ members: [Int32]) {
    var latest: Int32 = -1
    for index in members {
      let row = rows[Int(index)]
      if row.kind.isContentAct { latest = index }
      if row.marks.contains(.decoding), row.push == .none, latest >= 0 {
        undecodable.insert(latest)
      }
    }
  }

  private mutating func advance(to instant: Int64) {
    let keeps = keepsSteps
    var taken: [Step] = []
    life.advance(to: instant, limits: limits) { kind, at, seq, before in
      guard keeps else { return }
      let after: Phase =
        switch kind {
        case .start: .active
        case .stale: .stale
        case .end: .ended
        case .dismiss: .dismissed
        }
      taken.append(
        Step(
          cause: .clock(kind), at: at, seq: seq, outcome: .applied, before: before, after: after))
    }
    steps.append(contentsOf: taken)
  }

  /// No row moves it any more; the clock still does.
  private mutating func closeLife() {
    advance(to: until)
    // V1: what a sender believes rests on nothing else.
    if view == .sent { life.forgetDoubt() }
    lives.append((life, steps))
    life = Life()
    steps = []
    acts.forget()
  }

  /// I10: whether a row is here only because it reached this activity by key or channel.
  private func fansOut(_ row: Row) -> Bool { isReached && row.activity < 0 && row.token < 0 }

  /// A folded row: first what the clock brought before it, then the row.
  private mutating func take(_ index: Int32, _ row: Row) {
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
  private mutating func note(_ row: Row, _ fansOut: Bool) {
    life.lastSeq = max(life.lastSeq, row.seq)
    if fansOut { return }
    life.facts = life.facts.updated(by: set.facts[row.facts])
    if row.key >= 0 { life.key = row.key }
    if life.firstSeq == 0 { life.firstSeq = row.seq }
  }

  /// I5: a scheduled start counts from its start-date.
  private mutating func countForSilence(_ row: Row) {
    let isScheduled = row.kind == .start && row.date != Life.absent
    life.lastRowAt = max(life.lastRowAt, isScheduled ? max(row.at, row.date) : row.at)
  }

  /// I5: a second recorder's report of the same start.
  private func isWitness(_ row: Row) -> Bool {
    guard life.startRow >= 0 else { return false }
    let start = rows[Int(life.startRow)]
    return start.recorder != row.recorder && abs(row.at - start.at) <= limits.witness.microseconds
  }

  /// The one exhaustive switch: every kind moves the life in its own file.
  private mutating func evolve(_ index: Int32, _ row: Row) -> Outcome {
    if !row.kind.isAct, fansOut(row) {
      if !life.isOpen { return .noLife }
      // I10: it revives nothing.
      if row.kind == .state, life.phase.isOver, State.isLife(row) { return .noted }
    }
    return switch row.kind {
    case .start: act(index, row) { Start.evolve(&$0, index, row, $1) }
    case .update: act(index, row) { Update.evolve(&$0, index, row, $1) }
    case .end: act(index, row) { End.evolve(&$0, index, row, $1) }
    case .alert: act(index, row) { life, _ in if life.isOpen { life.alerts += 1 } }
    case .stale: Stale.evolve(&life, index, row, limits)
    case .dismiss: Dismiss.evolve(&life, index, row, limits)
    case .state: shown(index, row)
    case .token: Token.evolve(&life, index, row, limits)
    case .unknown, .inventory, .response, .failure, .authorization, .channel, .work, .coverage:
      .noted
    }
  }

  /// An act takes effect, or has the name of the reason why not.
  private mutating func act(
    _ index: Int32, _ row: Row, _ apply: (inout Life, SystemLimits) -> Void
  ) -> Outcome {
    if let reason = notApplied(row, index) {
      if view == .device, reason == .refused, row.answer == .gone { endByGoneToken(row) }
      return reason
    }
    let flagged = row.kind == .end && view == .device && row.version < life.mark
    let (updates, alerts) = (life.updates, life.alerts)
    apply(&life, limits)
    if row.kind.isContentAct { life.mark = max(life.mark, row.version) }
    if row.kind != .alert, row.flags.contains(.alert) { life.alerts += 1 }
    if !acts.takes(index, in: rows) { (life.updates, life.alerts) = (updates, alerts) }
    return flagged ? .appliedOlder : .applied
  }

  /// F1 and V1, the first that holds.
  private func notApplied(_ row: Row, _ index: Int32) -> Outcome? {
    let over = life.phase.isOver || life.isOpen && row.at >= life.limit
    let fansOut = fansOut(row)
    let homeless = !life.isOpen && (row.kind == .alert || fansOut)
    if view == .sent { return over ? .afterEnd : homeless ? .noLife : nil }
    if row.answer.refuses { return .refused }
    if homeless { return .noLife }
    let ordered = row.kind == .update || row.kind == .start && !life.phase.isOver
    if ordered, life.isOpen, row.version < life.mark { return .older }
    // I5: a start after the end is a new life's, and fails by its own fault alone.
    let isNewLife =
      row.kind == .start && !fansOut && life.phase.isOver && !isWitness(row)
    if over, !isNewLife { return .afterEnd }
    return unfit(row, index)
  }

  /// What makes an act inapplicable to any life.
  private func unfit(_ row: Row, _ index: Int32) -> Outcome? {
    guard row.kind.isContentAct else { return nil }
    let at = Timestamp(microseconds: row.at).wholeSeconds
    if row.version.subtractingClamped(at) > limits.future.microseconds / 1_000_000 {
      return .future
    }
    if row.marks.contains(.tooBig) { return .tooBig }
    if row.kind == .start, row.isByPush, !row.flags.contains(.alert) { return .noAlert }
    let failed = row.marks.contains(.undecodable) || undecodable.contains(index)
    return failed ? .undecodable : nil
  }

  /// Why a start would open nothing, whatever life came before it.
  private func refusal(_ row: Row, _ index: Int32) -> Outcome? {
    if view == .sent { return nil }
    return row.answer.refuses ? .refused : unfit(row, index)
  }

  /// F7.
  private mutating func endByGoneToken(_ row: Row) {
    guard life.isOpen, !life.phase.isOver, row.token >= 0, row.token == newestToken else { return }
    life.end(
      at: row.at, dismissal: life.lingers(from: row.at, limits: limits),
      reason: "unknown", cause: .inferred, seq: row.seq)
  }

  /// F8: an inventory that leaves the activity out, an authorization that ends it.
  private mutating func judge(_ index: Int32) {
    guard view == .device, life.isOpen else { return }
    let row = rows[Int(index)]
    advance(to: row.at)
    let before = life.phase
    let lingers = life.lingers(from: row.at, limits: limits)
    if row.kind == .authorization {
      guard life.phase.isLive || life.phase == .pending else { return }
      life.end(
        at: row.at, dismissal: lingers, reason: "disabled", cause: .disabled, seq: row.seq)
    } else {
      guard life.phase.isLive, isNamedByID else { return }
      life.end(at: row.at, dismissal: lingers, reason: "unknown", cause: .inferred, seq: row.seq)
    }
    guard keepsSteps else { return }
    steps.append(
      Step(
        cause: .row(index), at: row.at, seq: row.seq, outcome: .applied, before: before,
        after: life.phase))
  }

  /// F10: life shown after X means that the end by the clock never was.
  private mutating func shown(_ index: Int32, _ row: Row) -> Outcome {
    if life.endCause == .clock, State.isLife(row), !life.dismissObserved {
      life.undoClockEnd(limit: row.at.addingClamped(limits.active.microseconds))
      steps.removeAll { $0.cause == .clock(.end) || $0.cause == .clock(.dismiss) }
      // A stale date between X and now has come to count after all.
      advance(to: row.at)
    }
    return State.evolve(&life, index, row, limits)
  }
}

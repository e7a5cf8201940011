internal import ActivityCore

/// One pass over what happened in a life, which finds its traits and counts what rules count.
///
/// Each step of it is a few comparisons; what a rule exactly asks is in the rule.
struct LifeScan {
  var traits: LifeTraits = .life
  let life: Life
  let limits: LifeLimits
  let words: LifeWords
  /// Whether a row without id and token only reached this activity (I10).
  let isReached: Bool
  /// Up to when pauses between contents count.
  let bound: Int64
  let opening: Int64

  var facts: LifeFacts
  // What the rows so far add up to.
  /// Who wrote the first row; −2 before it.
  var firstRecorder: Int32 = -2
  var key: Int32 = -1
  var token: Int32 = -1
  var starts = 0
  var ends = 0
  var firstTokenAt = Life.absent
  var isPushable = false
  var isAddressed = false
  var lastSendAt = Life.absent
  var overAt = Life.absent
  var wasActive = false
  var hasPushEnd = false
  var localUpdates = 0
  var showsContent = false
  var urgent = 0
  var close = 0
  var latestUpdateAt = Life.absent
  var alerts = 0
  var updates = 0
  var alertedUpdates = 0
  var defaultEndAt = Life.absent
  var goneAt = Life.absent
  var isAskedToEnd = false
  var appliedEnd: (at: Int64, version: Int64?)?
  var former: (at: Int64, staleDate: Int64, kind: EventKind)?
  var versions: (Int64, Int64, Int64, Int64) = (.min, .min, .min, .min)

  init(
    _ life: Life, _ facts: LifeFacts, limits: LifeLimits, words: LifeWords, isReached: Bool,
    bound: Int64
  ) {
    self.life = life
    self.facts = facts
    self.limits = limits
    self.words = words
    self.isReached = isReached
    self.bound = bound
    opening = facts.opening
  }

  /// What the clock brought.
  @inline(__always)
  mutating func take(clock step: Step) {
    if step.after == .stale, step.before != .stale { traits.insert(.stale) }
  }

  /// A row, with what is known of its words and headers.
  @inline(__always)
  mutating func take(
    _ step: Step, _ row: Row, _ headers: HeaderFlags.Flags, _ tokenFlags: WordFlags.Flags
  ) {
    if firstRecorder == -2 { firstRecorder = row.recorder }
    let fansOut = isReached && row.activity < 0 && row.token < 0
    if step.after == .stale, step.before != .stale { traits.insert(.stale) }
    if row.key >= 0, !fansOut {
      if key < 0 { key = row.key } else if key != row.key { traits.insert(.keysDiffer) }
    }
    if row.token >= 0, row.kind != .start {
      if token < 0 { token = row.token } else if token != row.token { traits.insert(.tokensDiffer) }
    }
    if step.before.isLive, step.after.isOver {
      let isPerson = row.marks.contains(.byPerson) || row.source == .person
      if isPerson { traits.insert(.endedByPerson) } else { traits.remove(.endedByPerson) }
    }
    if row.kind.isAct {
      act(step, row, fansOut, headers, tokenFlags)
    } else {
      evidence(step, row)
    }
  }

  /// What a device, or somebody who looked at it, says.
  private mutating func evidence(_ step: Step, _ row: Row) {
    switch row.kind {
    case .token, .state, .stale, .dismiss, .inventory: facts.heardAt = max(facts.heardAt, row.at)
    default: break
    }
    if row.kind == .token, firstTokenAt == Life.absent { firstTokenAt = row.at }
    if row.kind == .stale || row.shown.isLive, facts.firstShownAt == Life.absent {
      facts.firstShownAt = row.at
    }
    if row.shown.isLive || row.shown == .pending {
      if overAt != Life.absent, row.at &- overAt > limits.afterglow {
        traits.insert(.shownAfterOver)
      }
      if row.shown == .pending, wasActive { traits.insert(.shownAfterOver) }
      if row.shown.isLive {
        wasActive = true
        if hasPushEnd { traits.insert(.shownAfterEnd) }
      }
    }
    if row.kind == .dismiss || row.shown.isOver {
      if overAt == Life.absent { overAt = row.at }
      if row.kind == .dismiss || row.shown == .dismissed { noteGone(row.at) }
    }
    if row.kind == .state, row.flags.contains(.content) { showsContent = true }
  }

  private mutating func noteGone(_ at: Int64) {
    if defaultEndAt != Life.absent, goneAt == Life.absent { goneAt = at }
  }

  private mutating func act(
    _ step: Step, _ row: Row, _ fansOut: Bool, _ headers: HeaderFlags.Flags,
    _ tokenFlags: WordFlags.Flags
  ) {
    let isApplied = step.outcome.isApplied
    outcome(step, row, fansOut)
    if row.recorder != firstRecorder { traits.insert(.severalRecorders) }
    if row.marks.contains(.versioned) { note(version: row.version, of: row.kind) }
    if row.isByPush {
      push(step, row, headers, tokenFlags)
    } else if row.activity >= 0 || row.token >= 0 || row.channel >= 0 {
      facts.heardAt = max(facts.heardAt, row.at)
    }
    size(row)
    if row.kind.isContentAct { dates(row) }
    switch row.kind {
    case .start: start(step, row, fansOut)
    case .update: update(row, isApplied, fansOut)
    case .end: end(step, row, isApplied)
    default: if !fansOut { lastSendAt = row.at }
    }
    if row.kind != .start, row.kind == .alert || row.flags.contains(.alert) {
      if isApplied { alerts += 1 }
    }
    if isApplied, row.flags.contains(.content) { content(row) }
  }

  private mutating func outcome(_ step: Step, _ row: Row, _ fansOut: Bool) {
    if step.outcome.isLoss {
      if step.outcome == .undecodable { traits.insert(.undecodable) }
      if row.kind == .update { traits.insert(.lostUpdate) }
      if row.kind == .start, !fansOut { traits.insert(.lostStart) }
      if row.kind == .end, step.before.isLive, step.after.isLive { traits.insert(.lostEnd) }
    } else if step.outcome == .older || step.outcome == .appliedOlder {
      traits.insert(.older)
    } else if step.outcome == .afterEnd {
      traits.insert(.afterEnd)
    }
    if row.kind == .start, !fansOut, !step.outcome.isApplied { traits.insert(.strangeStart) }
  }

  /// Two acts are one only if they have the same push, or the same version of their kind.
  private mutating func note(version: Int64, of kind: EventKind) {
    func rise(_ latest: inout Int64) -> Bool {
      defer { latest = max(latest, version) }
      return version > latest
    }
    let isNew =
      switch kind {
      case .start: rise(&versions.0)
      case .update: rise(&versions.1)
      case .end: rise(&versions.2)
      default: rise(&versions.3)
      }
    if !isNew { traits.insert(.repeated) }
  }
}

// What is known when all rows were taken.
extension LifeScan {
  mutating func finish(finishedAt: Int64?) {
    if let former, former.staleDate == Life.absent, former.kind != .end,
      bound &- former.at > limits.pause
    {
      traits.insert(.longPause)
    }
    if starts == 0, facts.isOpen, life.startedAt == Life.absent { traits.insert(.startless) }
    if !traits.contains(.repeated) { traits.remove(.severalRecorders) }
    if localUpdates > 0, showsContent { traits.insert(.localUpdates) }
    if Double(urgent) > limits.budget || close >= limits.crowd { traits.insert(.dense) }
    ringing()
    ending(finishedAt)
    let over = facts.endedAt != Life.absent ? facts.endedAt : min(facts.limit, facts.seenUntil)
    if max(over, opening) &- opening <= limits.short { traits.remove(.undated) }
    let isLate = firstTokenAt == Life.absent || firstTokenAt &- opening > limits.token
    if isPushable || traits.contains(.pushStart), !isAddressed, isLate {
      traits.insert(.unaddressed)
    }
    if life.phase == .dismissed, facts.visibleUntil &- opening < limits.brief {
      traits.insert(.brief)
    }
  }

  private mutating func ringing() {
    guard alerts > 0 else { return }
    let isConstant =
      updates > limits.alertUpdates
      && Double(alertedUpdates) >= limits.alertShare * Double(updates)
    if alerts > limits.alerts || isConstant || traits.contains(.repeated) {
      traits.insert(.ringing)
    }
  }

  private mutating func ending(_ finishedAt: Int64?) {
    if facts.endedAt == Life.absent || facts.isExempt { traits.insert(.undecided) }
    if defaultEndAt != Life.absent, goneAt == Life.absent || goneAt &- defaultEndAt > limits.linger
    {
      traits.insert(.defaultEnd)
    }
    guard facts.endedAt != Life.absent else { return }
    if lastSendAt != Life.absent, lastSendAt > facts.endedAt { traits.insert(.sendAfterEnd) }
    guard let appliedEnd else { return }
    let isAfterWork = finishedAt.map { facts.endedAt &- $0 >= limits.grace } ?? false
    let isAfterVersion =
      appliedEnd.version.map {
        Timestamp(microseconds: facts.endedAt).wholeSeconds.subtractingClamped($0) >= 299
      } ?? false
    if isAfterWork || isAfterVersion { traits.insert(.late) }
  }
}

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
  /// Whether any row was met, and who wrote the first.
  private var firstRecorder: Int32 = -2
  private var key: Int32 = -1
  private var token: Int32 = -1
  private var starts = 0
  private var ends = 0
  private var firstTokenAt = Life.absent
  private var isPushable = false
  private var isAddressed = false
  private var lastSendAt = Life.absent
  private var overAt = Life.absent
  private var wasActive = false
  private var hasPushEnd = false
  private var localUpdates = 0
  private var showsContent = false
  private var urgent = 0
  private var close = 0
  private var latestUpdateAt = Life.absent
  private var alerts = 0
  private var updates = 0
  private var alertedUpdates = 0
  private var defaultEndAt = Life.absent
  private var goneAt = Life.absent
  private var isAskedToEnd = false
  private var appliedEnd: (at: Int64, version: Int64?)?
  private var former: (at: Int64, staleDate: Int64, kind: EventKind)?
  private var versions: (Int64, Int64, Int64, Int64) = (.min, .min, .min, .min)

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
      if overAt != Life.absent, row.at &- overAt > limits.afterglow { traits.insert(.shownAfterOver) }
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

// The acts one by one.
extension LifeScan {
  private mutating func start(_ step: Step, _ row: Row, _ fansOut: Bool) {
    let isApplied = step.outcome.isApplied
    starts += 1
    if !step.outcome.isLoss, facts.startAt == Life.absent { facts.startAt = row.at }
    if starts > 1 { traits.insert(.manyStarts) }
    facts.start = isApplied && !fansOut && starts == 1 ? LifeFacts.Start(row) : nil
    if isApplied {
      if row.date != Life.absent, row.date > row.at { traits.insert(.scheduled) }
      if row.word == words.token { isPushable = true }
    }
    if !row.answer.refuses, row.source != .broadcast, row.channel >= 0 || row.inputPushChannel >= 0 {
      traits.insert(.channel)
    }
  }

  private mutating func update(_ row: Row, _ isApplied: Bool, _ fansOut: Bool) {
    if !fansOut { lastSendAt = row.at }
    if latestUpdateAt != Life.absent, row.at &- latestUpdateAt < limits.spacing { close += 1 }
    latestUpdateAt = row.at
    guard isApplied else { return }
    updates += 1
    if row.flags.contains(.alert) { alertedUpdates += 1 }
    if !row.isByPush, row.flags.contains(.content), row.source == .app || row.source == .intent {
      localUpdates += 1
    }
  }

  private mutating func end(_ step: Step, _ row: Row, _ isApplied: Bool) {
    ends += 1
    if ends > 1 { traits.insert(.manyEnds) }
    if !row.answer.refuses, row.date != Life.absent, row.date > row.at &+ limits.tolerance,
      row.marks.contains(.immediate) || row.date > row.at &+ limits.lingering &+ limits.tolerance
    {
      traits.insert(.strangeDismissal)
    }
    guard isApplied else { return }
    if !row.isByPush, overAt == Life.absent { overAt = row.at }
    if step.before.isLive {
      appliedEnd = (row.at, row.marks.contains(.versioned) ? row.version : nil)
      if row.isByPush, row.answer == .accepted { hasPushEnd = true }
    }
    guard !isAskedToEnd, !step.before.isOver, row.source != .person, row.source != .system else {
      return
    }
    isAskedToEnd = true
    let isImmediate = row.marks.contains(.immediate)
    let isAtOnce = row.date == Life.absent ? isImmediate : row.date <= row.at
    if !row.flags.contains(.content), !isAtOnce { traits.insert(.bareEnd) }
    if row.date == Life.absent, !isImmediate, row.word < 0 || row.word == words.byDefault {
      defaultEndAt = row.at
    }
  }

  private mutating func push(
    _ step: Step, _ row: Row, _ headers: HeaderFlags.Flags, _ token: WordFlags.Flags
  ) {
    let isContent = row.kind.isContentAct
    if row.token >= 0 || row.answer == .accepted && row.channel < 0, row.kind != .start {
      isAddressed = true
    }
    if row.answer.refuses { refusal(step, row) }
    if isContent, headers.contains(.strange) { traits.insert(.strangeHeaders) }
    if headers.contains(.once), row.kind == .start || row.kind == .end { traits.insert(.once) }
    if isContent, row.flags.contains(.alert), headers.contains(.stated), !headers.contains(.loud) {
      traits.insert(.strangePriority)
    }
    if headers.contains(.urgent), row.kind != .start { urgent += 1 }
    if row.token >= 0, !token.contains(.unclearToken) {
      let isWrong =
        token.contains(.otherToken)
        || (row.kind == .start) != token.contains(.startToken)
      if isWrong { traits.insert(.wrongToken) }
    }
    if isContent, !row.marks.contains(.versioned) { traits.insert(.lacking) }
    if isContent, row.kind != .end, !row.flags.contains(.content) { traits.insert(.lacking) }
    guard row.kind == .start else { return }
    traits.insert(.pushStart)
    if !row.flags.contains(.attributes) { traits.insert(.lacking) }
    if !row.flags.contains(.alert) { traits.insert(.bareStart) }
  }

  private mutating func refusal(_ step: Step, _ row: Row) {
    traits.insert(.refusal)
    let status = row.status
    let isSenders =
      status < 0
      ? row.marks.contains(.unreached) : status == 403 || status == 429 || (500..<600) ~= status
    if isSenders { traits.insert(.senderRefusal) }
    if status == 410, row.kind == .update, step.before.isLive, step.after.isOver {
      traits.insert(.gone)
    }
  }

  private mutating func size(_ row: Row) {
    if row.marks.contains(.tooBig) || row.status == 413 || row.bytes >= limits.largeBytes {
      traits.insert(.large)
    }
  }

  private mutating func dates(_ row: Row) {
    let isVersioned = row.marks.contains(.versioned)
    let seconds = Timestamp(microseconds: row.at).wholeSeconds
    if isVersioned {
      if row.version > 99_999_999_999 || row.version <= 970_000_001 { traits.insert(.wrongDate) }
      if !row.answer.refuses, row.version.subtractingClamped(seconds) > limits.ahead {
        traits.insert(.ahead)
      }
    }
    if row.staleDate != Life.absent {
      if DateUnit.wrong(row.staleDate, at: row.at) != nil { traits.insert(.wrongDate) }
      let isPast =
        row.kind == .start
        ? row.staleDate <= max(row.at, row.date)
        : Timestamp(microseconds: row.staleDate).wholeSeconds <= row.version
      if row.kind != .end, !row.answer.refuses, isPast { traits.insert(.pastStale) }
    }
    if row.date != Life.absent, DateUnit.wrong(row.date, at: row.at) != nil {
      traits.insert(.wrongDate)
    }
  }

  /// Content that took effect.
  private mutating func content(_ row: Row) {
    if row.kind != .end, row.staleDate == Life.absent { traits.insert(.undated) }
    guard row.at <= bound else { return }
    if let former { pause(row.at &- former.at, after: former.staleDate) }
    former = (row.at, row.staleDate, row.kind)
  }

  private mutating func pause(_ length: Int64, after staleDate: Int64) {
    if length > limits.pause {
      facts.longPauses += 1
      if staleDate == Life.absent { traits.insert(.longPause) }
    } else {
      facts.shortPauses += 1
    }
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
    if isPushable || traits.contains(.pushStart), !isAddressed, isLate { traits.insert(.unaddressed) }
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
    if defaultEndAt != Life.absent, goneAt == Life.absent || goneAt &- defaultEndAt > limits.linger {
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

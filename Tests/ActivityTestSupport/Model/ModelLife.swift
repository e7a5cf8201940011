/// One life of an activity (I5): what the fold holds, and how the clock moves it.
struct ModelLife {
  enum Phase: String {
    case none
    case pending
    case active
    case stale
    case ended
    case dismissed
  }

  // What the fold holds ("Fold, device view").
  var phase = Phase.none
  var since: Int64 = 0
  /// S.
  var startedAt: Int64?
  /// First evidence, when S is unknown.
  var startedBefore: Int64?
  /// E.
  var endedAt: Int64?
  /// D.
  var dismissedAt: Int64?
  var endReason: String?
  var mark: Int64?
  var contentSeq: Int64?
  var staleDate: Int64?
  /// When the content that set (or cleared) the stale date applied.
  var staleSetAt: Int64 = 0
  /// F9: false once `active` was shown after the date had passed.
  var staleCounts = true

  /// F10: X when life was shown at or after the X before.
  var movedLimit: Int64?
  /// C1: a pending life becomes active at S; nil when S is unknown or passed before it was shown.
  var activeFrom: Int64?
  /// What the life was before X ended it, while nothing but the clock says that it ended.
  var beforeLimit: (phase: Phase, since: Int64)?
  /// F10: an observed dismissal is final.
  var dismissObserved = false

  /// I5: the life's own start.
  var ownStart: ModelRow?

  // C5.
  var openedUnanswered = false
  var contentUnanswered = false
  var endInferred = false
  /// A stale date that only a push without `stale-date` cleared.
  var clearedDate: Int64?

  // What its rows say and how many applied.
  var key: String?
  var build: String?
  var attributesType: String?
  var updates = 0
  var alerts = 0
  var notApplied: [ModelNotApplied] = []
  /// I11: the acts that applied, and whether each was answered 200.
  var applied: [(row: ModelRow, accepted: Bool)] = []
  var firstSeq: Int64?
  var lastSeq: Int64 = 0
  /// I5: from where 24 h of silence count, nil before the first row that counts.
  var lastPosition: Int64?

  var isOpen: Bool { phase != .none }
  var isOver: Bool { phase == .ended || phase == .dismissed }
  /// Neither none nor over; a pending life is live too, unless the text excludes it.
  var isLive: Bool { isOpen && !isOver }

  /// C1: X, nil while nothing opened the life.
  var limit: Int64? {
    movedLimit ?? (startedAt ?? startedBefore).map { $0 + 8 * ModelTime.hour }
  }

  /// Brings what the clock implies up to and including `instant` (C1 to C4).
  ///
  /// A life shown `pending` whose S is unknown or passed stays pending until a row says more: C1
  /// ends only what is active or stale, and the device outranks the start-date.
  mutating func advance(to instant: Int64) {
    if phase == .pending, let activeFrom, activeFrom <= instant {
      enter(.active, at: activeFrom)  // C1
    }
    if phase == .active, let staleDate, staleCounts {
      let stale = max(staleDate, staleSetAt)  // C2
      if stale <= instant { enter(.stale, at: max(stale, since)) }
    }
    if phase == .active || phase == .stale, let limit, limit <= instant {
      beforeLimit = (phase, since)
      endedAt = limit  // C1
      dismissedAt = limit + 4 * ModelTime.hour
      endReason = "system-limit"
      endInferred = false
      enter(.ended, at: limit)
    }
    if phase == .ended, let dismissedAt, dismissedAt <= instant {
      enter(.dismissed, at: dismissedAt)  // C3
    }
  }

  /// C4: `since` is when the present phase began.
  mutating func enter(_ next: Phase, at time: Int64) {
    guard next != phase else { return }
    phase = next
    since = time
  }

  /// Opens a life of which only evidence or a later act is known: S null.
  mutating func openBefore(_ time: Int64, _ phase: Phase) {
    startedBefore = time
    enter(phase, at: time)
  }

  /// E = `time`, D = `dismissal` or the default; a card that never appeared does not linger (F5).
  mutating func end(at time: Int64, dismissal: Int64? = nil, reason: String, inferred: Bool) {
    endedAt = time
    endReason = reason
    endInferred = inferred
    beforeLimit = nil
    dismissedAt = phase == .pending ? time : dismissal ?? time + 4 * ModelTime.hour
    enter(.ended, at: time)
  }

  /// F9, F11: the reason of an observed end of which nothing else says why.
  func observedReason(at time: Int64) -> String {
    guard let limit, abs(limit - time) <= 5 * ModelTime.minute else { return "unknown" }
    return "system-limit"
  }

  /// Takes note of a folded row, applied or not (I6); one that fans out says only its seq (I10).
  mutating func note(_ row: ModelRow) {
    lastSeq = max(lastSeq, row.seq)
    if row.isFanned { return }
    key = row.key ?? key
    build = row.build ?? build
    attributesType = row.attributesType ?? attributesType
    firstSeq = firstSeq ?? row.seq
  }

  /// I5: moves the point from which silence counts; a scheduled start counts from its start-date.
  ///
  /// Rows between a scheduled start and its date do not take that away, so it is a largest value.
  mutating func count(_ row: ModelRow) {
    let own = row.event == "start" ? max(row.at, row.startDate ?? row.at) : row.at
    lastPosition = max(lastPosition ?? own, own)
  }

  /// What the life is at `instant`, to which it must have been advanced; nil if nothing opened it.
  func result(at instant: Int64, group: ModelGroup, view: ModelView) -> ModelActivity? {
    guard isOpen else { return nil }
    var activity = ModelActivity()
    activity.name = group.name.printed
    activity.phase = phase.rawValue
    activity.since = since
    activity.startedAt = startedAt
    activity.startedBefore = startedBefore
    activity.endedAt = endedAt
    activity.endReason = endReason
    // C3.
    activity.visibleUntil = dismissedAt ?? limit.map { $0 + 4 * ModelTime.hour }
    activity.inferred = view == .device && isInferred(at: instant)  // V1
    activity.staleDate = staleDate
    activity.contentSeq = contentSeq
    activity.key = key
    activity.device = group.scope.device
    activity.build = build
    activity.attributesType = attributesType
    activity.updates = updates
    activity.alerts = alerts
    activity.firstSeq = firstSeq ?? 0
    activity.lastSeq = lastSeq
    activity.notApplied = notApplied
    return activity
  }

  /// C5.
  private func isInferred(at instant: Int64) -> Bool {
    let kept = clearedDate.map { $0 <= instant } ?? false
    return openedUnanswered || contentUnanswered || (isOver && endInferred)
      || (phase == .active && kept)
  }
}

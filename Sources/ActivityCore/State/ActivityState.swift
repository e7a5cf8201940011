/// How one activity stands at an instant: the answer to "what did this person see".
///
/// Contents are named by the seq of the row that gave them and are read from the log when asked.
public struct ActivityState: Sendable, Equatable {
  /// The activity id, else `token:…`, `key:…`, `channel:…`, `start:…`.
  public var name: String
  public var activityID: String?
  public var phase: Phase
  /// When the present phase began.
  public var since: Timestamp?
  public var startedAt: Timestamp?
  /// The first evidence of life, when nobody was seen to start it.
  public var startedBefore: Timestamp?
  public var endedAt: Timestamp?
  public var endReason: String?
  /// When it is gone from the screen, at the latest.
  public var visibleUntil: Timestamp?
  /// Rests on a push nobody answered, a 410, or absence.
  public var inferred: Bool
  public var staleDate: Timestamp?
  public var key: String?
  public var environment: String?
  public var bundleID: String?
  public var device: String?
  public var build: String?
  public var attributesType: String?
  public var producer: String?
  public var style: String?
  public var updates: Int
  public var alerts: Int
  public var lastSeq: Int64
  public var firstSeq: Int64
  /// `seq` of the row whose content is shown, nil when none is known.
  public var contentSeq: Int64?
  /// `seq` of the row that gave the attributes.
  public var attributesSeq: Int64?

  /// Whether a person could see it: active, stale, or ended and lingering.
  public var isVisible: Bool { phase.isLive || phase == .ended }

  package init(_ life: Life, activity: Int, of resolution: Resolution, until: Int64) {
    let name = resolution.names[activity].printed(resolution.set.texts)
    self.init(life, named: name, activity: activity, of: resolution, until: until)
  }

  /// The same, where the activity's name is spelled already.
  init(
    _ life: Life, named name: String, activity: Int, of resolution: Resolution, until: Int64
  ) {
    let scope = resolution.activityScopes[activity]
    self.name = name
    if case .activity = resolution.names[activity] { activityID = name }
    phase = life.phase
    since = life.since.stamp
    startedAt = life.startedAt.stamp
    startedBefore = life.startedBefore.stamp
    endedAt = life.endedAt.stamp
    if life.phase.isOver {
      endReason = resolution.set.text(life.endReasonCode) ?? life.endReason.word
    }
    visibleUntil = life.visibleUntil(resolution.set.limits).stamp
    inferred = life.isInferred(at: until)
    staleDate = life.staleDate.stamp
    key = resolution.set.text(life.key)
    environment = resolution.set.text(scope.environment)
    bundleID = resolution.set.text(scope.bundle)
    device = resolution.set.text(scope.device)
    build = resolution.set.text(life.facts.build)
    attributesType = resolution.set.text(life.facts.attributesType)
    producer = resolution.set.text(life.facts.producer)
    style = resolution.set.text(life.facts.style)
    updates = life.updates
    alerts = life.alerts
    lastSeq = life.lastSeq
    firstSeq = life.firstSeq
    contentSeq = life.contentRow < 0 ? nil : resolution.set.rows.seq(life.contentRow)
    attributesSeq = life.attributesRow < 0 ? nil : resolution.set.rows.seq(life.attributesRow)
  }
}

extension Int64 {
  /// A time of the fold, nil when it is not known.
  package var stamp: Timestamp? {
    self == EventColumns.absent ? nil : Timestamp(microseconds: self)
  }
}

extension Life {
  /// C3: D, or for a live life the end of the lingering after X.
  package func visibleUntil(_ limits: SystemLimits) -> Int64 {
    if phase.isOver { return dismissAt }
    return isOpen ? limit.addingClamped(limits.lingering.microseconds) : Life.absent
  }

  /// C5.
  package func isInferred(at instant: Int64) -> Bool {
    if openingInferred || contentInferred { return true }
    if phase.isOver { return endCause.isInferred }
    return phase == .active && clearedStaleDate <= instant
  }
}

internal import ActivityCore

/// The lives that rules want, looked at closely.
struct SecondLook {
  private let log: AuditLog
  private let options: AuditOptions
  private var running: RunningRules
  private var found: [Finding] = []
  private var result = Audit.Result()

  private init(_ first: FirstLook, _ log: AuditLog) {
    self.log = log
    options = log.options
    running = first.running
    result.decided = first.decided
    result.notJudged = first.running.notJudged
  }

  /// What the rules find.
  static func result(
    _ first: inout FirstLook, _ log: AuditLog
  ) -> Audit.Result {
    var look = SecondLook(first, log)
    first.running = RunningRules.none
    look.look(at: first)
    return look.finish()
  }

  private mutating func look(at first: FirstLook) {
    var wanted = running.wanted.union([.undecided, .redacted, .severalLives])
    if options.looksAtCards { wanted.insert(.life) }
    if options.remedy { wanted.insert(.lostEnd) }
    let pieces = ActivityPieces(log.resolution.names.count)
    let (log, asked) = (log, wanted)
    BothCores.forEach(pieces.count, first.worker) { worker, number in
      worker.closeUps(of: pieces[number], first, wanted: asked, log)
    } take: { closeUps in
      for (life, traits) in closeUps { observe(life, traits) }
    }
  }

  private mutating func observe(_ life: Timeline, _ traits: LifeTraits) {
    guard !traits.contains(.redacted) else { return count(redacted: life) }
    running.observe(life, traits, &found)
    if options.remedy, let remedy = EndRemedy(life) { result.remedies.append(remedy) }
    if options.looksAtCards || traits.contains(.undecided) { result.decided.count(life) }
    guard life.leak.standing == .live else { return }
    count(live: life)
  }

  private mutating func count(live life: Timeline) {
    result.liveCount += 1
    if options.live { result.live.append(life.state) }
  }

  /// Whether two lines speak of the same card is a guess there: nothing is more than live.
  private mutating func count(redacted life: Timeline) {
    result.redactedCount += 1
    if life.isOpen, life.endedAt == nil, !life.isExempt { count(live: life) }
  }

  private mutating func finish() -> Audit.Result {
    running.conclude(log, &found)
    result.findings = Yields.settle(found)
    Causes.name(&result.findings)
    return result
  }
}

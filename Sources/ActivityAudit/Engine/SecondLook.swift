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
    _ first: inout FirstLook, _ log: AuditLog, _ rows: RowList
  ) -> Audit.Result {
    var look = SecondLook(first, log)
    first.running = RunningRules.none
    look.look(at: &first, rows)
    return look.finish()
  }

  private mutating func look(at first: inout FirstLook, _ rows: RowList) {
    var wanted = running.wanted.union([.undecided, .redacted, .severalLives])
    if options.looksAtCards { wanted.insert(.life) }
    if options.remedy { wanted.insert(.lostEnd) }
    for activity in log.resolution.names.indices
    where !wanted.isDisjoint(with: first.traits(of: activity)) {
      let witnesses = log.survey.witnesses(log.resolution.members[activity], rows)
      first.fold.take(activity)
      let lives = first.fold.lives
      for life in lives {
        let facts = first.reader.read(
          life, activity: activity, isOne: lives.count > 1, witnesses, rows)
        let traits = first.traits(of: facts)
        guard !wanted.isDisjoint(with: traits) else { continue }
        observe(Timeline(life, facts, log: log, rows), traits)
      }
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

public import ActivityCore

/// Finds what went wrong in a log: a function of one resolution over all rows up to Now.
public enum Audit {
  /// Audits what a projector has taken; its selection should be everything up to Now. Without the
  /// contents of the same rows, rules that read content are not judged.
  public static func report(
    of projector: consuming Projector, contents: Contents = Contents(),
    options: AuditOptions = AuditOptions()
  ) -> AuditReport {
    let unnamed = projector.unnamedRows
    return report(
      of: projector.resolution(), contents: contents, unnamedRows: unnamed, options: options)
  }

  package static func report(
    of resolution: Resolution, contents: Contents = Contents(), unnamedRows: Int,
    options: AuditOptions
  ) -> AuditReport {
    let log = AuditLog(resolution, contents, options)
    var running = Running(log)
    var fold = Fold(
      of: resolution, view: .device, until: log.now.microseconds, keepsSteps: true)
    for activity in resolution.names.indices {
      fold.take(activity)
      let recorders = log.recorders(of: activity)
      for life in fold.lives {
        running.observe(Timeline(life, activity: activity, recorders: recorders, log: log))
      }
    }
    return AuditReport(running.finish(), log, unnamedRows: unnamedRows)
  }

  /// The rules at work on one log.
  private struct Running {
    let log: AuditLog
    var rules: [any AuditRule] = []
    var found: [Finding] = []
    var result = Result()

    init(_ log: AuditLog) {
      self.log = log
      let settings = RuleSettings(log.options)
      for rule in AuditRules.all {
        if log.meets(rule.info.allNeeds) {
          rules.append(rule.init(settings))
        } else {
          result.notJudged.append(rule.info)
        }
      }
    }

    mutating func observe(_ life: Timeline) {
      guard !life.isRedacted else { return count(redacted: life) }
      for index in rules.indices { rules[index].observe(life, &found) }
      if log.options.remedy, let remedy = EndRemedy(life) { result.remedies.append(remedy) }
      result.decided.count(life)
      guard life.leak.standing == .live else { return }
      count(live: life)
    }

    private mutating func count(live life: Timeline) {
      result.liveCount += 1
      if log.options.live { result.live.append(life.state) }
    }

    /// Whether two lines speak of the same card is a guess there: nothing is more than live.
    private mutating func count(redacted life: Timeline) {
      result.redactedCount += 1
      if life.isOpen, life.endedAt == nil, !life.isExempt { count(live: life) }
    }

    mutating func finish() -> Result {
      for index in rules.indices { rules[index].conclude(log, &found) }
      result.findings = Yields.settle(found)
      Causes.name(&result.findings)
      return result
    }
  }

  /// What the rules found, before anything is chosen or counted.
  struct Result {
    var findings: [Finding] = []
    var liveCount = 0
    /// Cards whose ids were hidden; none of them is judged.
    var redactedCount = 0
    var live: [ActivityState] = []
    var notJudged: [RuleInfo] = []
    var remedies: [EndRemedy] = []
    var decided = Decided()
  }
}

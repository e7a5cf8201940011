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
    let ground = Ground(resolution, contents, options)
    let rows = resolution.set.rows
    var first = FirstLook(ground)
    first.look(at: rows)
    let log = first.log()
    let result = SecondLook.result(&first, log, rows)
    return AuditReport(result, log, unnamedRows: unnamedRows)
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

/// The rules that a log can be judged by, each with the lives it looks at.
struct RunningRules {
  private(set) var rules: [any AuditRule] = []
  private(set) var wants: [LifeTraits] = []
  /// What any of them wants.
  private(set) var wanted: LifeTraits = []
  private(set) var notJudged: [RuleInfo] = []
  /// Those that count the other lives too.
  private var counting: [Int] = []

  /// No rules.
  static var none: RunningRules { RunningRules() }

  private init() {}

  init(_ ground: Ground, _ settings: RuleSettings) {
    for rule in AuditRules.all {
      guard ground.meets(rule.info.allNeeds) else {
        notJudged.append(rule.info)
        continue
      }
      if rule.counts { counting.append(rules.count) }
      let mask = ground.options.looksAtAll ? .life : rule.wants
      wants.append(mask)
      wanted.formUnion(mask)
      rules.append(rule.init(settings))
    }
  }

  /// Lets the rules count a life that they will not look at.
  mutating func count(_ facts: LifeFacts) {
    for index in counting where wants[index].isDisjoint(with: facts.traits) {
      rules[index].count(facts)
    }
  }

  mutating func observe(_ life: Timeline, _ traits: LifeTraits, _ found: inout [Finding]) {
    for index in rules.indices where !wants[index].isDisjoint(with: traits) {
      rules[index].observe(life, &found)
    }
  }

  mutating func conclude(_ log: AuditLog, _ found: inout [Finding]) {
    for index in rules.indices { rules[index].conclude(log, &found) }
  }
}

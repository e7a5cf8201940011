internal import ActivityCore

/// The rules that a log can be judged by, each with the lives it looks at.
struct RunningRules: Sendable {
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
    let needed = RunningRules.needed(for: ground.options.rules)
    for rule in AuditRules.all where needed?.contains(rule.info.id) ?? true {
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

extension RunningRules {
  /// The rules that findings of some rules rest on, those included; nil for all there are.
  ///
  /// A finding is the same whatever else is asked for: so all that it yields to must run, all that
  /// yields to it and is named in its `also`, and every cause that may be named in its `because`. A
  /// cause counts what it caused, whatever rule says so.
  static func needed(for asked: Set<String>?) -> Set<String>? {
    let all = AuditRules.all.map { $0.info }
    guard let asked, !all.contains(where: { $0.isCause && asked.contains($0.id) }) else {
      return nil
    }
    var needed = asked
    for rule in all where rule.isCause || yields(rule, toOneOf: asked) { needed.insert(rule.id) }
    while true {
      let former = needed.count
      for rule in all where needed.contains(rule.id) { needed.formUnion(rule.yieldsTo) }
      if needed.count == former { return needed }
    }
  }

  private static func yields(_ rule: RuleInfo, toOneOf asked: Set<String>) -> Bool {
    rule.yielding == .sameActivity && !asked.isDisjoint(with: rule.yieldsTo)
  }
}

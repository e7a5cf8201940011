internal import ActivityCore

/// All lives read once: which of them rules want to look at, what rules count of the others, and
/// how activities hang together.
struct FirstLook: Sendable {
  let ground: Ground
  let worker: LifeWorker
  var running: RunningRules
  var decided = Decided()
  private(set) var sharedNames: SharedNames
  /// By activity: the traits of its lives, the key of the last one, and the number of that one's
  /// type and build.
  private var traits: [LifeTraits] = []
  private var keys: [Int32] = []
  private var scopes: [Int32] = []
  private var relations = Relations()
  /// By key's code: whether a rule may ask how its activities hang together.
  private var askedKeys: [Bool]
  private var scopeNumbers: [TypeAndBuild: Int32] = [:]
  /// By number of a type and build: the shape of its contents, −1 for none, −2 for several.
  private var shapes: [Int32] = []

  init(_ ground: Ground) {
    let settings = RuleSettings(ground.options)
    self.ground = ground
    worker = LifeWorker(ground, settings)
    running = RunningRules(ground, settings)
    let words = ground.resolution.set.texts.count
    sharedNames = SharedNames(words: words)
    askedKeys = [Bool](repeating: false, count: words)
  }

  mutating func look() {
    let pieces = ActivityPieces(ground.resolution.names.count)
    traits.reserveCapacity(pieces.activities)
    keys.reserveCapacity(pieces.activities)
    scopes.reserveCapacity(pieces.activities)
    let worker = worker
    BothCores.forEach(pieces.count, worker) { worker, number in
      worker.glance(at: pieces[number])
    } take: { glance in
      take(glance)
    }
    if !sharedNames.tiedTokens.isEmpty { noteTied(ground.resolution.set.rows) }
    relations.settle(keys: askedKeys)
  }

  private mutating func take(_ glance: LifeGlance) {
    sharedNames.take(glance.said)
    relations.add(glance.relations)
    var next = 0
    for count in glance.counts {
      var all: LifeTraits = []
      var last = (key: Int32(-1), scope: Int32(-1))
      for facts in glance.lives[next..<next + count] {
        all.formUnion(facts.traits)
        last = (facts.key, note(facts))
        guard !facts.traits.contains(.redacted) else { continue }
        running.count(facts)
        if !ground.options.looksAtCards { decided.count(facts, ground.options) }
      }
      next += count
      traits.append(all)
      keys.append(last.key)
      scopes.append(last.scope)
    }
  }

  /// Keeps what late traits are told by; returns the number of the life's type and build.
  private mutating func note(_ facts: LifeFacts) -> Int32 {
    let asks: LifeTraits = [.undecided, .lostStart, .startless]
    if facts.key >= 0, !facts.traits.isDisjoint(with: asks) { askedKeys[Int(facts.key)] = true }
    let scope = scopeNumber(facts)
    if facts.traits.contains(.mixedShapes) {
      shapes[Int(scope)] = -2
    } else if facts.shape >= 0, shapes[Int(scope)] != facts.shape {
      shapes[Int(scope)] = shapes[Int(scope)] == -1 ? facts.shape : -2
    }
    return scope
  }

  private mutating func scopeNumber(_ facts: LifeFacts) -> Int32 {
    let scope = TypeAndBuild(facts)
    if let known = scopeNumbers[scope] { return known }
    let number = Int32(shapes.count)
    scopeNumbers[scope] = number
    shapes.append(-1)
    return number
  }

  private mutating func noteTied(_ rows: RowList) {
    for activity in ground.resolution.names.indices {
      let isTied = ground.resolution.members[activity].contains { index in
        let row = rows.packed[Int(index)]
        return sharedNames.isTied(row.activity, row.token, row.marks)
      }
      if isTied { traits[activity].insert(.tiedToken) }
    }
  }

  func log() -> AuditLog { AuditLog(ground, relations, sharedNames) }

  /// The traits of an activity's lives, with those that show when all lives were read.
  func traits(of activity: Int) -> LifeTraits {
    var all = traits[activity]
    if sharedNames.isKeyOfMany(keys[activity]) { all.insert(.sharedKey) }
    if shapes[Int(scopes[activity])] == -2 { all.insert(.mixedShapes) }
    return all
  }

  /// The traits of one life, with those that show when all lives were read.
  func traits(of facts: LifeFacts) -> LifeTraits {
    var all = facts.traits
    if sharedNames.isKeyOfMany(facts.key) { all.insert(.sharedKey) }
    if let scope = scopeNumbers[TypeAndBuild(facts)], shapes[Int(scope)] == -2 {
      all.insert(.mixedShapes)
    }
    return all.union(traits[Int(facts.activity)].intersection(.tiedToken))
  }
}

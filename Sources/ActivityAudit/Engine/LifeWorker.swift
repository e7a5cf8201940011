internal import ActivityCore

/// Folds and reads lives. Each core has one, so that its buffers are kept from one activity to the
/// next; what it says of an activity rests on nothing it saw before.
struct LifeWorker: Sendable {
  private let ground: Ground
  private let rows: RowList
  private var reader: LifeReader
  private var fold: Fold
  /// What was fetched ahead, added up so that it is fetched at all.
  private var fetched: UInt64 = 0

  init(_ ground: Ground, _ settings: RuleSettings) {
    self.ground = ground
    rows = ground.resolution.set.rows
    reader = LifeReader(ground, settings)
    fold = Fold(of: ground.resolution, view: .device, until: ground.now, keepsSteps: true)
  }

  /// What lives of some activities have, and how those hang together with others.
  mutating func glance(at activities: Range<Int>) -> LifeGlance {
    var glance = LifeGlance()
    fetch(activities)
    glance.lives.reserveCapacity(activities.count + activities.count / 8)
    for activity in activities {
      let members = ground.resolution.members[activity]
      glance.said.gather(members, rows)
      glance.relations.gather(
        Int32(activity), device: ground.resolution.activityScopes[activity].device,
        isReached: reader.isReached(activity), members, rows)
      let former = glance.lives.count
      read(activity) { _, _, facts in glance.lives.append(facts) }
      glance.counts.append(glance.lives.count - former)
    }
    return glance
  }

  /// Those lives of some activities that a rule wants to look at, with their traits.
  mutating func closeUps(
    of activities: Range<Int>, _ first: FirstLook, wanted: LifeTraits, _ log: AuditLog
  ) -> [(life: Timeline, traits: LifeTraits)] {
    var found: [(life: Timeline, traits: LifeTraits)] = []
    let rows = rows
    for activity in activities where !wanted.isDisjoint(with: first.traits(of: activity)) {
      read(activity) { life, steps, facts in
        let traits = first.traits(of: facts)
        guard !wanted.isDisjoint(with: traits) else { return }
        found.append((Timeline(life, steps, facts, log: log, rows), traits))
      }
    }
    return found
  }

  /// Brings the rows of a piece near. They lie anywhere, and with nothing between one and the next
  /// a processor waits for many of them at a time.
  private mutating func fetch(_ activities: Range<Int>) {
    for activity in activities {
      for index in ground.resolution.members[activity] {
        let row = rows.packed[Int(index)]
        fetched &+= rows.push(index).low &+ reader.fetch(row.seq)
        fetched &+= UInt64(bitPattern: rows.details(of: row).date)
      }
    }
  }

  /// Folds an activity and reads its lives.
  private mutating func read(
    _ activity: Int, _ take: (Life, ArraySlice<Step>, LifeFacts) -> Void
  ) {
    let witnesses = ground.survey.witnesses(ground.resolution.members[activity], rows)
    fold.take(activity)
    let isOne = fold.folded.count > 1
    for folded in fold.folded {
      let steps = fold.steps[folded.steps]
      let facts = reader.read(
        folded.life, steps, activity: activity, isOne: isOne, witnesses, rows)
      take(folded.life, steps, facts)
    }
  }
}

/// What lives of some activities have, in order.
struct LifeGlance: Sendable {
  var lives: [LifeFacts] = []
  /// By activity: how many of the lives are its own.
  var counts: [Int] = []
  var said = SharedNames.Said()
  var relations = Relations()
}

/// All activities of a log in pieces that cores can share: large enough to be worth handing over,
/// and small enough for a core to keep what it reads of one at hand.
struct ActivityPieces: Sendable {
  private static let size = 64
  let activities: Int

  init(_ activities: Int) { self.activities = activities }

  var count: Int { (activities + ActivityPieces.size - 1) / ActivityPieces.size }

  subscript(number: Int) -> Range<Int> {
    let first = number * ActivityPieces.size
    return first..<min(activities, first + ActivityPieces.size)
  }
}

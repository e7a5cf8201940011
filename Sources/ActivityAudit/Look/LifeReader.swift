internal import ActivityCore

/// Reads folded lives: what they have, in numbers and traits.
struct LifeReader: Sendable {
  let ground: Ground
  let flags: WordFlags
  private let limits: LifeLimits
  private let words: LifeWords
  private let headers: HeaderFlags
  let columns: ContentColumns
  /// By word of the contents: the key it names.
  let keys: [Int32]
  /// Whether rows must be asked for marks that few rows have.
  let asksMarks: Bool
  private let hasCards: Bool
  /// Recorders whose silent updates have priority 10 too often, by code.
  private let loudSenders: Set<Int32>
  /// The pushes of the life being read.
  private var pushes: [UInt64] = []

  init(_ ground: Ground, _ settings: RuleSettings) {
    self.ground = ground
    let set = ground.resolution.set
    flags = WordFlags(ground.resolution, ground.survey, ground.contents)
    limits = LifeLimits(settings, set.limits)
    words = LifeWords(set.texts)
    headers = HeaderFlags(set)
    columns = ground.contents.columns
    keys = ground.contents.knowsKeyPath ? ground.contents.keyCodes(in: set.texts) : []
    asksMarks = !ground.contents.allMarks.isDisjoint(with: [.rare, .textDate, .strayDismissal])
    hasCards = ground.contents.allMarks.contains(.card)
    loudSenders = Set(
      ground.survey.recorders.filter { PriorityMismatch.isLoud($0.sent, settings) }.map(\.code))
  }

  /// What a life has; `isOne` of several of its activity.
  mutating func read(
    _ life: Life, _ steps: ArraySlice<Step>, activity: Int, isOne: Bool,
    _ witnesses: Survey.Witnesses, _ rows: RowList
  ) -> LifeFacts {
    var facts = begin(life, steps, activity, witnesses)
    facts.finishedAt = finishedAt(facts, steps, rows)
    let until = facts.endedAt == Life.absent ? facts.limit : min(facts.endedAt, facts.limit)
    var scan = LifeScan(
      life, facts, limits: limits, words: words, isReached: isReached(activity),
      bound: min(until, facts.seenUntil))
    var json = JSONScan()
    pushes.removeAll(keepingCapacity: true)
    for step in steps {
      guard case .row(let index) = step.cause else {
        scan.take(clock: step)
        continue
      }
      let row = rows[Int(index)]
      let token = flags[row.token]
      scan.take(step, row, headers[row.headers], token)
      if flags[row.activity].union(token).union(flags[row.key]).contains(.stray) {
        scan.traits.insert(.stray)
      }
      if row.kind.isAct { take(act: row, &scan.traits) }
      if ground.contents.isRead { read(step, row, scan.isReached, &json, &scan.traits) }
    }
    scan.finish(finishedAt: facts.finishedAt.stamp?.microseconds)
    facts = scan.facts
    facts.traits = scan.traits
    facts.shape = json.shape
    name(&facts, isOne: isOne)
    return facts
  }

  /// Brings what the JSON of a row says near.
  @inline(__always)
  func fetch(_ seq: Int64) -> UInt64 {
    guard let place = columns.place(of: seq) else { return 0 }
    return UInt64(columns.briefs[place].marks.rawValue) &+ columns.digests[place]
  }

  /// Whether a row without id and token only reached an activity (I10).
  func isReached(_ activity: Int) -> Bool {
    switch ground.resolution.names[activity] {
    case .activity, .token, .start: true
    case .channel, .key: false
    }
  }

  private func begin(
    _ life: Life, _ steps: ArraySlice<Step>, _ activity: Int, _ witnesses: Survey.Witnesses
  ) -> LifeFacts {
    let scope = ground.resolution.activityScopes[activity]
    var facts = LifeFacts(
      activity: Int32(activity), device: scope.device, key: life.key,
      type: life.facts.attributesType, build: life.facts.build)
    if case .channel = ground.resolution.names[activity] { facts.isChannel = true }
    facts.isOpen = life.isOpen
    facts.hasStart = life.startedAt != Life.absent
    facts.isExempt = ground.isExempt(life, isChannel: facts.isChannel)
    facts.opening =
      facts.hasStart
      ? life.startedAt
      : life.startedBefore != Life.absent ? life.startedBefore : steps.first?.at ?? ground.now
    facts.limit = life.limit
    let isLimit =
      life.endReasonCode >= 0
      ? life.endReasonCode == words.systemLimit : life.endReason.word == "system-limit"
    if life.phase.isOver, life.endCause != .clock, !isLimit {
      facts.endedAt = life.endedAt
      facts.isEndInferred = life.endCause.isInferred
    }
    facts.visibleUntil = life.visibleUntil(ground.resolution.set.limits)
    let reach = ground.survey.reach(of: witnesses, device: scope.device, since: facts.opening)
    facts.seenUntil = min(ground.now, reach ?? facts.opening)
    return facts
  }

  /// When its work was finished or cancelled, as far as that is known, before it ended.
  private func finishedAt(
    _ facts: LifeFacts, _ steps: ArraySlice<Step>, _ rows: RowList
  ) -> Int64 {
    let bound = facts.endedAt == Life.absent ? min(facts.limit, ground.now) : facts.endedAt
    let worked = ground.works.finish(of: facts.key, from: facts.opening, until: bound)
    let finished = ground.options.finishedRows
    guard !finished.isEmpty else { return worked ?? Life.absent }
    let shown = steps.first { step in
      guard case .row(let index) = step.cause, step.at <= bound else { return false }
      let kind = rows.packed[Int(index)].kind
      return (kind.isContentAct || kind == .state) && finished.contains(step.seq)
    }
    return [worked, shown?.at].compactMap(\.self).min() ?? Life.absent
  }

  /// What the log says elsewhere of the names of a life.
  private func name(_ facts: inout LifeFacts, isOne: Bool) {
    let activity = Int(facts.activity)
    let device = flags[facts.device]
    if isOne { facts.traits.insert(.severalLives) }
    if facts.isChannel { facts.traits.insert(.channel) }
    if device.contains(.sharedDevice) || limits.isEveryDeviceFull && facts.device >= 0 {
      facts.traits.insert(.sharedDevice)
    }
    if device.contains(.restrictedDevice) { facts.traits.insert(.restrictedDevice) }
    if device.union(flags[facts.key]).contains(.failedRequest) {
      facts.traits.insert(.besideFailure)
    }
    if case .activity(let id) = ground.resolution.names[activity] {
      if flags[id].contains(.sharedID) { facts.traits.insert(.sharedID) }
      // An id's decode failures are its own, whatever handles its rows have.
      if flags[id].contains(.stray) { facts.traits.insert(.stray) }
      if flags[id].contains(.refusedUpdates) { facts.traits.insert(.refusedUpdates) }
    }
    if hasCards { facts.traits.insert(.rareContent) }
    if ground.hidden.contains(activity: activity) { facts.traits.insert(.redacted) }
  }

  /// What an act's words and push say.
  private mutating func take(act row: Row, _ traits: inout LifeTraits) {
    if row.answer.refuses, flags[row.reason].contains(.topicReason) {
      traits.insert(.strangeHeaders)
    }
    if row.kind == .start, row.isByPush,
      ground.resolution.set.facts[row.facts].attributesType < 0
    {
      traits.insert(.lacking)
    }
    if !loudSenders.isEmpty, row.kind == .update, loudSenders.contains(row.recorder) {
      traits.insert(.strangePriority)
    }
    guard row.push != .none else { return }
    if !flags.strayPushes.isEmpty, flags.strayPushes.contains(row.push) { traits.insert(.stray) }
    guard !traits.contains(.repeated) else { return }
    let push = row.push.high ^ row.push.low
    // Comparing all of many pushes would take too long; they may be the same.
    if pushes.count >= 32 || pushes.contains(push) { traits.insert(.repeated) }
    pushes.append(push)
  }
}

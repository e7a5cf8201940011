internal import ActivityCore

// The acts one by one.
extension LifeScan {
  mutating func start(_ step: Step, _ row: Row, _ fansOut: Bool) {
    let isApplied = step.outcome.isApplied
    starts += 1
    if !step.outcome.isLoss, facts.startAt == Life.absent { facts.startAt = row.at }
    if starts > 1 { traits.insert(.manyStarts) }
    facts.start = isApplied && !fansOut && starts == 1 ? LifeFacts.Start(row) : nil
    if isApplied {
      if row.date != Life.absent, row.date > row.at { traits.insert(.scheduled) }
      if row.word == words.token { isPushable = true }
    }
    if !row.answer.refuses, row.source != .broadcast, row.channel >= 0 || row.inputPushChannel >= 0
    {
      traits.insert(.channel)
    }
  }

  mutating func update(_ row: Row, _ isApplied: Bool, _ fansOut: Bool) {
    if !fansOut { lastSendAt = row.at }
    if latestUpdateAt != Life.absent, row.at &- latestUpdateAt < limits.spacing { close += 1 }
    latestUpdateAt = row.at
    guard isApplied else { return }
    updates += 1
    if row.flags.contains(.alert) { alertedUpdates += 1 }
    if !row.isByPush, row.flags.contains(.content), row.source == .app || row.source == .intent {
      localUpdates += 1
    }
  }

  mutating func end(_ step: Step, _ row: Row, _ isApplied: Bool) {
    ends += 1
    if ends > 1 { traits.insert(.manyEnds) }
    if !row.answer.refuses, row.date != Life.absent, row.date > row.at &+ limits.tolerance,
      row.marks.contains(.immediate) || row.date > row.at &+ limits.lingering &+ limits.tolerance
    {
      traits.insert(.strangeDismissal)
    }
    guard isApplied else { return }
    if !row.isByPush, overAt == Life.absent { overAt = row.at }
    if step.before.isLive {
      appliedEnd = (row.at, row.marks.contains(.versioned) ? row.version : nil)
      if row.isByPush, row.answer == .accepted { hasPushEnd = true }
    }
    guard !isAskedToEnd, !step.before.isOver, row.source != .person, row.source != .system else {
      return
    }
    isAskedToEnd = true
    let isImmediate = row.marks.contains(.immediate)
    let isAtOnce = row.date == Life.absent ? isImmediate : row.date <= row.at
    if !row.flags.contains(.content), !isAtOnce { traits.insert(.bareEnd) }
    if row.date == Life.absent, !isImmediate, row.word < 0 || row.word == words.byDefault {
      defaultEndAt = row.at
    }
  }

  mutating func push(
    _ step: Step, _ row: Row, _ headers: HeaderFlags.Flags, _ token: WordFlags.Flags
  ) {
    let isContent = row.kind.isContentAct
    if row.token >= 0 || row.answer == .accepted && row.channel < 0, row.kind != .start {
      isAddressed = true
    }
    if row.answer.refuses { refusal(step, row) }
    if isContent, headers.contains(.strange) { traits.insert(.strangeHeaders) }
    if headers.contains(.once), row.kind == .start || row.kind == .end { traits.insert(.once) }
    if isContent, row.flags.contains(.alert), headers.contains(.stated), !headers.contains(.loud) {
      traits.insert(.strangePriority)
    }
    if headers.contains(.urgent), row.kind != .start { urgent += 1 }
    if row.token >= 0, !token.contains(.unclearToken) {
      let isWrong =
        token.contains(.otherToken)
        || (row.kind == .start) != token.contains(.startToken)
      if isWrong { traits.insert(.wrongToken) }
    }
    if isContent, !row.marks.contains(.versioned) { traits.insert(.lacking) }
    if isContent, row.kind != .end, !row.flags.contains(.content) { traits.insert(.lacking) }
    guard row.kind == .start else { return }
    traits.insert(.pushStart)
    if !row.flags.contains(.attributes) { traits.insert(.lacking) }
    if !row.flags.contains(.alert) { traits.insert(.bareStart) }
  }

  private mutating func refusal(_ step: Step, _ row: Row) {
    traits.insert(.refusal)
    let status = row.status
    let isSenders =
      status < 0
      ? row.marks.contains(.unreached) : status == 403 || status == 429 || (500..<600) ~= status
    if isSenders { traits.insert(.senderRefusal) }
    if status == 410, row.kind == .update, step.before.isLive, step.after.isOver {
      traits.insert(.gone)
    }
  }

  mutating func size(_ row: Row) {
    if row.marks.contains(.tooBig) || row.status == 413 || row.bytes >= limits.largeBytes {
      traits.insert(.large)
    }
  }

  mutating func dates(_ row: Row) {
    let isVersioned = row.marks.contains(.versioned)
    let seconds = Timestamp(microseconds: row.at).wholeSeconds
    if isVersioned {
      if row.version > 99_999_999_999 || row.version <= 970_000_001 { traits.insert(.wrongDate) }
      if !row.answer.refuses, row.version.subtractingClamped(seconds) > limits.ahead {
        traits.insert(.ahead)
      }
    }
    if row.staleDate != Life.absent {
      if DateUnit.wrong(row.staleDate, at: row.at) != nil { traits.insert(.wrongDate) }
      let isPast =
        row.kind == .start
        ? row.staleDate <= max(row.at, row.date)
        : Timestamp(microseconds: row.staleDate).wholeSeconds <= row.version
      if row.kind != .end, !row.answer.refuses, isPast { traits.insert(.pastStale) }
    }
    if row.date != Life.absent, DateUnit.wrong(row.date, at: row.at) != nil {
      traits.insert(.wrongDate)
    }
  }

  /// Content that took effect.
  mutating func content(_ row: Row) {
    if row.kind != .end, row.staleDate == Life.absent { traits.insert(.undated) }
    guard row.at <= bound else { return }
    if let former { pause(row.at &- former.at, after: former.staleDate) }
    former = (row.at, row.staleDate, row.kind)
  }

  private mutating func pause(_ length: Int64, after staleDate: Int64) {
    if length > limits.pause {
      facts.longPauses += 1
      if staleDate == Life.absent { traits.insert(.longPause) }
    } else {
      facts.shortPauses += 1
    }
  }
}

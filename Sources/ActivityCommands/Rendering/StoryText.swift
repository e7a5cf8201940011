internal import ActivityAudit
internal import ActivityCore

/// One customer's story: the timeline, both views, the findings, and a paragraph in words.
struct StoryText {
  let time: TimeText
  let console: Console

  func show(_ story: ActivityStory, findings: [Finding]) throws {
    try printHead(story.device)
    try console.line("")
    let text = EventText(time: time, dated: spansMidnight(story))
    var work = story.work[...]
    for moment in story.moments {
      while let next = work.first, next.at.microseconds <= moment.step.at {
        try console.line(text.workLine(next.outcome, at: next.at, seq: next.seq))
        work = work.dropFirst()
      }
      try console.line(line(moment, text))
    }
    for next in work {
      try console.line(text.workLine(next.outcome, at: next.at, seq: next.seq))
    }
    try console.line("")
    try printViews(story)
    for finding in findings {
      try console.line(
        Styled("finding  ", .dim) + ReportText.severity(finding.severity)
          + Styled(" \(finding.rule) (\(finding.verdict.rawValue)): \(finding.message)"))
    }
    try console.line("")
    for line in Wrap.lines(StoryWords(time: time).paragraph(story), width: console.width ?? 100) {
      try console.line(line)
    }
  }

  private func printHead(_ state: ActivityState) throws {
    try console.line(
      Styled(state.key.map { "\($0)  " } ?? "", .bold) + Styled(state.name, .bold))
    let facts = [
      state.attributesType, state.build.map { "build \($0)" }, state.device, state.bundleID,
      state.environment,
    ]
    let line = facts.compactMap(\.self).joined(separator: " · ")
    if !line.isEmpty { try console.line(line) }
  }

  private func spansMidnight(_ story: ActivityStory) -> Bool {
    guard let first = story.moments.first, let last = story.moments.last else { return false }
    return time.date(Timestamp(microseconds: first.step.at))
      != time.date(Timestamp(microseconds: last.step.at))
  }

  private func line(_ moment: ActivityStory.Moment, _ text: EventText) -> Styled {
    var line: Styled
    switch moment.step.cause {
    case .clock(let step):
      line = text.clockLine(
        step.rawValue, at: Timestamp(microseconds: moment.step.at),
        who: "", because: moment.step.seq)
    case .row:
      line =
        moment.row.map { text.line($0) }
        ?? Styled("event \(moment.step.seq), damaged", .red)
    }
    return line + StoryText.change(moment.step)
  }

  /// `active → ended`, or why nothing changed.
  static func change(_ step: Step) -> Styled {
    if !step.outcome.isApplied, step.outcome != .noted {
      return Styled("  ✗ \(step.outcome.word)", .red)
    }
    let flag = step.outcome == .appliedOlder ? " (older timestamp)" : ""
    guard step.before != step.after else { return Styled(flag) }
    return Styled("  \(step.before.word) → \(step.after.word)\(flag)", .cyan)
  }

  private func printViews(_ story: ActivityStory) throws {
    try console.line(Styled("device   ", .dim) + view(story.device))
    if let sent = story.sent {
      try console.line(Styled("sender   ", .dim) + view(sent))
    } else {
      try console.line(Styled("sender   ", .dim) + Styled("asked for nothing"))
    }
  }

  private func view(_ state: ActivityState) -> Styled {
    var text = Styled("")
    if let since = state.since { text += Styled(" since \(time.instant(since))") }
    if let reason = state.endReason { text += Styled(", ended by \(reason)") }
    if let until = state.visibleUntil {
      let over = state.phase == .dismissed ? "" : ", gone from the screen by \(time.instant(until))"
      text += Styled(over)
    }
    return StateText.phase(state) + text
  }
}

extension EventText {
  /// What the order itself did, as a line of a card's timeline.
  func workLine(_ outcome: String, at: Timestamp, seq: Int64) -> Styled {
    let number = String(repeating: " ", count: max(0, 8 - String(seq).count)) + String(seq)
    let clock = (dated ? time.date(at) + " " : "") + time.clock(at)
    return Styled("\(clock)  \(number)  ", .dim)
      + Styled(EventText.padded("work", 13) + "  ") + Styled("the work behind it: \(outcome)")
  }
}

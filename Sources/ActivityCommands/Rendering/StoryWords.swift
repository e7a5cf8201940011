internal import ActivityCore

/// What one customer saw, from when to when, in plain sentences.
struct StoryWords {
  let time: TimeText

  func paragraph(_ story: ActivityStory) -> String {
    let state = story.device
    let who = state.key ?? state.name
    guard state.phase != .none else {
      return "\(who): no card ever appeared. " + lost(story)
    }
    var sentences = [opening(state, who)]
    sentences += contents(story)
    let losses = lost(story)
    if !losses.isEmpty { sentences.append(losses) }
    sentences.append(closing(story))
    if let difference = belief(story) { sentences.append(difference) }
    return sentences.joined(separator: " ")
  }

  private func opening(_ state: ActivityState, _ who: String) -> String {
    if let start = state.startedAt {
      return "\(who): the card appeared at \(time.clock(start))."
    }
    let first = state.startedBefore.map(time.clock) ?? "an unknown time"
    return "\(who): nobody recorded the start; the first sign of the card is from \(first)."
  }

  /// Each content as long as it stood; long rows of them are cut to first, second and last.
  private func contents(_ story: ActivityStory) -> [String] {
    var sentences: [String] = []
    var said = ""
    for moment in story.moments {
      let at = time.clock(Timestamp(microseconds: moment.step.at))
      if moment.step.after == .stale, moment.step.before != .stale,
        moment.content?.contentState == nil
      {
        sentences.append("From \(at) on its content counted as stale.")
        continue
      }
      guard moment.step.outcome.isApplied, let content = moment.content?.contentState else {
        continue
      }
      let words = ContentText.brief(content, limit: 48)
      guard words != said, !words.isEmpty else { continue }
      said = words
      sentences.append("At \(at) it changed to \(words).")
    }
    if let first = sentences.first {
      sentences[0] = first.replacing("it changed to", by: "it said")
    }
    guard sentences.count > 7 else { return sentences }
    let left = sentences.count - 6
    return sentences.prefix(3) + ["(\(left) more changes.)"] + sentences.suffix(3)
  }

  /// What was asked for and never reached the card.
  private func lost(_ story: ActivityStory) -> String {
    var parts: [String] = []
    let acts = story.moments.filter { moment in
      !moment.step.outcome.isApplied && moment.step.outcome != .noted && moment.row != nil
    }
    for kind in [EventKind.start, .update, .alert, .end] {
      let lost = acts.filter { $0.row?.kind == kind }
      guard let first = lost.first, let row = first.row else { continue }
      let at = time.clock(Timestamp(microseconds: first.step.at))
      let why = reason(row, first.step.outcome)
      parts.append(
        lost.count == 1
          ? "the \(kind.word) sent at \(at) never reached it (\(why))"
          : "\(lost.count) \(kind.word)s from \(at) on never reached it (\(why))")
    }
    guard !parts.isEmpty else { return "" }
    let text = parts.joined(separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  private func reason(_ row: EventRow, _ outcome: Outcome) -> String {
    let words = [row.value(.status).map(String.init), row.text(.reason)].compactMap(\.self)
    return outcome == .refused && !words.isEmpty ? words.joined(separator: " ") : outcome.word
  }

  private func closing(_ story: ActivityStory) -> String {
    let state = story.device
    let until = state.visibleUntil.map(time.instant) ?? "an unknown time"
    guard let ended = state.endedAt else {
      return state.phase == .pending
        ? "It waits for its start."
        : "It is still on the screen; the system takes it away by \(until) if nobody ends it."
    }
    let how =
      switch state.endReason ?? "" {
      case "system-limit": "the system ended it, 8 hours after its start"
      case "person": "the person removed it"
      case "app": "the app ended it"
      case "push", "broadcast": "a push ended it"
      case "disabled": "Live Activities were switched off"
      default: "it was over"
      }
    let gone =
      state.phase == .dismissed
      ? "it left the screen by \(until)"
      : "it stays on the Lock Screen until \(until) at the latest"
    return "At \(time.clock(ended)) \(how); \(gone)."
  }

  /// Where the sender's belief is another.
  private func belief(_ story: ActivityStory) -> String? {
    guard let sent = story.sent, sent.phase.isOver, let believed = sent.endedAt else { return nil }
    guard story.device.endedAt != sent.endedAt else { return nil }
    return "The sender believes that it ended at \(time.clock(believed))."
  }
}

extension String {
  /// The first occurrence replaced.
  fileprivate func replacing(_ old: String, by new: String) -> String {
    guard let range = ranges(of: old).first else { return self }
    return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}

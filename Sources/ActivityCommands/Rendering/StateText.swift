internal import ActivityCore

/// Activities as people and programs read them.
struct StateText {
  let time: TimeText

  /// What `state` prints first: the instant, and how many stood how.
  func summary(_ states: [ActivityState], at instant: Timestamp, _ selection: String) -> String {
    func count(_ phase: Phase) -> Int { states.count { $0.phase == phase } }
    let onScreen = states.count { $0.isVisible }
    let parts = [Phase.active, .stale, .ended].map { "\(count($0)) \($0.word)" }
    let pending = count(.pending)
    return "At \(time.instant(instant)) (\(selection)): \(onScreen) on screen "
      + "(\(parts.joined(separator: ", ")))"
      + (pending > 0 ? ", \(pending) pending" : "")
  }

  /// One line an activity, most worrying first by phase, then by key and name.
  func table(_ states: [ActivityState], _ contents: [Int64: RowContent]) -> Table {
    var table = Table([
      .text("KEY"), .text("PHASE"), .text("SINCE"), .text("GONE BY"),
      .text("CONTENT", shrinks: true), .text("ACTIVITY"),
    ])
    for state in states {
      table.add([
        Styled(state.key ?? "-"), StateText.phase(state),
        Styled(state.since.map(time.clock) ?? "-"),
        Styled(state.visibleUntil.map(time.clock) ?? "-"),
        Styled(StateText.content(of: state, contents)), Styled(state.name),
      ])
    }
    return table
  }

  /// The phase in its colour; what rests on no evidence carries a question mark.
  static func phase(_ state: ActivityState) -> Styled {
    let style: Style =
      switch state.phase {
      case .active: .green
      case .stale: .yellow
      case .pending: .cyan
      case .none, .ended, .dismissed: .dim
      }
    return Styled(state.phase.word + (state.inferred ? "?" : ""), style)
  }

  /// The content a person saw, in a few words.
  static func content(of state: ActivityState, _ contents: [Int64: RowContent]) -> String {
    guard let seq = state.contentSeq, let content = contents[seq] else { return "" }
    if content.isDamaged { return "(content damaged)" }
    return content.contentState.map { ContentText.brief($0) } ?? ""
  }

  /// One activity as a line of `state -o jsonl`; the names are a promise.
  static func json(
    _ state: ActivityState, _ contents: [Int64: RowContent], into json: inout JSONText
  ) {
    let content = state.contentSeq.flatMap { contents[$0] }
    let attributes = state.attributesSeq.flatMap { contents[$0] }
    json.object {
      $0.member("schema", "activitylog.state/1")
      $0.member("activity-id", state.activityID)
      $0.member("name", state.name)
      $0.member("phase", state.phase.word)
      $0.member("since", state.since?.rfc3339)
      $0.member("started-at", state.startedAt?.rfc3339)
      $0.member("started-before", state.startedBefore?.rfc3339)
      $0.member("ended-at", state.endedAt?.rfc3339)
      $0.member("end-reason", state.endReason)
      $0.member("visible-until", state.visibleUntil?.rfc3339)
      $0.member("inferred", state.inferred)
      if let date = state.staleDate, date.hasText {
        $0.member("stale-date", date.rfc3339)
      } else {
        $0.member("stale-date", state.staleDate?.wholeSeconds)
      }
      $0.member("attributes-type", state.attributesType)
      $0.member("attributes", raw: attributes?.attributes)
      $0.member("content-state", raw: content?.contentState)
      $0.member("key", state.key)
      $0.member("device", state.device)
      $0.member("bundle-id", state.bundleID)
      $0.member("environment", state.environment)
      $0.member("build", state.build)
      $0.member("updates", state.updates)
      $0.member("alerts", state.alerts)
      $0.member("last-seq", state.lastSeq)
      if content?.isDamaged == true || attributes?.isDamaged == true {
        $0.member("content-damaged", true)
      }
    }
  }
}

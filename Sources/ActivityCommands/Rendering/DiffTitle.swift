internal import ActivityCore

/// What was compared, for the line above the differences and for programs.
struct DiffTitle {
  /// What stands on either side.
  enum Sides {
    case times(Timestamp, Timestamp, LogView)
    case views(Timestamp)
  }

  let clock: LogClock
  let sides: Sides

  /// The later instant, or the only one.
  var last: Timestamp {
    switch sides {
    case .times(let from, let to, _): max(from, to)
    case .views(let at): at
    }
  }

  func text(_ time: TimeText) -> String {
    switch sides {
    case .times(let from, let to, let view):
      "From \(time.instant(from)) to \(time.instant(to)) "
        + "(\(clock.rawValue) clock, \(view.rawValue) view)"
    case .views(let at):
      "Sender's belief → device at \(time.instant(at)) (\(clock.rawValue) clock)"
    }
  }

  /// `3 appeared, 14 changed, 2 gone`.
  func summary(_ differences: [ActivityDifference]) -> String {
    let isViews = if case .views = sides { true } else { false }
    let counts = [ActivityDifference.Change.appeared, .changed, .gone].compactMap { change in
      let count = differences.count { $0.change == change }
      return count > 0 ? "\(count) \(DiffTitle.word(change, isViews: isViews))" : nil
    }
    return counts.isEmpty ? "nothing differs" : counts.joined(separator: ", ")
  }

  private static func word(_ change: ActivityDifference.Change, isViews: Bool) -> String {
    switch change {
    case .appeared: isViews ? "on screen and not believed so" : "appeared"
    case .changed: isViews ? "otherwise than believed" : "changed"
    case .gone: isViews ? "believed on screen and not" : "gone"
    }
  }

  /// One document with everything.
  func write(_ differences: [ActivityDifference], into json: inout JSONText) {
    json.object {
      $0.member("schema", "activitylog.differences/1")
      $0.member("clock", clock.rawValue)
      switch sides {
      case .times(let from, let to, let view):
        $0.member("from", from.rfc3339)
        $0.member("to", to.rfc3339)
        $0.member("view", view.rawValue)
      case .views(let at):
        $0.member("at", at.rfc3339)
        $0.array("views") {
          $0.value(LogView.sent.rawValue)
          $0.value(LogView.device.rawValue)
        }
      }
      $0.array("activities") {
        for difference in differences { DiffJSON.write(difference, into: &$0) }
      }
    }
    json.newline()
  }
}

extension BeliefPlan {
  /// What the pushes would come to, and why some cards stay as they are.
  func say(wrong left: Int, _ console: Console) {
    let ends = pushes.count { $0.event == .end }
    console.note(
      "\(pushes.count) push\(pushes.count == 1 ? "" : "es") "
        + "(\(Quantity.count(ends, "end")), \(Quantity.count(pushes.count - ends, "update"))); "
        + "nothing was sent")
    for obstacle in Obstacle.allCases {
      guard let count = obstacles[obstacle] else { continue }
      console.note("\(count) without a push: \(BeliefPlan.reason(obstacle))")
    }
    if over > 0 {
      console.note("\(over) ended with another content than believed: no push reaches them")
    }
    console.note("after sending: \(left) of \(wrong) wrong, \(pastLimit) past 8 h")
  }

  private static func reason(_ obstacle: Obstacle) -> String {
    switch obstacle {
    case .withoutToken: "no update token is known"
    case .tokenGone: "the token was answered 410"
    case .tooBig: "it would be over 4096 bytes"
    case .damaged: "the content was lost to damage"
    }
  }
}

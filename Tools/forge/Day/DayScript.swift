/// What an activity does, line by line.
extension DayPlan {
  mutating func expand(_ activity: Activity) {
    let quiet = activity.update(1) + activity.spacing / 2
    if activity.fault == .startNotDelivered {
      push(.pushStart, activity, at: activity.start, DayEvent.startPush, .badToken)
      return
    }
    add(.start, activity, at: activity.start)
    add(.token, activity, at: activity.start + 300_000 + activity.number(3, below: 1_200_000))
    if activity.traits.contains(.shownActive) {
      add(.active, activity, at: activity.start + 2 * UTC.second)
    }
    if activity.traits.contains(.rotated) { add(.newToken, activity, at: quiet + 200_000) }
    for step in 0..<activity.updates {
      if activity.traits.contains(.swiped), step == 3 {
        swipe(activity)
        return
      }
      update(activity, step)
    }
    if activity.traits.contains(.alert) { push(.alert, activity, at: quiet, DayEvent.alertPush) }
    if activity.traits.contains(.inventory) { add(.inventory, activity, at: quiet + 400_000) }
    if activity.fault == .impossibleTransition { add(.secondStart, activity, at: quiet) }
    if activity.oddity == .disabled { add(.disabled, activity, at: quiet + 600_000) }
    if activity.fault == .neverEnded { limit(activity) } else { end(activity) }
    if activity.oddity == .revival { add(.active, activity, at: activity.end + 5 * UTC.minute) }
    if activity.oddity == .restart {
      add(.secondStart, activity, at: activity.end + 10 * UTC.minute)
    }
  }

  private mutating func update(_ activity: Activity, _ step: Int) {
    let at = activity.update(step)
    let push = UInt8(step)
    if step == 1, activity.traits.contains(.retried), at < Self.length - 10 * UTC.minute {
      self.push(.update, activity, at: at, push, .unavailable)
      self.push(.update, activity, at: at + 1_500_000, push, attempt: 2)
    } else if step == 2, activity.fault == .updateNotDelivered {
      self.push(.update, activity, at: at, push, .unavailable)
    } else {
      self.push(.update, activity, at: at, push)
    }
  }

  /// A person takes the card away; the next update is answered 410, and that is all.
  private mutating func swipe(_ activity: Activity) {
    if activity.traits.contains(.swipeSeen) {
      add(.dismiss, activity, at: activity.update(2) + activity.spacing / 3)
    }
    push(.update, activity, at: activity.update(3), 3, .gone)
    // After an unseen swipe and a 410, work that goes on would be a card nobody looked after.
    if activity.traits.isSuperset(of: [.work, .swipeSeen]) {
      add(.work, activity, at: activity.finish)
    }
  }

  private mutating func end(_ activity: Activity) {
    if activity.traits.contains(.work) { add(.work, activity, at: activity.finish) }
    switch activity.fault {
    case .endNotDelivered:
      let answer: DayEvent.Answer = activity.number(5, below: 8) == 0 ? .unavailable : .badToken
      push(.end, activity, at: activity.firstEnd, DayEvent.endPush, answer)
      return
    case .lateEnd:
      push(.end, activity, at: activity.firstEnd, DayEvent.endPush, .unavailable)
      push(.end, activity, at: activity.end, DayEvent.repeatedEnd)
    default:
      if activity.traits.contains(.endsInApp) {
        add(.appEnd, activity, at: activity.end)
      } else {
        push(.end, activity, at: activity.end, DayEvent.endPush)
      }
    }
    afterEnd(activity)
  }

  private mutating func afterEnd(_ activity: Activity) {
    let end = activity.end
    if activity.traits.contains(.shownEnded) {
      add(.ended, activity, at: end + 400_000 + activity.number(6, below: 500_000))
    }
    if activity.traits.contains(.dismissal), !activity.isGoneAtOnce {
      let wait =
        activity.traits.contains(.byPerson)
        ? UTC.minute + activity.number(7, below: 1_600_000_000) : 30 * UTC.minute + 300_000
      add(.dismiss, activity, at: end + wait)
    }
    if activity.fault == .updateAfterEnd {
      let wait = UTC.minute + activity.number(8, below: 540_000_000)
      push(.update, activity, at: end + wait, DayEvent.lateUpdate)
    }
  }

  /// Nobody ends it. On one phone of three the system is seen doing so, after eight hours.
  private mutating func limit(_ activity: Activity) {
    if activity.index % 3 == 0 {
      add(.limit, activity, at: activity.start + 8 * UTC.hour + 3 * UTC.second)
    }
  }
}

extension Activity {
  /// Ended by the app with the policy that leaves nothing on the screen.
  var isGoneAtOnce: Bool {
    fault != .lateEnd && traits.contains(.endsInApp) && traits.contains(.endsImmediately)
  }
}

/// What is done wrong to an activity, on purpose. README.md says how each is planted.
enum Fault: String {
  case neverEnded = "never-ended"
  case endNotDelivered = "end-not-delivered"
  case lateEnd = "late-end"
  case staleWhileLive = "stale-while-live"
  case updateAfterEnd = "update-after-end"
  case outOfOrder = "out-of-order-timestamp"
  case updateNotDelivered = "update-not-delivered"
  case impossibleTransition = "impossible-transition"
  case startNotDelivered = "start-not-delivered"

  /// How many of 10 000 activities are chosen for each; some are then not fit for it.
  private static let rates: [(Int64, Fault)] = [
    (95, .neverEnded), (40, .endNotDelivered), (40, .lateEnd), (90, .staleWhileLive),
    (40, .updateAfterEnd), (40, .outOfOrder), (60, .updateNotDelivered),
    (10, .impossibleTransition), (5, .startNotDelivered),
  ]

  /// The fault that `roll`, of 0..<10 000, chooses.
  static func chosen(by roll: Int64) -> Fault? {
    var bound: Int64 = 0
    for (rate, fault) in rates {
      bound += rate
      if roll < bound { return fault }
    }
    return nil
  }

  /// Whether the finding is certain within the day, whatever else the activity does.
  func fits(_ activity: Activity) -> Bool {
    switch self {
    case .neverEnded: activity.start < 15 * UTC.hour
    case .endNotDelivered, .updateAfterEnd: activity.finish < 23 * UTC.hour + 40 * UTC.minute
    case .lateEnd: activity.finish < 22 * UTC.hour + 50 * UTC.minute
    case .staleWhileLive:
      activity.spacing > 10 * UTC.minute && activity.finish < 23 * UTC.hour
    case .updateNotDelivered:
      activity.spacing > 7 * UTC.minute && activity.finish < 23 * UTC.hour
    case .outOfOrder, .impossibleTransition, .startNotDelivered:
      activity.finish < 23 * UTC.hour
    }
  }
}

/// All activities of a day and all their events, in the order of recording.
struct DayPlan {
  static let length = UTC.day

  private(set) var activities: [Activity] = []
  private(set) var events: [DayEvent] = []
  private var random: SplitMix64
  private let isStrange: Bool

  init(_ order: DayOrder) {
    isStrange = order.isStrange
    random = SplitMix64(seed: SplitMix64.mix(order.seed &+ 0xDA1))
    let count = Int(order.events * 10 / 132)
    activities.reserveCapacity(count)
    for index in 0..<count {
      let start = Self.start(of: index, of: count, &random)
      activities.append(Activity(index, start: start, random: &random, isClean: order.isClean))
    }
    shareDevices()
    if isStrange {
      for index in activities.indices {
        activities[index].oddity = Activity.Oddity(
          rawValue: activities[index].number(10, below: 40))
      }
    }
    events.reserveCapacity(Int(order.events) * 11 / 10)
    for activity in activities { expand(activity) }
    close()
    events = Self.inOrder(events)
  }

  /// How busy each hour is; people order at lunch and in the evening.
  private static let weights: [Int64] = [
    1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 6, 6, 6, 6, 3, 3, 3, 7, 7, 7, 7, 2, 2, 2,
  ]

  /// Starts grow with the index and follow the weights; none in the last ten minutes.
  private static func start(of index: Int, of count: Int, _ random: inout SplitMix64) -> Int64 {
    let total = weights.reduce(0, +)
    // The place of this start in the day's work, in millionths of an hour of weight one.
    let slot = total * 1_000_000 * 512 / Int64(count)
    var place = (Int64(index) * slot + random.below(max(1, slot))) / 512
    for (hour, weight) in weights.enumerated() {
      if place < weight * 1_000_000 {
        let start = Int64(hour) * UTC.hour + place * UTC.hour / (weight * 1_000_000)
        return start * 1430 / 1440 + random.below(UTC.second / 2)
      }
      place -= weight * 1_000_000
    }
    return length - 11 * UTC.minute
  }

  /// A quarter of the second half comes from devices of the first, hours later.
  private mutating func shareDevices() {
    let half = activities.count / 2
    for index in half..<max(half, activities.count) {
      let earlier = activities[index - half]
      let isPlain = activities[index].fault == nil && earlier.fault == nil
      if isPlain, activities[index].number(9, below: 4) == 0 {
        activities[index].device = earlier.device
      }
    }
  }

  /// The last seconds of the day, so that every gateway was seen recording to its end.
  private mutating func close() {
    for gateway in 0..<4 where gateway < activities.count {
      let recorded = Self.length - UTC.second * Int64(5 - gateway)
      events.append(
        DayEvent(recorded: recorded, activity: UInt32(gateway), kind: .authorization))
    }
  }

  /// Takes an event of the day; later ones are cut off. Some lines come late.
  mutating func add(
    _ kind: DayEvent.Kind, _ activity: Activity, at: Int64, push: UInt8 = 0, attempt: UInt8 = 1,
    _ answer: DayEvent.Answer = .accepted
  ) {
    guard at < Self.length - 10 * UTC.second else { return }
    var event = DayEvent(
      recorded: at, activity: UInt32(activity.index), kind: kind, push: push, attempt: attempt,
      answer: answer)
    let roll = SplitMix64.mix(activity.hash &+ UInt64(events.count)) >> 8
    if roll & 63 == 0 {
      let bound: UInt64 = isFromDevice(kind) ? 7_200_000 : 1900
      let lag = Int32((roll >> 6) % bound) + 1
      if at + Int64(lag) * 1000 < Self.length - 10 * UTC.second {
        event.lag = lag
        event.recorded += Int64(lag) * 1000
      }
    }
    // A clock that is ahead: up to nine minutes beyond the recording.
    if isStrange, roll & 63 == 1 {
      let lead = Int32((roll >> 6) % 540_000)
      if event.recorded > Int64(lead) * 1000 {
        event.lag = -lead
        event.recorded -= Int64(lead) * 1000
      }
    }
    events.append(event)
  }

  private func isFromDevice(_ kind: DayEvent.Kind) -> Bool {
    switch kind {
    case .start, .token, .newToken, .active, .appEnd, .ended, .dismiss, .inventory, .secondStart,
      .limit, .disabled:
      true
    case .update, .alert, .end, .work, .response, .authorization, .pushStart: false
    }
  }

  /// A push, and its answer where that is a row of its own.
  mutating func push(
    _ kind: DayEvent.Kind, _ activity: Activity, at: Int64, _ push: UInt8, attempt: UInt8 = 1,
    _ answer: DayEvent.Answer = .accepted
  ) {
    add(kind, activity, at: at, push: push, attempt: attempt, answer)
    guard activity.traits.contains(.separateAnswers) else { return }
    let delay = 30_000 + activity.number(UInt64(push) + 40, below: 270_000)
    add(.response, activity, at: at + delay, push: push, attempt: attempt, answer)
  }

  /// By recording, stable: quarter-second buckets, then insertion within each.
  private static func inOrder(_ events: [DayEvent]) -> [DayEvent] {
    let width = UTC.second / 4
    var ends = [Int](repeating: 0, count: Int(length / width) + 2)
    for event in events { ends[Int(event.recorded / width) + 1] += 1 }
    for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
    guard let first = events.first else { return [] }
    var sorted = [DayEvent](repeating: first, count: events.count)
    for event in events {
      let bucket = Int(event.recorded / width)
      sorted[ends[bucket]] = event
      ends[bucket] += 1
    }
    for index in sorted.indices.dropFirst() {
      let event = sorted[index]
      var place = index
      while place > 0, sorted[place - 1].recorded > event.recorded {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = event
    }
    return sorted
  }
}

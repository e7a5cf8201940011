/// Spells events as NDJSON.
struct DayLines {
  let sink: ByteSink
  let dayStart: Int64

  init(_ sink: ByteSink, dayStart: Int64) {
    (self.sink, self.dayStart) = (sink, dayStart)
  }

  func write(_ event: DayEvent, of activity: Activity) {
    sink.room()
    switch event.kind {
    case .start, .secondStart: start(event, activity)
    case .pushStart: pushStart(event, activity)
    case .token, .newToken: token(event, activity)
    case .active, .ended, .limit: state(event, activity)
    case .update: update(event, activity)
    case .alert: alert(event, activity)
    case .end: end(event, activity)
    case .appEnd: appEnd(event, activity)
    case .dismiss: dismiss(event, activity)
    case .work: work(event, activity)
    case .inventory: inventory(event, activity)
    case .response: response(event, activity)
    case .authorization: authorization(event, activity)
    case .disabled: disabled(event, activity)
    }
    sink.text("}\n")
  }

  // MARK: What a device saw, sent through one of four gateways

  private func start(_ event: DayEvent, _ activity: Activity) {
    device("{\"event\":\"start\",\"at\":\"", event, activity)
    sink.text(",\"source\":\"app\",\"key\":\"A-")
    sink.decimal(Int64(100_000 + activity.index))
    build(activity)
    sink.text(",\"attributes-type\":\"")
    sink.text(Self.types[activity.type])
    sink.text("\",\"attributes\":{\"order\":\"A-")
    sink.decimal(Int64(100_000 + activity.index))
    sink.text("\",\"store\":")
    sink.decimal(activity.number(20, below: 400))
    sink.text("}")
    content(0, activity)
    stale(event.at / UTC.second, activity.freshness(of: 0))
    sink.text(",\"push-type\":\"token\"")
  }

  private func token(_ event: DayEvent, _ activity: Activity) {
    device("{\"event\":\"token\",\"at\":\"", event, activity)
    sink.text(",\"key\":\"A-")
    sink.decimal(Int64(100_000 + activity.index))
    sink.text("\",\"token-kind\":\"update\",\"token\":\"")
    sink.token(of: activity, event.kind == .newToken ? .second : .first)
    if event.kind == .newToken {
      sink.text("\",\"replaces\":\"")
      sink.token(of: activity, .first)
    }
    sink.byte(0x22)
  }

  private func state(_ event: DayEvent, _ activity: Activity) {
    device("{\"event\":\"state\",\"at\":\"", event, activity)
    switch event.kind {
    case .active: sink.text(",\"state\":\"active\"")
    case .ended where activity.isGoneAtOnce: sink.text(",\"state\":\"dismissed\"")
    default: sink.text(",\"state\":\"ended\"")
    }
  }

  private func dismiss(_ event: DayEvent, _ activity: Activity) {
    device("{\"event\":\"dismiss\",\"at\":\"", event, activity)
    let isSwipe = activity.traits.contains(.swiped) || activity.traits.contains(.byPerson)
    if isSwipe { sink.text(",\"by\":\"person\"") } else { sink.text(",\"by\":\"policy\"") }
  }

  private func appEnd(_ event: DayEvent, _ activity: Activity) {
    device("{\"event\":\"end\",\"at\":\"", event, activity)
    sink.text(",\"source\":\"app\",\"key\":\"A-")
    sink.decimal(Int64(100_000 + activity.index))
    sink.byte(0x22)
    content(99, activity)
    if activity.isGoneAtOnce {
      sink.text(",\"dismissal-policy\":\"immediate\"")
    } else {
      sink.text(",\"dismissal-policy\":\"after\",\"dismissal-date\":")
      sink.decimal((dayStart + event.at) / UTC.second + 1800)
    }
  }

  private func inventory(_ event: DayEvent, _ activity: Activity) {
    opening("{\"event\":\"inventory\",\"at\":\"", event)
    gateway(activity)
    ofDevice(activity)
    sink.text(",\"attributes-type\":\"")
    sink.text(Self.types[activity.type])
    sink.text("\",\"complete\":true,\"activities\":[{\"activity-id\":\"")
    sink.uuid(activity.id.high, activity.id.low)
    sink.text("\",\"state\":\"active\"}]")
  }

  private func authorization(_ event: DayEvent, _ activity: Activity) {
    opening("{\"event\":\"authorization\",\"at\":\"", event)
    gateway(activity)
    sink.text(",\"device\":\"probe-")
    sink.decimal(Int64(activity.index))
    sink.text("\",\"bundle-id\":\"com.example.probe\",\"enabled\":true,\"frequent\":true")
  }

  private func disabled(_ event: DayEvent, _ activity: Activity) {
    opening("{\"event\":\"authorization\",\"at\":\"", event)
    gateway(activity)
    ofDevice(activity)
    sink.text(",\"enabled\":false,\"frequent\":false")
  }

  // MARK: What a sender sent

  private func update(_ event: DayEvent, _ activity: Activity) {
    pushed("{\"event\":\"update\",\"at\":\"", event, activity)
    let step = Int(event.push)
    let isSteady = step < activity.updates
    var stamp = (dayStart + (isSteady ? activity.update(step) : event.at)) / UTC.second
    if activity.fault == .outOfOrder, step == 2 {
      stamp = (dayStart + activity.update(1)) / UTC.second - 40
    }
    if activity.oddity == .futureStamp, step == 2 { stamp += 9 * 3600 }
    sink.text(",\"timestamp\":")
    sink.decimal(stamp)
    content(step, activity)
    stale(stamp - dayStart / UTC.second, activity.freshness(of: step))
    if activity.rings(step) {
      sink.text(",\"alert\":{\"title\":\"Something changed\",\"body\":\"Have a look\"}")
    }
    answered(event, activity, isUrgent: activity.rings(step))
  }

  private func alert(_ event: DayEvent, _ activity: Activity) {
    pushed("{\"event\":\"alert\",\"at\":\"", event, activity)
    sink.text(",\"alert\":{\"title\":\"Nearly there\",\"body\":\"Stop ")
    sink.decimal(activity.number(21, below: 12))
    sink.text("\"}")
    answered(event, activity, isUrgent: true)
  }

  private func end(_ event: DayEvent, _ activity: Activity) {
    pushed("{\"event\":\"end\",\"at\":\"", event, activity)
    sink.text(",\"timestamp\":")
    sink.decimal((dayStart + event.at) / UTC.second)
    content(99, activity)
    sink.text(",\"dismissal-date\":")
    sink.decimal((dayStart + event.at) / UTC.second + 1800)
    answered(event, activity, isUrgent: true)
  }

  private func pushStart(_ event: DayEvent, _ activity: Activity) {
    opening("{\"event\":\"start\",\"at\":\"", event)
    sender(activity)
    sink.text(",\"source\":\"push\",\"token\":\"")
    sink.token(of: activity, .start)
    sink.text("\",\"key\":\"A-")
    sink.decimal(Int64(100_000 + activity.index))
    sink.text("\",\"timestamp\":")
    sink.decimal((dayStart + event.at) / UTC.second)
    sink.text(",\"attributes-type\":\"")
    sink.text(Self.types[activity.type])
    sink.text("\",\"attributes\":{},\"alert\":{\"title\":\"Order received\",\"body\":\"\"}")
    content(0, activity)
    stale(event.at / UTC.second, activity.freshness(of: 0))
    answered(event, activity, isUrgent: true)
  }

  private func response(_ event: DayEvent, _ activity: Activity) {
    opening("{\"event\":\"response\",\"at\":\"", event)
    sender(activity)
    sink.text(",\"apns-id\":\"")
    apnsID(event, activity)
    if event.attempt > 1 {
      sink.text("\",\"attempt\":")
      sink.decimal(Int64(event.attempt))
      status(event.answer)
    } else {
      sink.byte(0x22)
      status(event.answer)
    }
  }

  private func work(_ event: DayEvent, _ activity: Activity) {
    opening("{\"event\":\"work\",\"at\":\"", event)
    sink.text(",\"recorder\":\"orders\",\"key\":\"A-")
    sink.decimal(Int64(100_000 + activity.index))
    sink.text("\",\"outcome\":\"finished\"")
  }
}

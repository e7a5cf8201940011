/// Members that several kinds of line share. Each begins with its comma.
extension DayLines {
  static let types: [StaticString] = [
    "CoffeeOrder", "RideAttributes", "DeliveryRun", "MatchAttributes", "TimerAttributes",
  ]
  private static let statuses: [StaticString] = [
    "preparing", "brewing", "ready", "on-the-way", "nearly-there", "delivered",
  ]

  /// The opening text up to the time, the time, and when it was recorded if that was later.
  func opening(_ text: StaticString, _ event: DayEvent) {
    sink.text(text)
    sink.instant(dayStart + event.at)
    if event.lag != 0 {
      sink.text("\",\"recorded-at\":\"")
      sink.instant(dayStart + event.recorded)
    }
    sink.byte(0x22)
  }

  func gateway(_ activity: Activity) {
    sink.text(",\"recorder\":\"gateway-")
    sink.byte(0x31 + UInt8(activity.index & 3))
    sink.byte(0x22)
  }

  func sender(_ activity: Activity) {
    sink.text(",\"recorder\":\"push-")
    sink.byte(0x31 + UInt8(activity.hash & 3))
    sink.byte(0x22)
  }

  func ofDevice(_ activity: Activity) {
    sink.text(",\"device\":\"d")
    sink.decimal(Int64(activity.device))
    sink.text("\",\"bundle-id\":\"com.example.day\"")
  }

  func device(_ text: StaticString, _ event: DayEvent, _ activity: Activity) {
    opening(text, event)
    gateway(activity)
    sink.text(",\"activity-id\":\"")
    sink.uuid(activity.id.high, activity.id.low)
    sink.byte(0x22)
    ofDevice(activity)
  }

  /// After the key's open quote: builds 409 to 413, the newest on most phones.
  func build(_ activity: Activity) {
    sink.text("\",\"build\":\"")
    sink.decimal(413 - activity.number(22, below: 5) * activity.number(23, below: 2))
    sink.byte(0x22)
  }

  func pushed(_ text: StaticString, _ event: DayEvent, _ activity: Activity) {
    opening(text, event)
    sender(activity)
    sink.text(",\"source\":\"push\",\"token\":\"")
    let isRotated = activity.traits.contains(.rotated)
    let isLater = event.push >= 2 && event.push != DayEvent.alertPush
    sink.token(of: activity, isRotated && isLater ? .second : .first)
    sink.text("\",\"key\":\"A-")
    sink.decimal(Int64(100_000 + activity.index))
    sink.byte(0x22)
  }

  func content(_ step: Int, _ activity: Activity) {
    sink.text(",\"content-state\":{\"status\":\"")
    sink.text(Self.statuses[step >= activity.updates ? 5 : step * 5 / activity.updates])
    sink.text("\",\"eta\":\"")
    let minutes = (dayStart + activity.finish) % UTC.day / UTC.minute
    sink.padded(minutes / 60, 2)
    sink.byte(0x3A)
    sink.padded(minutes % 60, 2)
    sink.text("\",\"left\":")
    sink.decimal(Int64(max(0, activity.updates - step)))
    sink.byte(0x7D)
  }

  /// `seconds` since the day began, and how long the content is good for.
  func stale(_ seconds: Int64, _ freshness: Int64) {
    sink.text(",\"stale-date\":")
    sink.decimal(dayStart / UTC.second + seconds + freshness / UTC.second)
  }

  func apnsID(_ event: DayEvent, _ activity: Activity) {
    let mixed = SplitMix64.mix(activity.hash &+ (UInt64(event.push) &+ 1) &* 0xA24B_AED4)
    sink.uuid(mixed, SplitMix64.mix(mixed))
  }

  /// The push's own members, with its answer unless that comes as a row of its own.
  func answered(_ event: DayEvent, _ activity: Activity, isUrgent: Bool) {
    if isUrgent { sink.text(",\"apns-priority\":10") } else { sink.text(",\"apns-priority\":5") }
    sink.text(",\"apns-id\":\"")
    apnsID(event, activity)
    sink.byte(0x22)
    if event.attempt > 1 {
      sink.text(",\"attempt\":")
      sink.decimal(Int64(event.attempt))
    }
    if !activity.traits.contains(.separateAnswers) { status(event.answer) }
  }

  func status(_ answer: DayEvent.Answer) {
    switch answer {
    case .accepted: sink.text(",\"status\":200")
    case .badToken: sink.text(",\"status\":400,\"reason\":\"BadDeviceToken\"")
    case .unavailable: sink.text(",\"status\":503,\"reason\":\"ServiceUnavailable\"")
    case .gone: sink.text(",\"status\":410,\"reason\":\"Unregistered\"")
    }
  }
}

extension ByteSink {
  /// RFC 3339 with microseconds, without its quotes.
  func instant(_ instant: Int64) {
    let (year, month, day) = UTC.civil(instant / UTC.day)
    let seconds = instant % UTC.day / UTC.second
    padded(year, 4)
    byte(0x2D)
    padded(month, 2)
    byte(0x2D)
    padded(day, 2)
    byte(0x54)
    padded(seconds / 3600, 2)
    byte(0x3A)
    padded(seconds / 60 % 60, 2)
    byte(0x3A)
    padded(seconds % 60, 2)
    byte(0x2E)
    padded(instant % UTC.second, 6)
    byte(0x5A)
  }

  /// The same spelling as `Hex.uuid`.
  func uuid(_ high: UInt64, _ low: UInt64) {
    let first = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let second = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    hex(first >> 32, 8, upper: true)
    byte(0x2D)
    hex(first >> 16, 4, upper: true)
    byte(0x2D)
    hex(first, 4, upper: true)
    byte(0x2D)
    hex(second >> 48, 4, upper: true)
    byte(0x2D)
    hex(second, 12, upper: true)
  }

  /// A token's fingerprint.
  func token(of activity: Activity, _ which: Activity.Token) {
    text("sha256:")
    let mixed = SplitMix64.mix(activity.hash &+ 0x70CE &+ which.rawValue)
    hex(mixed, 16)
    hex(SplitMix64.mix(mixed), 16)
  }
}

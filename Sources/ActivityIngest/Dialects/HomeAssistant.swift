internal import ActivityCore

/// Notifications of Home Assistant that are live updates: service calls of `notify`, as the server
/// logs or exports them, and what its relay is sent.
///
/// The `tag` is `key`; the service `mobile_app_…` names one device, a group names none. Where no
/// `event` is said, the first live notification of a tag starts and later ones update, and
/// `clear_notification` ends; what tags were used for is remembered from earlier records of the
/// source, and forgotten 12 h after the last. A tag that only ordinary notifications used is
/// nobody's activity.
public struct HomeAssistant: Dialect {
  public static let name = "homeassistant"
  public static let summary = "live updates by Home Assistant's notify services"
  public static let framing = Framing.json
  public static let remembers = true

  /// What a tag was used for, and when.
  private struct Use {
    enum Purpose { case ordinary, live, ended }

    var purpose: Purpose
    var at: Timestamp?
    /// Counts uses: of two the later has the larger.
    var number: Int
  }

  private static let usesMax = 100_000
  private static let clear = "clear_notification"

  private let clock: SourceTime
  /// By device and tag; of groups under no device; and of whoever was last, under `*`.
  private var uses: [String: Use] = [:]
  private var count = 0

  public init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  public static func likeness(of record: SourceRecord) -> Int {
    guard let call = HomeAssistantCall(record) else { return 0 }
    return call.isLive ? 8 : call.isNamed ? 2 : 1
  }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let notice = HomeAssistantCall(record) else { return .otherRecord }
    if let refusal = notice.call.refusal(clock) { return refusal }
    let at = clock.instant(notice.call.time)
    let isClear = notice.message == Self.clear
    let tag = notice.tag ?? notice.activity ?? ""
    let last = lastUse(of: tag, on: notice.device, at)
    guard notice.isLive || isClear && notice.tag != nil else {
      if notice.tag != nil { remember(.ordinary, tag, notice.device, at) }
      return .ordinary
    }
    if isClear, !notice.isLive, last == .ordinary { return .ordinary }
    let event = notice.event ?? (isClear ? "end" : last == .live ? "update" : "start")
    var act = notice.call.act(event, clock)
    notice.take(into: &act, at: at)
    guard act.hasHandle else { return .noHandle("data.tag") }
    if notice.event == nil, !isClear {
      // What is known by memory alone is another event where the memory is another.
      let source = record.bytes + Array("\n\(event)".utf8)
      act.set("id", text: "\(Self.name):" + TokenDigest.sha256(source).prefix(16).hexText)
    }
    remember(event == "end" ? .ended : .live, tag, notice.device, at)
    notice.call.settle(act, domain: Self.name, as: VendorAnswer(notice.call), into: &events)
    return .events
  }

  /// What a tag is used for now: on a device by what it and groups were sent, in a group by what
  /// anybody was sent.
  private func lastUse(of tag: String, on device: String?, _ at: Timestamp?) -> Use.Purpose? {
    let names = device.map { ["\($0)\n\(tag)", "\n\(tag)"] } ?? ["*\n\(tag)"]
    let last = names.compactMap { uses[$0] }.max { $0.number < $1.number }
    guard let last else { return nil }
    if let at, let then = last.at, at.microseconds - then.microseconds > 12 * 3_600_000_000 {
      return nil
    }
    return last.purpose
  }

  private mutating func remember(
    _ purpose: Use.Purpose, _ tag: String, _ device: String?, _ at: Timestamp?
  ) {
    if uses.count >= Self.usesMax { uses = [:] }
    count += 1
    let use = Use(purpose: purpose, at: at, number: count)
    uses["\(device ?? "")\n\(tag)"] = use
    uses["*\n\(tag)"] = use
  }
}

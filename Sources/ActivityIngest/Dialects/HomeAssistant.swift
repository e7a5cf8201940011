internal import ActivityCore

/// Notifications of Home Assistant that are live updates: service calls of `notify`, as the server
/// logs or exports them, and what its relay is sent.
///
/// The `tag` is `key`; the service `mobile_app_…` names one device, a group names none. Where no
/// `event` is said, a live notification updates, which opens the card where there is none, and
/// `clear_notification` ends; only a live one after the end of its tag starts, or it would be taken
/// as late. What tags were used for is remembered from earlier records of the source, and forgotten
/// 12 h after the last. A tag that only ordinary notifications used is
/// nobody's activity.
package struct HomeAssistant: Dialect {
  package static let name = "homeassistant"
  package static let summary = "live updates by Home Assistant's notify services"
  package static let framing = Framing.json
  package static let remembers = true

  /// What a tag was used for, and when.
  private struct Use {
    enum Purpose { case ordinary, live, ended }

    var purpose: Purpose
    var at: Timestamp?
    /// Counts uses: of two the later has the larger.
    var number: Int
  }

  private static let usesMax = 100_000

  private let clock: SourceTime
  /// By device and tag; of groups under no device; and of whoever was last, under `*`.
  private var uses: [String: Use] = [:]
  private var count = 0

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    guard let call = HomeAssistantCall(record) else { return 0 }
    return call.isLive ? 8 : call.isNamed ? 2 : 1
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let notice = HomeAssistantCall(record) else { return .otherRecord }
    if let refusal = notice.call.refusal(clock) { return refusal }
    let at = clock.instant(notice.call.time)
    let isClear = notice.message == HomeAssistantCall.clear
    let tag = notice.tag ?? notice.activity ?? ""
    let last = lastUse(of: tag, on: notice.device, at)
    guard notice.isLive || isClear && notice.tag != nil else {
      if notice.tag != nil { remember(.ordinary, tag, notice.device, at) }
      return .ordinary
    }
    if isClear, !notice.isLive, last == .ordinary { return .ordinary }
    let event = notice.event ?? (isClear ? "end" : last == .ended ? "start" : "update")
    var act = notice.call.act(event, clock)
    notice.take(into: &act, at: at)
    guard act.hasHandle else { return .noHandle("data.tag") }
    // What is known by memory alone is another event where the memory is another.
    if notice.event == nil, event == "start" { act.form = event }
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
    if let at, let then = last.at,
      at.microseconds.subtractingClamped(then.microseconds) > 12 * 3_600_000_000
    {
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

internal import ActivityCore

/// Calls of Braze's API for Live Activities: `/messages/live_activity/start` and `…/update`, which
/// also ends (`end_activity`).
///
/// Braze's `activity_id` is the tag of a push token, many devices may have one of it: it is `key`.
/// Dates are ISO 8601 there and become Unix seconds here, the text kept in `raw`. Where a
/// notification has `content-available` Braze sends with priority 5.
public struct Braze: Dialect {
  public static let name = "braze"
  public static let summary = "calls of Braze's API for Live Activities"
  public static let framing = Framing.json

  private static let members = VendorMembers([
    "activity_id": .member("key"), "activity_attributes_type": .member("attributes-type"),
    "activity_attributes": .member("attributes"), "content_state": .member("content-state"),
    "stale_date": .date("stale-date"), "dismissal_date": .date("dismissal-date"),
    "relevance_score": .member("relevance-score"), "end_activity": .read, "notification": .read,
  ])

  private let clock: SourceTime

  public init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  public static func likeness(of record: SourceRecord) -> Int {
    guard let call = call(record) else { return 0 }
    return isAct(call) ? 8 : 2
  }

  private static func call(_ record: SourceRecord) -> VendorCall? {
    VendorCall(record, isBody: isBody) { url in
      url.contains("braze.com/") || url.contains("braze.eu/")
        || url.contains("/messages/live_activity/")
    }
  }

  private static func isBody(_ body: JSONSlice) -> Bool {
    guard body["activity_id"] != nil else { return false }
    let names = ["content_state", "activity_attributes", "activity_attributes_type"]
    return body["end_activity"] != nil
      || body["app_id"] != nil && names.contains { body[$0] != nil }
  }

  private static func isAct(_ call: VendorCall) -> Bool {
    isBody(call.body) || call.url.contains("/messages/live_activity/")
  }

  private static func event(_ call: VendorCall) -> String {
    if call.body["end_activity"]?.type == .true { return "end" }
    let isStart = call.body["activity_attributes_type"] != nil || call.lastPart == "start"
    return isStart ? "start" : "update"
  }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = Self.call(record) else { return .otherRecord }
    guard Self.isAct(call) else { return .ordinary }
    if let refusal = call.refusal(clock) { return refusal }
    var act = call.act(Self.event(call), clock)
    act.set("key", call["activity_id"])
    guard act.hasHandle else { return .noHandle("the body's activity_id") }
    Self.members.take(call.body, except: call.taken, into: &act)
    if let notification = call.body["notification"] { Self.take(notification, into: &act) }
    call.settle(act, domain: Self.name, as: VendorAnswer(call), into: &events)
    return .events
  }

  private static func take(_ notification: JSONSlice, into act: inout EventDraft) {
    let push = notification["apple_push"] ?? notification
    act.set("alert", VendorAlert.spelled(push["alert"]))
    let available = push["content-available"] ?? push["content_available"]
    if available != nil { act.set("apns-priority", number: 5) }
    let others = push.members.filter { $0.name != "alert" }
    if !others.isEmpty { act.keep("notification", push) }
  }
}

internal import ActivityCore

/// Calls of Customer.io's Live Notifications API: `/v1/live_notifications/start`, `/update` and
/// `/end`.
///
/// The instance's id, in the body or in the answer to its start, is `key`. Every update carries the
/// whole state. Dates are Unix seconds, kept as they are. What the body is for stands in the URL
/// alone, so a body without its URL is only understood when it starts.
public struct CustomerIO: Dialect {
  public static let name = "customerio"
  public static let summary = "calls of Customer.io's Live Notifications API"
  public static let framing = Framing.json

  private static let members = VendorMembers([
    "instance_id": .member("key"), "notification_type": .member("attributes-type"),
    "content_state": .member("content-state"), "attributes": .member("attributes"),
    "stale_date": .date("stale-date"), "dismissal_date": .date("dismissal-date"),
    "relevance_score": .member("relevance-score"), "priority": .member("apns-priority"),
    "timestamp": .date("timestamp"), "alert": .read, "push_payload": .read,
  ])

  private let clock: SourceTime

  public init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  public static func likeness(of record: SourceRecord) -> Int {
    guard let call = call(record) else { return 0 }
    return isAct(call) ? 8 : 2
  }

  private static func call(_ record: SourceRecord) -> VendorCall? {
    VendorCall(record, isBody: isBody) {
      $0.contains("customer.io/") || $0.contains("/live_notifications/")
    }
  }

  private static func isBody(_ body: JSONSlice) -> Bool {
    body["content_state"]?.type == .object
      && (body["notification_type"] != nil || body["instance_id"] != nil)
  }

  private static func isAct(_ call: VendorCall) -> Bool {
    call.url.contains("/live_notifications/") ? event(call) != nil : isBody(call.body)
  }

  private static func event(_ call: VendorCall) -> String? {
    if ["start", "update", "end"].contains(call.lastPart) { return call.lastPart }
    if let event = (call["operation"] ?? call["event"])?.string { return event }
    return call.url.isEmpty && call.body["identifiers"] != nil ? "start" : nil
  }

  public mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = Self.call(record) else { return .otherRecord }
    guard Self.isAct(call) else { return .ordinary }
    if let refusal = call.refusal(clock) { return refusal }
    guard let event = Self.event(call) else {
      return .refused(
        code: "no-operation",
        sentence: "The body does not say whether it updates or ends; log the URL of the call.")
    }
    let answer = VendorAnswer(call)
    var act = call.act(event, clock)
    act.set("key", call["instance_id"] ?? call.answer?["instance_id"])
    guard act.hasHandle || answer.isFailure else {
      return .noHandle("instance_id, or the answer that names it,")
    }
    // A refused start has no instance; it is about the person it was for.
    act.set("key", text: act.has("key") ? nil : Self.person(call.body))
    guard act.hasHandle else { return .noHandle("instance_id or identifiers") }
    Self.members.take(call.body, except: call.taken, into: &act)
    if let payload = call.body["push_payload"] {
      Self.members.take(payload, into: &act)
      act.set("alert", VendorAlert.spelled(payload["alert"]))
    }
    act.set("alert", VendorAlert.spelled(call.body["alert"]))
    call.settle(act, domain: Self.name, as: answer, into: &events)
    return .events
  }

  private static func person(_ body: JSONSlice) -> String? {
    guard let first = body["identifiers"]?.members.first, let id = first.value.string else {
      return nil
    }
    return "\(first.name):\(id)"
  }
}

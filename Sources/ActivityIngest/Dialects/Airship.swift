internal import ActivityCore

/// Pushes through Airship's `/api/push` with `notification.ios.live_activity`, one or an array of
/// them in a call.
///
/// Airship's `name` stands for one token on each channel of the audience: it is `key`. A record
/// that holds several pushes gives an event for each.
package struct Airship: Dialect {
  package static let name = "airship"
  package static let summary = "pushes through Airship's API with a live_activity"
  package static let framing = Framing.json

  private static let members = VendorMembers([
    "event": .read, "alert": .read, "name": .member("key"), "timestamp": .date("timestamp"),
    "content_state": .member("content-state"), "content-state": .member("content-state"),
    "attributes_type": .member("attributes-type"), "attributes-type": .member("attributes-type"),
    "attributes": .member("attributes"), "priority": .member("apns-priority"),
    "stale_date": .date("stale-date"), "dismissal_date": .date("dismissal-date"),
    "dismissal_time": .date("dismissal-date"), "relevance_score": .member("relevance-score"),
  ])

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    guard let call = call(record) else { return 0 }
    return pushes(call).contains { activity($0) != nil } ? 9 : 2
  }

  private static func call(_ record: SourceRecord) -> VendorCall? {
    VendorCall(record, isBody: isBody) {
      $0.contains("urbanairship.com/") || $0.contains("airship.eu/")
        || $0.contains("airship.com/api")
    }
  }

  private static func isBody(_ body: JSONSlice) -> Bool {
    activity(body) != nil || body["device_types"] != nil && body["audience"] != nil
  }

  private static func activity(_ push: JSONSlice) -> JSONSlice? {
    let activity = push["notification"]?["ios"]?["live_activity"]
    return activity?.type == .object ? activity : nil
  }

  private static func pushes(_ call: VendorCall) -> [JSONSlice] {
    call.body.type == .array ? call.body.elements : [call.body]
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = Self.call(record) else { return .otherRecord }
    let pushes = Self.pushes(call).compactMap { push in
      Self.activity(push).map { (push, $0) }
    }
    guard !pushes.isEmpty else { return .ordinary }
    if let refusal = call.refusal(clock) { return refusal }
    let answer = VendorAnswer(call)
    var outcome = RecordOutcome.events
    for (push, activity) in pushes {
      guard let event = activity["event"]?.string else {
        outcome = .noEvent
        continue
      }
      var act = call.act(event, clock)
      act.set("key", activity["name"])
      guard act.hasHandle else {
        outcome = .noHandle("the live_activity's name")
        continue
      }
      Self.members.take(activity, into: &act)
      act.set("alert", VendorAlert.spelled(activity["alert"] ?? push["notification"]?["alert"]))
      for (name, value) in push.members
      where name != "notification" && !call.taken.contains(name) { act.keep(name, value) }
      call.settle(act, domain: Self.name, as: answer, into: &events)
    }
    return outcome
  }
}

internal import ActivityCore

/// Calls of OneSignal's API for Live Activities: `…/activities/activity/{type}` starts,
/// `…/live_activities/{id}/notifications` updates and ends.
///
/// OneSignal's `activity_id` fans out to devices: it is `key`. `event_updates` are merged into what
/// OneSignal keeps of that activity, so that `content-state` here may be a part of what the device
/// gets. Dates are Unix seconds, kept as they are. A call that was not refused and has an
/// `idempotency_key` is known by it: repeated, it is one act, of which only the first is taken;
/// such an act keeps of its answer, and of what tells one try from another, nothing: that would
/// make the repetition another act.
package struct OneSignal: Dialect {
  package static let name = "onesignal"
  package static let summary = "calls of OneSignal's API for Live Activities"
  package static let framing = Framing.json

  private static let members = VendorMembers([
    "event": .read, "activity_id": .read, "activity_type": .read, "headings": .read,
    "contents": .read, "ios_sound": .read,
    "event_updates": .member("content-state"), "event_attributes": .member("attributes"),
    "stale_date": .date("stale-date"), "dismissal_date": .date("dismissal-date"),
    "dismiss_at": .date("dismissal-date"), "priority": .member("apns-priority"),
    "ios_relevance_score": .member("relevance-score"),
  ])

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    guard let call = call(record) else { return 0 }
    return isAct(call) || isToken(call) ? 8 : 2
  }

  private static func call(_ record: SourceRecord) -> VendorCall? {
    VendorCall(record, isBody: isBody, isURL: isURL)
  }

  private static func isBody(_ body: JSONSlice) -> Bool {
    if body["event_updates"] != nil || body["event_attributes"] != nil { return true }
    let audiences = ["include_aliases", "include_subscription_ids", "included_segments"]
    return body["app_id"] != nil && audiences.contains { body[$0] != nil }
  }

  private static func isURL(_ url: String) -> Bool {
    url.contains("onesignal.com") || url.contains("/activities/activity/")
      || url.contains("/apps/") && url.contains("/live_activities/")
  }

  private static func isAct(_ call: VendorCall) -> Bool {
    call.body["event_updates"] != nil || call.body["event_attributes"] != nil
      || call.url.contains("/activities/activity/")
      || call.url.contains("/live_activities/") && call.lastPart == "notifications"
  }

  /// A device, or a server for it, tells OneSignal the token of an activity.
  private static func isToken(_ call: VendorCall) -> Bool {
    call.url.contains("/live_activities/") && call.body["push_token"] != nil
      && call.method != "DELETE"
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = Self.call(record) else { return .otherRecord }
    let isToken = Self.isToken(call)
    guard isToken || Self.isAct(call) else { return .ordinary }
    if let refusal = call.refusal(clock) { return refusal }
    if isToken { return readToken(call, into: &events) }
    guard let event = call.body["event"]?.string else { return .noEvent }
    var act = call.act(event, clock)
    act.set("key", Self.key(call))
    guard act.hasHandle else { return .noHandle("activity_id or the URL") }
    if event == "start" {
      act.set("attributes-type", text: call.part(after: "activity"))
    }
    act.set("attributes-type", call["activity_type"])
    Self.members.take(call.body, except: call.taken, into: &act)
    Self.setAlert(of: call.body, in: &act)
    let answer = VendorAnswer(call)
    if let key = call.body["idempotency_key"]?.string, !answer.isFailure {
      act.set("id", text: "\(Self.name):\(key)")
      // A try from another host is the same call.
      if let name = JSONSlice(MemberSpelling.quoted(Self.name)) { act.replace("recorder", name) }
      act.set("url", text: call.url)
      for (name, value) in call.steady { act.keep(name, value) }
      events.append(act)
    } else {
      call.settle(act, domain: Self.name, as: answer, into: &events)
    }
    return .events
  }

  private static func key(_ call: VendorCall) -> JSONSlice? {
    if let key = call["activity_id"] { return key }
    return call.part(after: "live_activities").flatMap { JSONSlice(MemberSpelling.quoted($0)) }
  }

  /// Languages are kept where there are several: the alert has the default one.
  private static func setAlert(of body: JSONSlice, in act: inout EventDraft) {
    var alert = VendorAlert()
    alert.add("title", body["headings"])
    alert.add("body", body["contents"])
    alert.add("sound", body["ios_sound"])
    act.set("alert", alert.json)
    for name in ["headings", "contents"] {
      if let texts = body[name], texts.members.count > 1 { act.keep(name, texts) }
    }
  }

  private func readToken(_ call: VendorCall, into events: inout [EventDraft]) -> RecordOutcome {
    var draft = call.draft("token", clock)
    draft.set(token: call.body["push_token"])
    guard draft.has("token") else { return .noHandle("push_token") }
    draft.set("token-kind", text: "update")
    draft.set("key", Self.key(call))
    draft.set("vendor-status", number: call.status)
    draft.set("url", text: call.url)
    for (name, value) in call.body.members
    where name != "push_token" && !call.taken.contains(name) { draft.keep(name, value) }
    for (name, value) in call.beside { draft.keep(name, value) }
    events.append(draft)
    return .events
  }
}

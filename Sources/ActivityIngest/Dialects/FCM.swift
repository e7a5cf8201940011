internal import ActivityCore

/// Messages to Live Activities through Firebase Cloud Messaging (HTTP v1, or as the Admin SDKs hold
/// them), with `apns.live_activity_token` or `liveActivityToken`.
///
/// That token is the activity's, and `token` here. The registration token or installation id
/// beside it names the app on a device: it is kept as a digest, `fcm-token` or `fid`, and replaced
/// wherever the record repeats it. FCM's own status is `vendor-status`: its 200 does not say that
/// APNs took the push, and its 404 speaks of the registration token, never of the activity.
package struct FCM: Dialect {
  package static let name = "fcm"
  package static let summary = "messages to Live Activities through Firebase Cloud Messaging"
  package static let framing = Framing.json

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    guard let call = call(record) else { return 0 }
    guard let message = message(call.body) else { return 2 }
    return activityToken(message) != nil ? 10 : 2
  }

  private static func call(_ record: SourceRecord) -> VendorCall? {
    VendorCall(
      record, isBody: { message($0) != nil }, isURL: { $0.contains("fcm.googleapis.com") })
  }

  private static let targets = ["token", "fid", "topic", "condition"]

  /// The message of a request, or the message itself.
  private static func message(_ body: JSONSlice) -> JSONSlice? {
    if let message = body["message"], message.type == .object {
      return activityToken(message) != nil || isMessage(message) ? message : nil
    }
    if activityToken(body) != nil { return body }
    return body["apns"]?["payload"] != nil && isMessage(body) ? body : nil
  }

  private static func isMessage(_ message: JSONSlice) -> Bool {
    let contents = ["apns", "notification", "data", "android", "webpush"]
    return targets.contains { message[$0] != nil } && contents.contains { message[$0] != nil }
  }

  private static func activityToken(_ message: JSONSlice) -> JSONSlice? {
    let apns = message["apns"]
    return apns?["live_activity_token"] ?? apns?["liveActivityToken"]
  }

  private static func payload(_ message: JSONSlice) -> APNsPayload? {
    message["apns"]?["payload"].flatMap { APNsPayload($0) }
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let first = Self.call(record) else { return .otherRecord }
    let names = ["token", "fid", "tokens", "fids"]
    let secrets = names.flatMap { name in
      [Self.message(first.body), first.body].compactMap { $0?[name] }
        .flatMap { [$0.string] + $0.elements.map(\.string) }
    }.compactMap { $0 }
    guard let call = secrets.isEmpty ? first : Self.call(record.digesting(secrets)),
      let message = Self.message(call.body)
    else { return .ordinary }
    let token = Self.activityToken(message)
    guard let payload = Self.payload(message) else {
      guard token != nil else { return .ordinary }
      return .refused(
        code: "no-event",
        sentence: "The message names an activity's token, and its aps no event: a device does "
          + "nothing with it. Add event and timestamp.")
    }
    if (call.body["validate_only"] ?? call.body["validateOnly"])?.type == .true {
      return .skipped("only validated, never sent")
    }
    if let refusal = call.refusal(clock) { return refusal }
    var act = call.act(payload.event, clock)
    act.set(token: token)
    guard act.hasHandle else { return .noHandle("apns.live_activity_token") }
    if let headers = message["apns"]?["headers"] { APNsHeaders(headers).take(into: &act) }
    payload.take(into: &act)
    Self.keep(message, call, in: &act)
    call.settle(act, domain: Self.name, as: VendorAnswer(call), into: &events)
    return .events
  }

  /// What is not in the payload.
  private static func keep(
    _ message: JSONSlice, _ call: VendorCall, in act: inout EventDraft
  ) {
    let isWrapped = call.body["message"]?.type == .object
    for (name, value) in isWrapped ? call.body.members : []
    where name != "message" && !call.taken.contains(name) { act.keep(name, value) }
    for (name, value) in message.members where isWrapped || !call.taken.contains(name) {
      switch name {
      case "apns": continue
      case "token", "fid":
        let digest = value.string.map { TokenDigest.digest(of: $0) }
        act.set(name == "fid" ? name : "fcm-token", text: digest)
      default: act.keep(name, value)
      }
    }
  }
}

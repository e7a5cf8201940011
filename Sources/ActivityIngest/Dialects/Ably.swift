internal import ActivityCore

/// Calls of Ably's push admin API for Live Activities: `push.admin.liveActivity.start` `.update`
/// `.end`, or `/push/apnsBroadcastChannels/{id}/…`, and the creation of such a channel.
///
/// The payload and headers pass as they are. Ably's id of the broadcast channel is `channel`, also
/// of the start whose activities subscribe to it; what APNs calls that channel is
/// `input-push-channel` there.
package struct Ably: Dialect {
  package static let name = "ably"
  package static let summary = "calls of Ably's push admin API for Live Activities"
  package static let framing = Framing.json

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    guard let call = call(record) else { return 0 }
    return payload(call) != nil || isChannel(call) ? 10 : 2
  }

  private static func call(_ record: SourceRecord) -> VendorCall? {
    VendorCall(record, isBody: isBody) { url in
      let names = ["push.admin.", "/push/apnsBroadcastChannels", "ably.io/push", "ably.net/push"]
      return names.contains { url.contains($0) }
    }
  }

  private static func isBody(_ body: JSONSlice) -> Bool {
    body["apnsBroadcast"] != nil
      || body["apns"]?["aps"] != nil && body["recipient"] != nil
  }

  private static func payload(_ call: VendorCall) -> APNsPayload? {
    call.body["apns"].flatMap { VendorCall.document($0) }.flatMap { APNsPayload($0) }
  }

  /// Channels are created and deleted by calls without a payload.
  private static func isChannel(_ call: VendorCall) -> Bool {
    guard call.method != "GET" else { return false }
    return ["apnsBroadcastChannels", "createApnsBroadcast"].contains(call.lastPart)
      || call.method == "DELETE" && call.part(after: "apnsBroadcastChannels") != nil
  }

  private static func channel(_ call: VendorCall) -> JSONSlice? {
    if let id = call["apnsBroadcast"] { return id }
    return call.part(after: "apnsBroadcastChannels")
      .flatMap { JSONSlice(MemberSpelling.quoted($0)) }
  }

  /// The token of the one device that is addressed; a broadcast is nobody's.
  private static func token(_ call: VendorCall) -> JSONSlice? {
    let names = ["apnsDeviceToken", "deviceToken", "token"]
    return names.lazy.compactMap { call.body["recipient"]?[$0] }.first
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = Self.call(record) else { return .otherRecord }
    if let refusal = call.refusal(clock) { return refusal }
    if Self.isChannel(call) { return readChannel(call, into: &events) }
    guard let payload = Self.payload(call) else { return .ordinary }
    let channel = Self.channel(call)
    let isBroadcast = channel != nil && payload.event != "start"
    var act = call.act(payload.event, clock, source: isBroadcast ? "broadcast" : "push")
    act.set("channel", channel)
    if !isBroadcast { act.set(token: Self.token(call)) }
    guard act.hasHandle else { return .noHandle("apnsBroadcast") }
    if let headers = call.body["headers"] { APNsHeaders(headers).take(into: &act) }
    payload.take(into: &act)
    let spent: Set<String> = ["apns", "headers", "apnsBroadcast"]
    for (name, value) in call.body.members
    where !spent.contains(name) && !call.taken.contains(name) { act.keep(name, value) }
    call.settle(act, domain: Self.name, as: VendorAnswer(call), into: &events)
    return .events
  }

  private func readChannel(
    _ call: VendorCall, into events: inout [EventDraft]
  ) -> RecordOutcome {
    let answer = VendorAnswer(call)
    guard !answer.isFailure else { return .skipped("a channel that was not made") }
    let isDeleted = call.method == "DELETE"
    var draft = call.draft("channel", clock)
    draft.set("operation", text: isDeleted ? "delete" : "create")
    draft.set("channel", isDeleted ? Self.channel(call) : call.answer?["id"])
    guard draft.hasHandle else { return .noHandle("the answer, which names the channel,") }
    let policy = ["messageStoragePolicy", "message-storage-policy"]
    draft.set("message-storage-policy", policy.lazy.compactMap { call.body[$0] }.first)
    for name in ["apns-channel-id", "apnsChannelId"] {
      draft.set("apns-channel-id", call.answer?[name])
    }
    draft.set("vendor-status", number: answer.status)
    draft.set("url", text: call.url)
    for (name, value) in call.beside { draft.keep(name, value) }
    events.append(draft)
    return .events
  }
}

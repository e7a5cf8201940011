internal import ActivityCore

/// Executions of Adobe Journey Optimizer's API-triggered campaigns whose `requestPayload` is the
/// payload of a push to a Live Activity.
///
/// The payload passes as it is. `liveActivityData.liveActivityID` is `key`; with a `channelID`
/// instead, an update or end is a broadcast on that `channel`. Each recipient gives an event.
package struct Adobe: Dialect {
  package static let name = "adobe"
  package static let summary = "Adobe Journey Optimizer campaigns that carry an aps payload"
  package static let framing = Framing.json

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    guard let call = call(record) else { return 0 }
    return targets(call.body).contains { payload($0) != nil } ? 10 : 2
  }

  private static func call(_ record: SourceRecord) -> VendorCall? {
    VendorCall(record, isBody: isBody) {
      $0.contains("adobe.io/ajo/") || $0.contains("/ajo/im/executions/")
    }
  }

  private static func isBody(_ body: JSONSlice) -> Bool {
    body["campaignId"] != nil
      && (body["recipients"] != nil || body["audience"] != nil || body["context"] != nil)
      || targets(body).contains { payload($0) != nil }
  }

  /// Whom a call is for: its recipients, or its audience, when the context is its own.
  private static func targets(_ body: JSONSlice) -> [JSONSlice] {
    body["context"] != nil ? [body] : body["recipients"]?.elements ?? []
  }

  private static func payload(_ target: JSONSlice) -> APNsPayload? {
    target["context"]?["requestPayload"].flatMap { VendorCall.document($0) }
      .flatMap { APNsPayload($0) }
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = Self.call(record) else { return .otherRecord }
    let targets = Self.targets(call.body).compactMap { target in
      Self.payload(target).map { (target, $0) }
    }
    guard !targets.isEmpty else { return .ordinary }
    if let refusal = call.refusal(clock) { return refusal }
    let answer = VendorAnswer(call)
    var outcome = RecordOutcome.events
    for (target, payload) in targets {
      let act = act(call, target, payload)
      if act.hasHandle {
        call.settle(act, domain: Self.name, as: answer, into: &events)
      } else {
        outcome = .noHandle("liveActivityData.liveActivityID")
      }
    }
    return outcome
  }

  private func act(
    _ call: VendorCall, _ target: JSONSlice, _ payload: APNsPayload
  ) -> EventDraft {
    var content = EventDraft(payload.event)
    payload.take(into: &content)
    let data = content["attributes"]?["liveActivityData"] ?? content["liveActivityData"]
    let channel = data?["channelID"]
    let isBroadcast = channel != nil && data?["liveActivityID"] == nil && payload.event != "start"
    var act = call.act(payload.event, clock, source: isBroadcast ? "broadcast" : "push")
    act.set("key", data?["liveActivityID"])
    act.set("channel", channel)
    payload.take(into: &act)
    let spent: Set<String> = ["recipients", "context"]
    for (name, value) in call.body.members
    where !spent.contains(name) && !call.taken.contains(name) { act.keep(name, value) }
    if call.body["context"] == nil {
      for (name, value) in target.members where name != "context" { act.keep(name, value) }
    }
    return act
  }
}

internal import ActivityCore

/// Calls and events of capacitor-live-activity: `startActivity`, `startActivityWithPush`,
/// `startActivityScheduled`, `updateActivity`, `endActivity`, `listActivities`,
/// `getActivityPushTokens`, `isAvailable`, and `liveActivityPushToken`,
/// `liveActivityPushToStartToken`, `liveActivityUpdate`.
///
/// The plugin knows a card by the id that the app chose, in every call and event, and a plain start
/// returns no other: that id is `activity-id` and the key, and ActivityKit's is kept as
/// `activityId` where a record has it. The device has the content as `{values}` and the attributes
/// as `{id, staticValues}`, and so they are spelled here. Dates are Unix seconds. `timestamp` of a
/// call never reaches ActivityKit, and is in `rest`. No content has a stale date. An end without
/// policy is `after` its date if there is one.
package struct Capacitor: Dialect {
  package static let name = "capacitor-live-activity"
  package static let summary = "calls and events of capacitor-live-activity in an app's log"
  package static let framing = Framing.json

  private static let type = "GenericAttributes"
  private static let vocabulary = ModuleVocabulary(
    calls: [
      "startActivity", "startActivityWithPush", "startActivityScheduled", "updateActivity",
      "endActivity", "listActivities", "getActivityPushTokens", "isAvailable",
    ],
    events: ["liveActivityPushToken", "liveActivityPushToStartToken", "liveActivityUpdate"],
    marks: ["capacitor-live-activity", "capacitorliveactivity"], common: ["isAvailable"])

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    ModuleCall.likeness(of: record, vocabulary) { call in
      switch call.name {
      case "startActivity", "updateActivity", "endActivity":
        call.option("id") != nil && call.option("contentState") != nil
      default: true
      }
    }
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = ModuleCall(record, Self.vocabulary, clock) else {
      return ModuleCall.elsewhere
    }
    if let refusal = call.refusal { return refusal }
    switch call.name {
    case "startActivity", "startActivityWithPush", "startActivityScheduled":
      return start(call, into: &events)
    case "updateActivity": return change(call, "update", into: &events)
    case "endActivity": return change(call, "end", into: &events)
    case "listActivities": return list(call, into: &events)
    case "getActivityPushTokens": return tokens(call, into: &events)
    case "isAvailable":
      return call.authorization(call.result?["value"] ?? call.result, into: &events)
    case "liveActivityPushToken":
      return call.token(call.told("token"), kind: "update", into: &events) {
        Self.name(call.told("id"), call.told("activityId"), in: &$0)
      }
    case "liveActivityPushToStartToken":
      return call.token(call.told("token"), kind: "start", into: &events) {
        $0.set("attributes-type", text: Self.type)
      }
    case "liveActivityUpdate":
      guard let word = call.told("state"), let id = call.told("id") else {
        return call.without("activity")
      }
      var draft = call.draft("state")
      Self.name(id, call.told("activityId"), in: &draft)
      draft.set("state", word)
      return call.hand(draft, into: &events)
    default: return ModuleCall.other
    }
  }

  private static func name(_ id: JSONSlice?, _ system: JSONSlice?, in draft: inout EventDraft) {
    draft.set("activity-id", id)
    draft.set("key", id)
    if let system { draft.keep("activityId", system) }
  }

  private func start(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let key = call.option("id") else { return call.without("activity") }
    guard call.error == nil else {
      return call.failure("request", into: &events) { $0.set("key", key) }
    }
    var act = call.act("start")
    Self.name(key, call.result?["activityId"], in: &act)
    act.set("attributes-type", text: Self.type)
    let values = call.option("attributes")
    act.set("attributes", ModuleCall.object([("id", key), ("staticValues", values)]))
    content(call, into: &act)
    let hasPush =
      call.name == "startActivityWithPush" || call.option("enablePushToUpdate")?.type == .true
    act.set("push-type", text: hasPush ? "token" : "none")
    if call.name == "startActivityScheduled" {
      act.set("start-date", call.option("startDate"))
      act.set("style", call.option("style"))
    }
    return call.hand(act, into: &events)
  }

  private func change(
    _ call: ModuleCall, _ kind: String, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let key = call.option("id") else { return call.without("activity") }
    let system = call.option("activityId") ?? call.result?["activityId"]
    guard call.error == nil else {
      return call.failure("update", into: &events) { Self.name(key, system, in: &$0) }
    }
    var act = call.act(kind)
    Self.name(key, system, in: &act)
    content(call, into: &act)
    guard kind == "end" else { return call.hand(act, into: &events) }
    let date = call.option("dismissalDate")
    let policy = call.option("dismissalPolicy")?.string ?? (date == nil ? "default" : "after")
    act.set("dismissal-policy", text: policy)
    if policy == "after" {
      act.set("dismissal-date", date)
    } else if let date {
      act.keep("dismissalDate", date)
    }
    return call.hand(act, into: &events)
  }

  private func content(_ call: ModuleCall, into act: inout EventDraft) {
    act.set("content-state", ModuleCall.object([("values", call.option("contentState"))]))
    if let alert = call.option("alert", "alertConfiguration"), alert.type == .object {
      act.set("alert", alert)
    }
    if let version = call.option("timestamp") { act.keep("timestamp", version) }
  }

  private func list(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let items = call.result?["items"] ?? call.result, items.type == .array else {
      return ModuleCall.other
    }
    let entries = items.elements.compactMap { item in
      ModuleCall.object([("activity-id", item["id"]), ("state", item["state"])])
    }
    return call.inventory(entries, of: Self.type, isComplete: true, into: &events)
  }

  private func tokens(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    let items = (call.result?["items"] ?? call.result)?.elements ?? []
    for item in items {
      _ = call.token(item["token"], kind: "update", into: &events) {
        Self.name(item["id"], item["activityId"], in: &$0)
      }
    }
    return items.isEmpty ? ModuleCall.other : .events
  }
}

internal import ActivityCore

/// Calls and events of expo-live-activity, as a React Native app logs them: `startActivity`,
/// `updateActivity`, `stopActivity`, `onTokenReceived`, `onPushToStartTokenReceived`,
/// `onStateChange`.
///
/// The state that is passed is the content, the config the attributes; dates inside them are
/// milliseconds and stay as they are, because that is what the card reads. The module ends every
/// card at once, and gives content no stale date; forks that do take milliseconds.
package struct ExpoLiveActivity: Dialect {
  package static let name = "expo-live-activity"
  package static let summary = "calls and events of expo-live-activity in an app's log"
  package static let framing = Framing.json

  private static let type = "LiveActivityAttributes"
  private static let vocabulary = ModuleVocabulary(
    calls: ["startActivity", "updateActivity", "stopActivity"],
    events: ["onTokenReceived", "onPushToStartTokenReceived", "onStateChange"],
    marks: ["expo-live-activity", "expoliveactivity"]
  ) { payload in
    guard payload["event"] == nil, payload["activityName"] != nil, payload["type"] == nil else {
      return payload["activityPushToStartToken"] == nil ? nil : "onPushToStartTokenReceived"
    }
    if payload["activityPushToken"] != nil { return "onTokenReceived" }
    return payload["activityID"] != nil && payload["activityState"] != nil ? "onStateChange" : nil
  }

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    ModuleCall.likeness(of: record, vocabulary) { call in
      switch call.name {
      case "startActivity": call.argument(0, "state")?["title"] != nil
      case "updateActivity", "stopActivity": call.argument(1, "state")?["title"] != nil
      case "onPushToStartTokenReceived": call.told("activityPushToStartToken") != nil
      default: call.told("activityID") != nil
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
    case "startActivity": return start(call, into: &events)
    case "updateActivity": return change(call, "update", into: &events)
    case "stopActivity": return change(call, "end", into: &events)
    case "onTokenReceived":
      return call.token(call.told("activityPushToken"), kind: "update", into: &events) {
        $0.set("activity-id", call.told("activityID"))
      }
    case "onPushToStartTokenReceived":
      return call.token(call.told("activityPushToStartToken"), kind: "start", into: &events) {
        $0.set("attributes-type", text: Self.type)
      }
    case "onStateChange": return state(call, into: &events)
    default: return ModuleCall.other
    }
  }

  private func start(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard call.error == nil else { return call.failure("request", into: &events) { _ in } }
    guard let id = call.result?.string, !id.isEmpty else { return call.without("activity") }
    let state = call.argument(0, "state")
    let config = call.argument(1, "config")
    var act = call.act("start")
    act.set("activity-id", text: id)
    act.set("attributes-type", text: Self.type)
    if config?.type == .object { act.set("attributes", config) }
    content(state, config, into: &act)
    return call.hand(act, into: &events)
  }

  private func change(
    _ call: ModuleCall, _ kind: String, into events: inout [EventDraft]
  ) -> RecordOutcome {
    let id = call.argument(0, "id", "activityId", "activityID")
    guard id?.string?.isEmpty == false else { return call.without("activity") }
    guard call.error == nil else {
      return call.failure("update", into: &events) { $0.set("activity-id", id) }
    }
    var act = call.act(kind)
    act.set("activity-id", id)
    content(call.argument(1, "state"), call.argument(2, "config", "options"), into: &act)
    if kind == "end" { act.set("dismissal-policy", text: "immediate") }
    return call.hand(act, into: &events)
  }

  private func content(_ state: JSONSlice?, _ options: JSONSlice?, into act: inout EventDraft) {
    guard let state, state.type == .object else { return }
    act.set("content-state", state)
    act.set("stale-date", milliseconds: options?["staleDate"] ?? state["staleDate"])
    act.set("relevance-score", options?["relevanceScore"])
  }

  private func state(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let id = call.told("activityID"), let word = call.told("activityState") else {
      return call.without("activity")
    }
    var draft = call.draft("state")
    draft.set("activity-id", id)
    draft.set("state", word)
    return call.hand(draft, into: &events)
  }
}

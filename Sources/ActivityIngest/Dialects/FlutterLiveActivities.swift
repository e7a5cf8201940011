internal import ActivityCore

/// Calls and events of Flutter's live_activities: `createActivity`, `createOrUpdateActivity`,
/// `updateActivity`, `endActivity`, `scheduleEnd`, `endAllActivities`, `getAllActivities`,
/// `getPushToken`, `areActivitiesEnabled`, and the streams of tokens and states.
///
/// What the device is sent is `{appGroupId}` alone, the data lie in the app group: they are kept as
/// `data`, and the content is spelled only where a record names the app group. The id an app
/// chooses is the key; ActivityKit's, which a call returns, is the activity's. `staleIn` counts
/// minutes from the call. Cards are ended at once, but `scheduleEnd` ends now and lets the card
/// stay until its date. An active state that comes with a token tells the token only, and `ended`
/// may be a card that the person dismissed: the module says so of both.
package struct FlutterLiveActivities: Dialect {
  package static let name = "flutter-live-activities"
  package static let summary = "calls and events of Flutter's live_activities in an app's log"
  package static let framing = Framing.json

  private static let type = "LiveActivitiesAppAttributes"
  private static let vocabulary = ModuleVocabulary(
    calls: [
      "createActivity", "createOrUpdateActivity", "updateActivity", "endActivity", "scheduleEnd",
      "endAllActivities", "getAllActivities", "getAllActivitiesIds", "getActivityState",
      "getPushToken", "getPushToStartToken", "areActivitiesEnabled",
    ],
    events: ["activityUpdateStream", "pushToStartTokenUpdateStream"],
    marks: ["live_activities", "liveactivitiesplugin"],
    common: ["getPushToken"]
  ) { payload in
    let states: Set<String> = ["active", "ended", "dismissed", "stale", "unknown", "pending"]
    guard let state = payload["status"]?.string, states.contains(state) else { return nil }
    guard let id = payload["activityId"]?.string, isUUID(id), payload["event"] == nil else {
      return nil
    }
    return "activityUpdateStream"
  }

  package static let remembers = true

  private let clock: SourceTime
  private var cards = ModuleCards()

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    ModuleCall.likeness(of: record, vocabulary) { call in
      switch call.name {
      // Names that others use too; the module hands data over under an id.
      case "createActivity", "createOrUpdateActivity", "updateActivity":
        call.option("data") != nil
          && call.option("activityId", "customId", "activityTag") != nil
      case "activityUpdateStream": !call.isGuessed
      case "getAllActivitiesIds", "pushToStartTokenUpdateStream": true
      default: false
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
    if call.name == "endAllActivities" {
      return cards.endAll(call, of: record, Self.name, into: &events)
    }
    let count = events.count
    defer { cards.see(events[count...]) }
    return read(call, into: &events)
  }

  private func read(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    switch call.name {
    case "createActivity", "createOrUpdateActivity": return create(call, into: &events)
    case "updateActivity": return change(call, "update", into: &events)
    case "endActivity", "scheduleEnd": return change(call, "end", into: &events)
    case "getAllActivities", "getAllActivitiesIds": return list(call, into: &events)
    case "getActivityState": return state(call, call.result, into: &events)
    case "getPushToken":
      return call.token(call.result, kind: "update", into: &events) { Self.name(call, in: &$0) }
    case "getPushToStartToken", "pushToStartTokenUpdateStream":
      let token = call.payload?.type == .object ? call.told("token") : call.payload
      return call.token(call.result ?? token, kind: "start", into: &events) {
        $0.set("attributes-type", text: Self.type)
      }
    case "areActivitiesEnabled": return call.authorization(call.result, into: &events)
    case "activityUpdateStream": return change(call, into: &events)
    default: return ModuleCall.other
    }
  }

  private func create(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    let custom = call.argument(0, "customId", "activityId", "activityTag")
    let key = custom?.type == .string ? custom : nil
    guard call.error == nil else {
      return call.failure("request", into: &events) { $0.set("key", key) }
    }
    // Without an id it has updated the card that was there.
    let id = call.result?.string ?? ""
    guard !id.isEmpty || call.name == "createOrUpdateActivity" && key != nil else {
      return call.without("activity")
    }
    var act = call.act(id.isEmpty ? "update" : "start")
    act.set("activity-id", text: id)
    act.set("key", key)
    act.set("attributes-type", text: id.isEmpty ? nil : Self.type)
    if !id.isEmpty {
      let isRemote = call.option("iOSEnableRemoteUpdates")?.type != .false
      act.set("push-type", text: isRemote ? "token" : "none")
    }
    content(call, into: &act)
    return call.hand(act, into: &events)
  }

  private func change(
    _ call: ModuleCall, _ kind: String, into events: inout [EventDraft]
  ) -> RecordOutcome {
    var act = call.act(kind)
    Self.name(call, in: &act)
    guard act.has("activity-id") || act.has("key") else { return call.without("activity") }
    guard call.error == nil else {
      return call.failure("update", into: &events) { Self.name(call, in: &$0) }
    }
    if kind == "update" {
      content(call, into: &act)
    } else if let date = call.argument(1, "endTimestamp", "at"), call.name == "scheduleEnd" {
      act.set("dismissal-policy", text: "after")
      act.set("dismissal-date", milliseconds: date)
    } else {
      act.set("dismissal-policy", text: "immediate")
    }
    return call.hand(act, into: &events)
  }

  /// Whose card a call is about: ActivityKit's ids are UUIDs, anything else an app has chosen.
  private static func name(_ call: ModuleCall, in draft: inout EventDraft) {
    draft.set("key", call.option("customId", "activityTag"))
    guard let id = call.argument(0, "activityId", "id"), let text = id.string else { return }
    draft.set(isUUID(text) ? "activity-id" : "key", id)
  }

  private static func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36 && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  private func content(_ call: ModuleCall, into act: inout EventDraft) {
    let group = call.option("appGroupId") ?? call.beside("appGroupId")
    let update = call.option("updateId")
    act.set(
      "content-state",
      group.flatMap { ModuleCall.object([("appGroupId", $0), ("updateId", update)]) })
    if let score = call.option("relevanceScore") { act.set("relevance-score", score) }
    if let alert = call.option("alertConfig"), alert.type == .object { act.set("alert", alert) }
    if let wait = call.option("staleIn"), let minutes = Self.minutes(wait) {
      let at = call.at
      let length = minutes * 60_000_000
      act.set(
        "stale-date",
        instant: at.map { Timestamp(microseconds: $0.microseconds.addingClamped(length)) })
      act.keepRaw("stale-date", wait.string ?? wait.spelling)
    }
    if let data = call.option("data") ?? call.argument(1, "data") { act.keep("data", data) }
    if let flag = call.option("removeWhenAppIsKilled") { act.keep("removeWhenAppIsKilled", flag) }
  }

  /// Whole minutes, as the channel takes them, or a Dart duration: `0:15:00.000000`.
  private static func minutes(_ wait: JSONSlice) -> Int64? {
    let text = wait.string ?? wait.spelling
    let parts = text.split(separator: ":")
    if parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]) {
      guard !text.hasPrefix("-"), 0..<10_000 ~= hours, 0..<60 ~= minutes else { return nil }
      return hours * 60 + minutes
    }
    guard let minutes = Int64(text), 0..<1_000_000 ~= minutes else { return nil }
    return minutes
  }

  private func list(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let result = call.result else { return ModuleCall.other }
    // A list of ids also has those that have ended and are still shown: it tells no state.
    let unknown = ModuleCall.text("unknown")
    let entries =
      result.type == .array
      ? result.elements.map { ModuleCall.object([("activity-id", $0), ("state", unknown)]) }
      : result.members.map { entry in
        let id = ModuleCall.text(entry.name)
        return ModuleCall.object([("activity-id", id), ("state", entry.value)])
      }
    return call.inventory(entries.compactMap { $0 }, of: Self.type, isComplete: true, into: &events)
  }

  private func change(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let token = call.told("token", "activityToken") else {
      return state(call, call.told("status"), into: &events)
    }
    return call.token(token, kind: "update", into: &events) {
      $0.set("activity-id", call.told("activityId"))
    }
  }

  private func state(
    _ call: ModuleCall, _ word: JSONSlice?, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let word, word.type == .string else { return ModuleCall.other }
    var draft = call.draft("state")
    draft.set("activity-id", call.told("activityId"))
    Self.name(call, in: &draft)
    guard draft.has("activity-id") || draft.has("key") else { return call.without("activity") }
    draft.set("state", word)
    return call.hand(draft, into: &events)
  }
}

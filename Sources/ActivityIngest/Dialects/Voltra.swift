internal import ActivityCore

/// Calls and events of Voltra's Live Activities: `startLiveActivity`, `updateLiveActivity`,
/// `stopLiveActivity`, and `activityTokenReceived`, `activityPushToStartTokenReceived`,
/// `stateChange`.
///
/// An activity is known by the name that Voltra gives it or was told, never by ActivityKit's id:
/// the name is `activity-id`, and a chosen one also the key. What is drawn reaches the device as
/// `{uiJsonData}`; a view or its JSON in a log is not that, and is kept as `variants`. Dates are
/// milliseconds, also of `after`, whatever is written about seconds; a stale date in the past is
/// dropped before the device sees it, and a relevance outside 0…1 becomes 0. Cards end at once when
/// no policy is given.
package struct Voltra: Dialect {
  package static let name = "voltra"
  package static let summary = "calls and events of Voltra's Live Activities in an app's log"
  package static let framing = Framing.json

  private static let type = "VoltraAttributes"
  private static let vocabulary = ModuleVocabulary(
    calls: [
      "startLiveActivity", "updateLiveActivity", "stopLiveActivity", "endLiveActivity",
      "startVoltra", "updateVoltra", "stopVoltra", "endAllLiveActivities", "listVoltraActivityIds",
    ],
    events: ["activityTokenReceived", "activityPushToStartTokenReceived", "stateChange"],
    marks: ["voltra"]
  ) { payload in
    guard let type = payload["type"]?.string, payload["timestamp"] != nil else { return nil }
    if payload["pushToStartToken"] != nil { return "activityPushToStartTokenReceived" }
    guard payload["activityName"] != nil else { return nil }
    return ["activityTokenReceived", "stateChange"].contains(type) ? type : nil
  }

  package static let remembers = true

  private let clock: SourceTime
  private var cards = ModuleCards()

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    ModuleCall.likeness(of: record, vocabulary) { call in
      switch call.name {
      case "stateChange": call.told("activityState") != nil
      // What an app's own bridge may be called too.
      case "startLiveActivity": call.option("activityName") != nil
      case "stopLiveActivity": call.option("dismissalPolicy")?.type == .object
      case "updateLiveActivity", "endLiveActivity", "endAllLiveActivities": false
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
    if call.name == "endAllLiveActivities" {
      return cards.endAll(call, of: record, Self.name, into: &events)
    }
    let count = events.count
    defer { cards.see(events[count...]) }
    return read(call, into: &events)
  }

  private func read(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    switch call.name {
    case "startLiveActivity", "startVoltra": return start(call, into: &events)
    case "updateLiveActivity", "updateVoltra": return update(call, into: &events)
    case "stopLiveActivity", "endLiveActivity", "stopVoltra": return end(call, into: &events)
    case "activityTokenReceived":
      return call.token(call.told("pushToken"), kind: "update", into: &events) {
        $0.set("at", instant: eventTime(call))
        $0.set("activity-id", call.told("activityName"))
      }
    case "activityPushToStartTokenReceived":
      return call.token(call.told("pushToStartToken"), kind: "start", into: &events) {
        $0.set("at", instant: eventTime(call))
        $0.set("attributes-type", text: Self.type)
      }
    case "stateChange": return state(call, into: &events)
    default: return ModuleCall.other
    }
  }

  private func eventTime(_ call: ModuleCall) -> Timestamp? {
    clock.instant(call.told("timestamp"))
  }

  private func start(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    let name = call.option("activityName")
    guard call.error == nil else {
      return call.failure("request", into: &events) { $0.set("key", name) }
    }
    guard let id = call.result?.string ?? name?.string, !id.isEmpty else {
      return call.without("activity")
    }
    var act = call.act("start")
    act.set("activity-id", text: id)
    act.set("key", name)
    act.set("attributes-type", text: Self.type)
    let attributes: [(name: String, value: JSONSlice?)] = [
      ("name", ModuleCall.text(id)), ("deepLinkUrl", call.option("deepLinkUrl")),
    ]
    act.set("attributes", ModuleCall.object(attributes))
    if let channel = call.option("channelId") {
      act.set("push-type", text: "channel")
      act.set("input-push-channel", channel)
    }
    content(call, at: 0, into: &act)
    let taken: Set<String> = ["activityName", "deepLinkUrl", "channelId", "target"]
    return hand(act, call, except: taken, into: &events)
  }

  private func update(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let id = call.argument(0, "activityId", "targetId", "id")?.string, !id.isEmpty else {
      return call.without("activity")
    }
    guard call.error == nil else {
      return call.failure("update", into: &events) { $0.set("activity-id", text: id) }
    }
    var act = call.act("update")
    act.set("activity-id", text: id)
    content(call, at: 1, into: &act)
    return hand(act, call, into: &events)
  }

  private func end(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let id = call.argument(0, "activityId", "targetId", "id")?.string, !id.isEmpty else {
      return call.without("activity")
    }
    guard call.error == nil else {
      return call.failure("update", into: &events) { $0.set("activity-id", text: id) }
    }
    var act = call.act("end")
    act.set("activity-id", text: id)
    let policy = call.option("dismissalPolicy")
    if let date = policy?["after"] ?? policy?["date"] {
      act.set("dismissal-policy", text: "after")
      act.set("dismissal-date", milliseconds: date)
    } else {
      act.set("dismissal-policy", text: "immediate")
    }
    return hand(act, call, into: &events)
  }

  private func content(_ call: ModuleCall, at place: Int, into act: inout EventDraft) {
    if let drawn = call.argument(place, "variants", "payload", "jsonString") {
      let text = drawn.string ?? "{"
      if drawn["uiJsonData"] != nil {
        act.set("content-state", drawn)
      } else if text.contains("{") {
        act.keep("variants", drawn)
      } else {
        act.set("content-state", ModuleCall.object([("uiJsonData", drawn)]))
      }
    }
    if let date = call.option("staleDate"), let instant = Timestamp(milliseconds: date) {
      let isPast = call.at.map { instant < $0 } ?? false
      if !isPast { act.set("stale-date", instant: instant) }
      act.keepRaw("stale-date", date.string ?? date.spelling)
    }
    guard let score = call.option("relevanceScore") else { return }
    if let value = Timestamp(unixSeconds: score.spelling)?.microseconds, 0...1_000_000 ~= value {
      act.set("relevance-score", score)
    } else {
      act.set("relevance-score", number: 0)
      act.keepRaw("relevance-score", score.spelling)
    }
  }

  private func state(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let id = call.told("activityName"), let word = call.told("activityState") else {
      return call.without("activity")
    }
    var draft = call.draft("state")
    draft.set("at", instant: eventTime(call))
    draft.set("activity-id", id)
    draft.set("state", word)
    return call.hand(draft, into: &events)
  }

  /// Options that no rule took are kept.
  private func hand(
    _ act: EventDraft, _ call: ModuleCall, except taken: Set<String> = [],
    into events: inout [EventDraft]
  ) -> RecordOutcome {
    var act = act
    let read: Set<String> = ["staleDate", "relevanceScore", "dismissalPolicy"]
    if let options = call.arguments.last, call.arguments.count > 1 {
      act.keep(membersOf: options, except: read.union(taken))
    }
    return call.hand(act, into: &events)
  }
}

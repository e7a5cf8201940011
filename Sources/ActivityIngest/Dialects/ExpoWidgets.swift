internal import ActivityCore

/// Calls and events of the Live Activities of expo-widgets: `start` of a factory, `update` and
/// `end` of an instance, `getInstances`, `getPushToken`, and its token events.
///
/// The content on the device is `{name, props}` with the props as a JSON text, and so it is spelled
/// here: a text is kept to the byte, an object becomes the text the module makes of it. All kinds
/// of card share one type, and `getInstances` lists those of one name, not pending, in older
/// versions not stale ones: such a list is never complete. Dates are milliseconds or ISO dates.
/// Versions without a stale date pass none.
package struct ExpoWidgets: Dialect {
  package static let name = "expo-widgets"
  package static let summary = "calls and events of the Live Activities of expo-widgets"
  package static let framing = Framing.json

  private static let type = "LiveActivityAttributes"
  private static let vocabulary = ModuleVocabulary(
    calls: ["start", "update", "end", "getInstances", "getPushToken"],
    events: ["onExpoWidgetsTokenReceived", "onExpoWidgetsPushToStartTokenReceived"],
    marks: ["expo-widgets", "expowidgets", "liveactivityfactory"],
    common: ["start", "update", "end", "getPushToken"])

  private let clock: SourceTime

  package init(_ settings: SourceSettings) { clock = SourceTime(settings) }

  package static func likeness(of record: SourceRecord) -> Int {
    ModuleCall.likeness(of: record, vocabulary) { _ in true }
  }

  package mutating func read(
    _ record: SourceRecord, into events: inout [EventDraft]
  ) -> RecordOutcome {
    guard let call = ModuleCall(record, Self.vocabulary, clock) else {
      return ModuleCall.elsewhere
    }
    if let refusal = call.refusal { return refusal }
    switch call.name {
    case "start": return start(call, into: &events)
    case "update": return update(call, into: &events)
    case "end": return end(call, into: &events)
    case "getInstances": return list(call, into: &events)
    case "getPushToken":
      return call.token(call.result, kind: "update", into: &events) {
        $0.set("activity-id", Self.instance(call))
      }
    case "onExpoWidgetsTokenReceived":
      return call.token(call.told("pushToken"), kind: "update", into: &events) {
        $0.set("activity-id", call.told("activityId"))
      }
    case "onExpoWidgetsPushToStartTokenReceived":
      let token = call.told("activityPushToStartToken", "pushToStartToken")
      return call.token(token, kind: "start", into: &events) {
        $0.set("attributes-type", text: Self.type)
      }
    default: return ModuleCall.other
    }
  }

  /// The instance that a call was made on, beside the call or among its arguments.
  private static func instance(_ call: ModuleCall) -> JSONSlice? {
    call.beside("activityId", "activity-id", "id", "instance")
      ?? call.option("activityId", "instanceId")
  }

  private func start(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard call.error == nil else { return call.failure("request", into: &events) { _ in } }
    let result = call.result
    let id = result?.type == .object ? result?["id"] ?? result?["activityId"] : result
    guard let id = id?.string ?? Self.instance(call)?.string, !id.isEmpty else {
      return call.without("activity")
    }
    var act = call.act("start")
    act.set("activity-id", text: id)
    act.set("attributes-type", text: Self.type)
    let url = call.argument(1, "url")
    act.set("attributes", ModuleCall.object([("url", url?.type == .string ? url : nil)]))
    act.set("content-state", Self.content(call.argument(0, "props"), call))
    act.set("stale-date", milliseconds: call.argument(2, "staleDate"))
    return Self.hand(act, call, into: &events)
  }

  private func update(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let id = Self.instance(call) else { return call.without("activity") }
    guard call.error == nil else {
      return call.failure("update", into: &events) { $0.set("activity-id", id) }
    }
    var act = call.act("update")
    act.set("activity-id", id)
    act.set("content-state", Self.content(call.argument(0, "props"), call))
    act.set("stale-date", milliseconds: call.argument(1, "staleDate"))
    return Self.hand(act, call, into: &events)
  }

  /// `end(policy, props, contentDate)`, and underneath `end(policy, date, props, contentDate)`.
  private func end(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let id = Self.instance(call) else { return call.without("activity") }
    guard call.error == nil else {
      return call.failure("update", into: &events) { $0.set("activity-id", id) }
    }
    var act = call.act("end")
    act.set("activity-id", id)
    let policy = call.argument(0, "dismissalPolicy")
    let word = policy?.type == .object ? "after" : policy?.string ?? "default"
    let rest = call.arguments.dropFirst()
    let isNative = word == "after" ? policy?.type == .string : rest.count > 2
    let place = isNative ? 2 : 1
    act.set("content-state", Self.content(call.argument(place, "props"), call))
    act.set("dismissal-policy", text: word)
    if word == "after" {
      let date = isNative ? call.argument(1, "afterDate") : policy?["after"]
      act.set("dismissal-date", milliseconds: date)
    }
    // Content older than what the card shows is ignored: this is its version.
    act.set("timestamp", milliseconds: call.argument(place + 1, "contentDate"))
    return Self.hand(act, call, into: &events)
  }

  /// What the device has: the name of the card's kind and the props as a text.
  private static func content(_ props: JSONSlice?, _ call: ModuleCall) -> JSONSlice? {
    guard let props else { return nil }
    if props.type == .object, props["name"] != nil, props["props"]?.type == .string {
      return props
    }
    let text = props.type == .object ? ModuleCall.text(props.spelling) : props
    guard text?.type == .string else { return nil }
    return ModuleCall.object([("name", call.beside("name", "liveActivity")), ("props", text)])
  }

  private func list(_ call: ModuleCall, into events: inout [EventDraft]) -> RecordOutcome {
    guard let result = call.result, result.type == .array else { return ModuleCall.other }
    let entries = result.elements.compactMap { entry -> JSONSlice? in
      let id = entry.type == .string ? entry : entry["id"] ?? entry["activityId"]
      return ModuleCall.object([("activity-id", id)])
    }
    return call.inventory(entries, of: Self.type, isComplete: false, into: &events)
  }

  private static func hand(
    _ act: EventDraft, _ call: ModuleCall, into events: inout [EventDraft]
  ) -> RecordOutcome {
    call.hand(act, except: ["activityId", "id", "instance", "activity-id"], into: &events)
  }
}

package import ActivityCore

/// The payload of a push to a Live Activity: an object with `aps`, and what servers hide beside it.
///
/// Every value is what the device reads: exact bytes, no unit repaired (DOMAIN 2.1).
package struct APNsPayload {
  private let aps: JSONSlice
  private let beside: [(name: String, value: JSONSlice)]

  /// The act it asks for, as `start` `update` `end` or a word nobody knows.
  package let event: String

  /// - Parameter payload: the whole payload.
  /// - Returns: nil for the payload of an ordinary push: it has no `event`, nor the `events` that
  ///   node-apn wrote for a while.
  package init?(_ payload: JSONSlice) {
    let members = payload.members
    guard let aps = members.first(where: { $0.name == "aps" })?.value,
      let event = (aps["event"] ?? aps["events"])?.string
    else { return nil }
    self.aps = aps
    self.event = event
    beside = members.filter { $0.name != "aps" }
  }

  /// Whether a value is the payload of any push.
  package static func isPayload(_ value: JSONSlice) -> Bool {
    value.type == .object && value["aps"]?.type == .object
  }

  /// Members that `aps` and our lines spell alike, in the order they are written.
  private static let same: Set<String> = [
    "timestamp", "content-state", "attributes-type", "attributes", "alert", "stale-date",
    "dismissal-date", "relevance-score", "input-push-token", "input-push-channel",
  ]

  private static let otherKinds = Set(
    EventKind.allCases.filter { !$0.isContentAct }.map(\.word))

  /// The kind of what a sender asks for in its own word: only acts come by push, and another word
  /// of ours in a payload or a call is none of our evidence.
  static func kind(asked word: String) -> String {
    word.isEmpty || otherKinds.contains(word) ? "aps-\(word)" : word
  }

  /// Whether `event` is spelled `events`, as node-apn did for a while: the device reads no event.
  package var isMisspelled: Bool { aps["event"] == nil }

  /// Adds what the payload says; `event` is the caller's.
  package func take(into draft: inout EventDraft) {
    let members = aps.members
    for (name, value) in members where APNsPayload.same.contains(name) {
      if !draft.set(name, value) { draft.keep(name, value) }
    }
    for (name, value) in members
    where !APNsPayload.same.contains(name) && name != "event" && name != "events" {
      draft.keep(name, value)
    }
    for (name, value) in beside { draft.keep(name, value) }
  }

  /// An event of this payload: a push, with what it says.
  package func draft() -> EventDraft {
    var draft = EventDraft(event)
    draft.set("source", text: "push")
    take(into: &draft)
    return draft
  }
}

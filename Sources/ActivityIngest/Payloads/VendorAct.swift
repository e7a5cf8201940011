internal import ActivityCore

/// Where the members of a vendor's body go on our lines.
struct VendorMembers: Sendable {
  enum Place: Sendable {
    /// Under this name, by its exact bytes.
    case member(String)
    /// A date that may be a text: then it becomes Unix seconds, and the text is kept in `raw`.
    case date(String)
    /// The dialect reads it itself.
    case read
  }

  private let places: [String: Place]

  init(_ places: [String: Place]) { self.places = places }

  /// Adds what an object says; what no rule takes is kept.
  func take(_ object: JSONSlice, except taken: Set<String> = [], into draft: inout EventDraft) {
    for (name, value) in object.members where !taken.contains(name) {
      switch places[name] {
      case .read: continue
      case .member(let ours):
        if !draft.set(ours, value) { draft.keep(name, value) }
      case .date(let ours): VendorMembers.set(date: value, ours, named: name, in: &draft)
      case nil: draft.keep(name, value)
      }
    }
  }

  private static func set(
    date value: JSONSlice, _ ours: String, named name: String, in draft: inout EventDraft
  ) {
    guard let text = value.string, JSONSlice(Array(text.utf8))?.type != .number else {
      // A number, perhaps in quotes: what the device reads, whatever its unit.
      if !draft.set(ours, value) { draft.keep(name, value) }
      return
    }
    guard let instant = SourceTime(.init()).instant(text) else { return draft.keep(name, value) }
    draft.set(ours, instant: instant)
    draft.keepRaw(ours, text)
  }
}

/// An alert made of parts that a vendor spells apart.
struct VendorAlert: Sendable {
  private var parts: [(name: String, value: [UInt8])] = []

  /// Adds a part; a table of languages gives its `en`, or the first.
  mutating func add(_ name: String, _ value: JSONSlice?) {
    guard let value else { return }
    let text = value.type == .object ? value["en"] ?? value.members.first?.value : value
    guard let text, text.type == .string else { return }
    parts.append((name, Array(text.text)))
  }

  /// The object; nil when nothing was added.
  var json: JSONSlice? { parts.isEmpty ? nil : JSONSlice(VendorObject.bytes(parts)) }

  /// An alert that may be a text alone.
  static func spelled(_ alert: JSONSlice?) -> JSONSlice? {
    guard alert?.type == .string else { return alert?.type == .object ? alert : nil }
    var parts = VendorAlert()
    parts.add("body", alert)
    return parts.json
  }
}

/// A JSON object put together of exact values.
enum VendorObject {
  static func bytes(_ members: [(name: String, value: [UInt8])]) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    for (number, member) in members.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: MemberSpelling.quoted(member.name))
      bytes.append(UInt8(ascii: ":"))
      bytes.append(contentsOf: member.value)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

extension VendorCall {
  /// Why the call's time cannot be told; nil when it can, or when the record names none.
  func refusal(_ clock: SourceTime) -> RecordOutcome? {
    guard let time, !Self.isInYears(clock.instant(time)) else { return nil }
    if let text = time.string, clock.lacksZone(text) {
      return .refused(
        code: "no-time-zone",
        sentence: "The time \(text) names no time zone; say which it is with --tz.")
    }
    return .refused(
      code: "no-time", sentence: "The time of the call cannot be read; write it as RFC 3339.")
  }

  /// Whether there is an instant and its year has four digits.
  private static func isInYears(_ instant: Timestamp?) -> Bool {
    instant.map { (-62_135_596_800..<253_402_300_800).contains($0.wholeSeconds) } ?? false
  }

  /// An event of this call, at its time.
  func draft(_ event: String, _ clock: SourceTime) -> EventDraft {
    var draft = EventDraft(event)
    draft.set("at", instant: clock.instant(time))
    draft.set("recorder", text: recorder)
    return draft
  }

  /// An act that the vendor was asked for, as it spells it; any other word of ours is none. The
  /// vendor's own work is to send it.
  func act(_ word: String, _ clock: SourceTime, source: String = "push") -> EventDraft {
    var draft = draft(APNsPayload.kind(asked: word), clock)
    draft.set("source", text: source)
    return draft
  }

  /// Adds what was answered, and what the record says beside the call, and hands the act out; a
  /// failure of the call follows its act, which it refuses by handle and recorder.
  ///
  /// The vendor's status is `vendor-status`: it says nothing of APNs. A reason of APNs that the
  /// vendor hands through is the answer of the act itself.
  func settle(
    _ act: EventDraft, domain: String, as answer: VendorAnswer,
    into events: inout [EventDraft]
  ) {
    var act = act
    if let apns = answer.apns {
      act.set("status", number: apns.status)
      act.set("reason", text: apns.reason)
    }
    act.set("vendor-status", number: answer.status)
    act.set("url", text: url)
    if let document = self.answer { act.set("response", document) }
    if let error, !answer.isFailure { act.set("error", text: error) }
    for (name, value) in beside {
      if name != "attempt" || !act.set("attempt", value) { act.keep(name, value) }
    }
    events.append(act)
    guard answer.isFailure, answer.apns == nil else { return }
    events.append(failure(of: act, domain: domain, answer))
  }

  private func failure(
    of act: EventDraft, domain: String, _ answer: VendorAnswer
  ) -> EventDraft {
    var failure = EventDraft("failure")
    let names = [
      "at", "recorder", "activity-id", "token", "channel", "key", "device", "bundle-id",
      "environment",
    ]
    for name in names { failure.set(name, act[name]) }
    failure.set("operation", text: answer.isUnreached ? "connect" : "send")
    failure.set("domain", text: domain)
    failure.set("code", number: answer.status)
    failure.set("message", text: answer.message)
    return failure
  }
}

extension EventDraft {
  /// Sets the token, unless its text stands for any token.
  mutating func set(token: JSONSlice?) {
    guard let text = token?.string, TokenText.isToken(text) else { return }
    set("token", text: text)
  }

  /// Whether it names what it is about; the log takes no act that does not.
  var hasHandle: Bool { has("key") || has("token") || has("channel") || has("activity-id") }
}

extension RecordOutcome {
  /// An act that names nothing it is about.
  static func noHandle(_ wanted: String) -> RecordOutcome {
    .refused(
      code: "no-handle",
      sentence: "The call does not say which activity it is about; log \(wanted) with it.")
  }

  /// A call of which the part that says what it does was not logged.
  static let noEvent = RecordOutcome.refused(
    code: "no-event",
    sentence: "The call does not say whether it starts, updates or ends; log its body with event.")

  /// A record of this source that is no call of the vendor at all.
  static let otherRecord = RecordOutcome.skipped("no call of this vendor")

  /// A call of the vendor that is not about a Live Activity.
  static let ordinary = RecordOutcome.skipped("an ordinary message")
}

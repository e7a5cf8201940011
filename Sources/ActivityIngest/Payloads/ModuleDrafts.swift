internal import ActivityCore

/// What becomes of a module's calls and events: the parts that all modules share.
extension ModuleCall {
  /// Why the record's time cannot be told; nil when it can, or when it names none.
  var refusal: RecordOutcome? {
    guard at == nil, let badTime else { return nil }
    if clockLacksZone(badTime) {
      return .refused(
        code: "no-zone",
        sentence: "The time \(badTime) names no time zone; say which it is with --tz.")
    }
    return .refused(
      code: "no-time", sentence: "The time \(badTime) cannot be read; write it as RFC 3339.")
  }

  private func clockLacksZone(_ text: String) -> Bool {
    SourceTime(SourceSettings()).lacksZone(text)
  }

  /// What a record is that no rule knows.
  static let other = RecordOutcome.skipped("another call of the module")
  static let elsewhere = RecordOutcome.skipped("not about the module")

  /// A call or an event whose members are not there.
  func without(_ what: String) -> RecordOutcome {
    .refused(
      code: "no-activity",
      sentence: "\(name) names no \(what); log its arguments and what it returns.")
  }

  /// An event of this record, with what the record says of the app and the phone.
  func draft(_ event: String) -> EventDraft {
    var draft = EventDraft(event)
    draft.set("at", instant: at)
    let environment = beside("environment", "env")
    if let word = environment?.string, word == "sandbox" || word == "production" {
      draft.set("environment", environment)
    }
    let device = beside("device", "deviceId", "device_id")
    draft.set("device", device)
    draft.set("recorder", beside("recorder") ?? device)
    draft.set("build", beside("build", "buildNumber", "appBuild"))
    draft.set("bundle-id", beside("bundle-id", "bundleId", "bundleIdentifier"))
    draft.set("os", beside("os", "osVersion"))
    return draft
  }

  /// An act that the app asked for.
  func act(_ event: String) -> EventDraft {
    var draft = draft(event)
    draft.set("source", text: "app")
    return draft
  }

  /// Members that say which app on which phone, under whatever name.
  static let ofTheApp: Set<String> = [
    "device", "deviceId", "device_id", "build", "buildNumber", "appBuild", "bundle-id", "bundleId",
    "bundleIdentifier", "os", "osVersion", "recorder",
  ]

  /// Hands an event out, with the members of the record that no rule took.
  func hand(
    _ event: EventDraft, except taken: Set<String> = [], into events: inout [EventDraft]
  ) -> RecordOutcome {
    var event = event
    for (name, value) in beside where !Self.ofTheApp.contains(name) && !taken.contains(name) {
      if name == "environment" || name == "env", event.has("environment") { continue }
      if value.spelling == event["activity-id"]?.spelling { continue }
      event.keepBeside(name, value)
    }
    events.append(event)
    return .events
  }

  /// A call that threw. It leaves no act: acts of an app have no answers, so that an end that threw
  /// would take the card away that is still there; which call it was is kept as `call`. One that
  /// started nothing has no id: where it names no key either, its key is made of what was thrown
  /// and when, and is nobody else's.
  func failure(
    _ operation: String, into events: inout [EventDraft], _ handles: (inout EventDraft) -> Void
  )
    -> RecordOutcome
  {
    var draft = draft("failure")
    draft.set("operation", text: operation)
    handles(&draft)
    let thrown = ModuleError(error)
    if !draft.has("activity-id"), !draft.has("key") {
      let text = "\(name) \(at?.rfc3339 ?? "") \(thrown.message)"
      draft.set("key", text: "threw:" + TokenDigest.digest(of: text).dropFirst(7).prefix(12))
    }
    draft.set("domain", text: thrown.domain)
    draft.set("code", thrown.code)
    draft.set("case", text: thrown.caseName)
    draft.set("message", text: thrown.message)
    if let called = Self.text(name) { draft.keep("call", called) }
    // What was passed may be why it threw.
    for (number, value) in arguments.prefix(Self.argumentsKept).enumerated() {
      draft.keep("argument-\(number + 1)", value)
    }
    return hand(draft, into: &events)
  }

  /// How many arguments of a call that threw are kept.
  private static let argumentsKept = 16

  /// What the person allows.
  func authorization(_ enabled: JSONSlice?, into events: inout [EventDraft]) -> RecordOutcome {
    guard let enabled, enabled.type == .true || enabled.type == .false else { return Self.other }
    var draft = draft("authorization")
    draft.set("enabled", enabled)
    return hand(draft, into: &events)
  }

  /// A token that the app was told; a start token has no activity.
  func token(
    _ token: JSONSlice?, kind: String, into events: inout [EventDraft],
    _ handles: (inout EventDraft) -> Void
  ) -> RecordOutcome {
    guard let text = token?.string, !text.isEmpty else {
      return .skipped("an event without its token")
    }
    var draft = draft("token")
    handles(&draft)
    draft.set("token", token)
    draft.set("token-kind", text: kind)
    return hand(draft, into: &events)
  }

  /// The activities of a type that the module listed.
  ///
  /// - Parameter isComplete: whether it lists all there are. That is said only of a device: without
  ///   one the list would end the cards of every phone whose log has the same recorder.
  func inventory(
    _ entries: [JSONSlice], of type: String, isComplete: Bool, into events: inout [EventDraft]
  ) -> RecordOutcome {
    var draft = draft("inventory")
    draft.set("attributes-type", text: type)
    var list = [UInt8(ascii: "[")]
    for (number, entry) in entries.enumerated() {
      if number > 0 { list.append(UInt8(ascii: ",")) }
      list.append(contentsOf: entry.text)
    }
    list.append(UInt8(ascii: "]"))
    draft.set("activities", JSONSlice(list))
    draft.set("complete", text: isComplete && draft.has("device") ? "true" : "false")
    return hand(draft, into: &events)
  }

  /// An object made of exact values, without those that are not there.
  static func object(_ members: [(name: String, value: JSONSlice?)]) -> JSONSlice? {
    var bytes = [UInt8(ascii: "{")]
    for case (let name, let value?) in members where value.type != .null {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: MemberSpelling.quoted(name))
      bytes.append(UInt8(ascii: ":"))
      bytes.append(contentsOf: value.text)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes.count > 2 ? JSONSlice(bytes) : nil
  }

  /// A text as JSON.
  static func text(_ text: String) -> JSONSlice? { JSONSlice(MemberSpelling.quoted(text)) }
}

extension EventDraft {
  /// Sets a date that the module takes in milliseconds, or that was logged as an ISO date, as Unix
  /// seconds; the text is kept in `raw`.
  mutating func set(_ name: String, milliseconds value: JSONSlice?) {
    guard let value, let instant = Timestamp(milliseconds: value) else { return }
    set(name, instant: instant)
    keepRaw(name, value.string ?? value.spelling)
  }

  /// Keeps a member that stands beside a call; of a token only its digest.
  mutating func keepBeside(_ name: String, _ value: JSONSlice) {
    guard name.lowercased().contains("token"), let token = value.string else {
      return keep(name, value)
    }
    guard let digest = ModuleCall.text(TokenDigest.digest(of: token)) else { return }
    keep(name, digest)
  }

  /// Keeps the members of an object that no rule took.
  mutating func keep(membersOf object: JSONSlice?, except taken: Set<String>) {
    for (name, value) in object?.members ?? [] where !taken.contains(name) {
      keepBeside(name, value)
    }
  }
}

extension Timestamp {
  /// Milliseconds since 1970, or a text that is a date or such a number.
  init?(milliseconds value: JSONSlice) {
    if let text = value.string, let instant = Timestamp(rfc3339: text) {
      self = instant
      return
    }
    guard let number = Timestamp(unixSeconds: value.string ?? value.spelling) else { return nil }
    self.init(microseconds: number.microseconds / 1_000)
  }
}

/// What a call threw, as JavaScript, Dart or Swift spell it.
struct ModuleError {
  var message = ""
  var domain: String?
  var code: JSONSlice?
  /// The case of `ActivityAuthorizationError`, where the text tells it.
  var caseName: String?

  /// Words of the system's and the modules' own messages, in small letters, and the case they mean.
  private static let words: [(String, String)] = [
    ("maximum number of activities for target", "targetMaximumExceeded"),
    ("maximum number of activities", "globalMaximumExceeded"),
    ("not foreground", "visibility"),
    ("not in the foreground", "visibility"),
    ("nssupportsliveactivities", "unsupportedTarget"),
    ("activities are currently disabled", "denied"),
    ("activities are not enabled", "denied"),
    ("notenabled", "denied"),
    ("data too large", "attributesTooLarge"),
  ]

  /// Cases whose names nobody else uses, then those that are ordinary words.
  private static let cases: Set<String> = [
    "attributesTooLarge", "unsupportedTarget", "globalMaximumExceeded", "targetMaximumExceeded",
    "persistenceFailure", "missingProcessIdentifier", "malformedActivityIdentifier",
    "reconnectNotPermitted",
  ]
  private static let plainCases: Set<String> = [
    "unsupported", "denied", "visibility", "unentitled",
  ]

  init(_ thrown: JSONSlice?) {
    guard let thrown else { return }
    message = thrown.string ?? ""
    if thrown.type == .object {
      message = (thrown["message"] ?? thrown["description"] ?? thrown["details"])?.string ?? ""
      if message.isEmpty { message = thrown.spelling }
      domain = thrown["domain"]?.string
      code = thrown["code"]
    }
    let details = thrown["details"]?.string ?? ""
    let text = [message, details, code?.string ?? ""].joined(separator: " ")
    if domain == nil, text.contains("ActivityAuthorizationError") {
      domain = "ActivityAuthorizationError"
    }
    caseName = thrown["case"]?.string ?? Self.caseName(in: text, isNamed: domain != nil)
    if !details.isEmpty, message != details { message += ": " + details }
  }

  private static func caseName(in text: String, isNamed: Bool) -> String? {
    let found = text.split { !$0.isLetter }.map(String.init).first { word in
      cases.contains(word) || isNamed && plainCases.contains(word)
    }
    if let found { return found }
    let text = text.lowercased()
    return words.first { text.contains($0.0) }?.1
  }
}

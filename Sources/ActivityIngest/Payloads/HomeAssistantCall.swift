internal import ActivityCore

/// One notification of Home Assistant, wherever its record keeps it: the body of a request to
/// `/api/services/notify/…`, `service_data` of a service call, or what the relay is sent.
struct HomeAssistantCall: Sendable {
  let call: VendorCall
  /// The notification: `message`, `title`, `data`.
  private let body: JSONSlice
  private let data: JSONSlice?
  /// The service without its domain; nil when nobody named it.
  let service: String?
  /// Whether the record names a service or a phone, beside what is said.
  let isNamed: Bool

  init?(_ record: SourceRecord) {
    var source = record
    // An event of the bus keeps the service call in `data`.
    if let event = record.json, event["event_type"]?.string == "call_service",
      let inner = event["data"], let time = event["time_fired"]
    {
      let kept = inner.members.filter { $0.name != "domain" }
      let members =
        [("time_fired", Array(time.text))]
        + kept.map {
          ($0.name, Array($0.value.text))
        }
      let bytes = VendorObject.bytes(members)
      source = SourceRecord(line: record.line, bytes: bytes, json: JSONSlice(bytes))
    }
    let token = source.json.flatMap { Self.relayToken($0) }
    if let token { source = source.digesting([token]) }
    guard let call = VendorCall(source, isBody: Self.isBody, isURL: Self.isURL) else { return nil }
    self.call = call
    body = call.body
    data = body["data"]
    let named = call["service"] ?? call["action"]
    let path = call.url.split(separator: "/").last.map(String.init)
    let text = named?.string ?? (Self.isURL(call.url) ? path : nil)
    service = text?.split(separator: ".").last.map(String.init)
    isNamed = service != nil || body["registration_info"] != nil
    let isNotify =
      text?.hasPrefix("notify.") == true || text?.hasPrefix("mobile_app_") == true
      || Self.isURL(call.url) || Self.domain(record.json) == "notify"
    guard isNotify || Self.isBody(body) && Self.isOwn(body) else { return nil }
  }

  private static func domain(_ record: JSONSlice?) -> String? {
    (record?["domain"] ?? record?["data"]?["domain"])?.string
  }

  private static func isURL(_ url: String) -> Bool { url.contains("/services/notify/") }

  /// `message` and what Home Assistant's apps read beside it.
  private static func isBody(_ body: JSONSlice) -> Bool {
    body["message"]?.type == .string && (body["data"]?["tag"] != nil || isOwn(body))
  }

  /// Whether it has what nobody else writes; many a log has a message and a tag.
  private static func isOwn(_ body: JSONSlice) -> Bool {
    guard let message = body["message"]?.string else { return false }
    if body["registration_info"] != nil { return true }
    if message == clear, body["data"]?["tag"] != nil { return true }
    let marks = ["live_update", "live_activity", "progress_max", "notification_icon"]
    return marks.contains { body["data"]?[$0] != nil }
  }

  /// The message that takes a notification off.
  static let clear = "clear_notification"

  /// The registration token in what the relay is sent, alone or in a log of it.
  private static func relayToken(_ record: JSONSlice) -> String? {
    for name in ["", "body", "request", "payload", "json"] {
      let body = name.isEmpty ? record : record[name].flatMap { VendorCall.document($0) }
      if body?["registration_info"] != nil, let token = body?["push_token"]?.string {
        return token
      }
    }
    return nil
  }

  var message: String? { body["message"]?.string }
  var event: String? { data?["event"]?.string }
  var tag: String? {
    guard let tag = data?["tag"] else { return nil }
    return tag.type == .number ? tag.spelling : tag.string
  }
  /// The one phone it goes to; nil for a group, or when nobody says.
  var device: String? { service.flatMap { $0.hasPrefix("mobile_app_") ? $0 : nil } }
  /// An activity's name where there is no tag.
  var activity: String? { data?["activity_id"]?.string }

  /// Whether it says that it is about a card.
  var isLive: Bool {
    for name in ["live_update", "live_activity"] {
      if let flag = data?[name], flag.type == .true || flag.string == "true" { return true }
    }
    return body["live_activity_token"] != nil || activity != nil && event != nil
  }

  /// What the app reads under another name than the notification has.
  private static let content: [String: String] = [
    "critical_text": "critical_text", "progress": "progress", "progress_max": "progress_max",
    "chronometer": "chronometer", "notification_icon": "icon", "notification_icon_color": "color",
    "background_color": "background_color", "text_color": "text_color", "url": "url",
    "progress_bar_color": "progress_bar_color",
    "progress_bar_direction": "progress_bar_direction",
  ]

  private static let members = VendorMembers([
    "tag": .read, "event": .read, "activity_id": .read, "live_update": .read,
    "live_activity": .read, "when": .read, "when_relative": .read, "alert": .read,
    "alert_sound": .read, "content_state": .read,
    "stale_date": .date("stale-date"), "dismissal_date": .date("dismissal-date"),
    "relevance_score": .member("relevance-score"),
  ])

  /// Adds what it says.
  ///
  /// - Parameter at: when it was sent, which a relative `when` counts from.
  func take(into act: inout EventDraft, at: Timestamp?) {
    act.set("key", text: tag ?? activity)
    act.set(token: body["live_activity_token"])
    act.set("device", text: device)
    let registration = body["registration_info"]
    act.set("bundle-id", registration?["app_id"])
    act.set("build", registration?["app_version"])
    act.set("os", registration?["os_version"])
    act.set("attributes-type", text: "HALiveActivityAttributes")
    let state = contentState(at: at, in: &act)
    if !state.isEmpty { act.set("content-state", JSONSlice(VendorObject.bytes(state))) }
    act.set("alert", alert)
    // Apps and relay take an ended card off at once unless told when.
    if isEnd(act), data?["dismissal_date"] == nil {
      act.set("dismissal-policy", text: "immediate")
    }
    if let data {
      Self.members.take(data, except: Set(Self.content.keys), into: &act)
    }
    act.set("fcm-token", text: (body["push_token"]?.string).map { TokenDigest.digest(of: $0) })
    let spent: Set<String> = [
      "message", "title", "data", "push_token", "live_activity_token", "registration_info",
    ]
    for (name, value) in body.members
    where !spent.contains(name) && !call.taken.contains(name) { act.keep(name, value) }
  }

  private func isEnd(_ act: EventDraft) -> Bool { act["event"]?.string == "end" }

  private var isClear: Bool { message == Self.clear }

  /// The card's content as the app reads it; an explicit `content_state` wins.
  private func contentState(
    at: Timestamp?, in act: inout EventDraft
  ) -> [(name: String, value: [UInt8])] {
    var state: [(name: String, value: [UInt8])] = []
    let own = data?["content_state"]?.members ?? []
    func add(_ name: String, _ value: [UInt8]) {
      guard !own.contains(where: { $0.name == name }) else { return }
      state.append((name, value))
    }
    if !isClear, let message = body["message"] { add("message", Array(message.text)) }
    if !isClear, let title = body["title"], title.type != .null { add("title", Array(title.text)) }
    for (name, value) in data?.members ?? [] {
      if let name = Self.content[name] { add(name, Array(value.text)) }
    }
    if let when = data?["when"] {
      if data?["when_relative"]?.type != .true {
        add("countdown_end", Array(when.text))
      } else if let end = Self.sum(at, when) {
        add("countdown_end", end)
        act.keepRaw("when", when.spelling)
      } else {
        act.keep("when", when)
        act.keep("when_relative", JSONSlice(Array("true".utf8)) ?? when)
      }
    }
    state.append(contentsOf: own.map { ($0.name, Array($0.value.text)) })
    return state
  }

  /// Whole seconds after an instant, in Unix seconds.
  private static func sum(_ at: Timestamp?, _ seconds: JSONSlice) -> [UInt8]? {
    guard let at, let delay = Int64(seconds.string ?? seconds.spelling),
      (-(1 << 40)...(1 << 40)).contains(delay)
    else { return nil }
    return Array(String(at.wholeSeconds + delay).utf8)
  }

  /// The alert that lights the screen: an explicit one, else title and message, unless silent.
  private var alert: JSONSlice? {
    var parts = VendorAlert()
    if let alert = data?["alert"], alert.type == .object {
      guard let sound = data?["alert_sound"], alert["sound"] == nil else { return alert }
      let members = alert.members.map { ($0.name, Array($0.value.text)) }
      return JSONSlice(VendorObject.bytes(members + [("sound", Array(sound.text))]))
    }
    guard !isClear, data?["silent"]?.type != .true else { return nil }
    parts.add("title", body["title"])
    parts.add("body", body["message"])
    return parts.json
  }
}

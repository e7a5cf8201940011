internal import ActivityCore

/// A record of requests to APNs, told apart: whom a push is for, how it was sent, what came back.
struct RequestParts: Sendable {
  private(set) var facts: RequestFacts
  /// The device tokens it names; several are one request each.
  private(set) var tokens: [String] = []
  private(set) var channel: String?
  private(set) var isBroadcast = false
  private(set) var apnsID: String?
  /// Another id that pairs a request with its answer.
  private(set) var joinID: String?
  private(set) var topic: String?
  private(set) var pushType: String?
  private(set) var at: Timestamp?
  /// A time that lacks its zone, where no other time was found.
  private(set) var zoneless: String?
  private(set) var answer: RequestAnswer
  /// Whether it tells of APNs for certain.
  let isAPNs: Bool
  /// Whether it tells of a request to somebody else than APNs; and what that one answered.
  let isForOthers: Bool
  private var vendorStatus: JSONSlice?
  /// What is set as it is, in the order of the line.
  private var plain: [(name: String, value: JSONSlice)] = []
  private var texts: [(name: String, text: String)] = []
  private var raw: [(name: String, text: String)] = []
  private var host: String?
  /// Where members of ours were found, for a map.
  private(set) var origins: [(member: String, path: [String])] = []

  init(_ found: RequestFields, _ time: SourceTime) {
    var facts = RequestFacts(found.fields)
    facts.dropSecrets()
    topic = facts.take(["apnstopic", "topic"], where: Self.isWord)?.string
    if topic != nil { origins.append(("apns-topic", facts.last)) }
    pushType = facts.take(["apnspushtype", "pushtype"], where: Self.isWord)?.string
    if pushType != nil { origins.append(("apns-push-type", facts.last)) }
    let (target, url) = facts.target()
    host = facts.host() ?? url.flatMap { $0.contains("://") ? $0 : nil }
    if case .broadcast(let bundle) = target {
      isBroadcast = true
      texts.append(("bundle-id", bundle))
    }
    let (tokens, isNamed) = Self.tokens(of: found, &facts, target)
    self.tokens = tokens
    if isNamed { origins.append(("token", facts.last)) }
    if found.fields.contains(where: { $0.key == "operation" && $0.text == "broadcast" }) {
      // Where a hook names a token otherwise it names the channel.
      isBroadcast = true
      channel = tokens.first
    }
    if isBroadcast { self.tokens = [] }
    let hasSigns =
      found.payload != nil || topic != nil || pushType != nil || target != nil
      || found.fields.contains { $0.key.utf8.starts(with: "apns".utf8) }
    channel = channel ?? facts.channel(isBroadcast: isBroadcast, isAPNs: hasSigns)
    if channel != nil { origins.append(("channel", facts.last)) }
    if channel != nil, self.tokens.isEmpty { isBroadcast = true }
    apnsID = Self.apnsID(&facts, isAPNs: hasSigns)
    if apnsID != nil { origins.append(("apns-id", facts.last)) }
    isAPNs =
      found.payload != nil || topic != nil || pushType != nil || target != nil || apnsID != nil
      || self.tokens.contains { TokenText.looksLikeToken($0) }
    let isForOthers =
      facts.isForOthers && topic == nil && pushType == nil && apnsID == nil
    self.isForOthers = isForOthers
    // A gateway's answer says that it took the push, and nothing of what APNs said.
    let isGateway = isForOthers || apnsID == nil && facts.isForOtherHost
    if isGateway { vendorStatus = RequestAnswer.vendorStatus(&facts) }
    answer = RequestAnswer(&facts, isAPNs: isAPNs && !isGateway)
    origins += answer.origins
    _ = facts.take(["operation"], where: { ["start", "update", "end"].contains($0.text ?? "") })
    joinID = Self.joinID(facts)
    let isAnswer = found.payload == nil && !answer.isEmpty
    (at, zoneless) = facts.at(time, ofAnswer: isAnswer)
    if at != nil { origins.append(("at", facts.last)) }
    facts.drop(repeating: self.tokens + [apnsID, topic, answer.reason].compactMap { $0 })
    self.facts = facts
    takePlain()
  }

  /// The devices a request is for, and whether a field names the first of them.
  private static func tokens(
    of found: RequestFields, _ facts: inout RequestFacts, _ target: APNsHeaders.Target?
  ) -> (tokens: [String], isNamed: Bool) {
    let listed = found.tokens.filter { TokenText.isToken($0) }
    if let token = facts.token(besidePayload: found.payload?.path) {
      return ([token] + listed, true)
    }
    guard case .device(let token) = target, listed.isEmpty, TokenText.isToken(token) else {
      return (listed, false)
    }
    return ([token], false)
  }

  private static func isWord(_ field: RequestField) -> Bool {
    field.text.map { !$0.isEmpty && !$0.utf8.contains(0x20) } == true
  }

  /// Whether the headers say that it is a push to a Live Activity; nil when they say nothing.
  var isLive: Bool? {
    if isBroadcast { return true }
    if pushType != nil { return isLivePushType }
    return topic.map { APNsTopic.bundle($0) != nil }
  }

  private var isLivePushType: Bool {
    pushType == "liveactivity"
      || pushType.map { $0.lowercased().filter(\.isLetter) } == "liveactivity"
  }

  // MARK: Ids

  private static func apnsID(_ facts: inout RequestFacts, isAPNs: Bool) -> String? {
    let isText = { (field: RequestField) in field.text?.isEmpty == false }
    let first = facts.take(["apnsid"], where: { isText($0) && !$0.isInAnswer })
    if let id = (first ?? facts.take(["apnsid"], where: isText))?.string { return id }
    // A plain `id` is the push's own beside a payload or a header of APNs; in other records it is
    // anything's.
    guard isAPNs else { return nil }
    let isOwn = { (field: RequestField) in
      field.text.map { isUUID($0) } == true && !field.isInAnswer
        && (field.isInHeaders || field.path.count == 1)
    }
    return facts.take(["id", "notificationid", "uuid"], where: isOwn)?.string
  }

  static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    return text.utf8.enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: HexDigit.value(byte) != nil
      }
    }
  }

  private static let joinNames = [
    "apnsrequestid", "pushid", "requestid", "reqid", "xrequestid", "notificationid", "messageid",
    "jobid", "correlationid", "traceid",
  ]

  /// Not taken from the record: it is kept under its own name too.
  private static func joinID(_ facts: RequestFacts) -> String? {
    facts.find(
      joinNames,
      where: { field in
        let text = field.value.type == .number ? field.value.spelling : field.text ?? ""
        return !text.isEmpty && text.utf8.count <= 256
      }
    ).map { $0.text ?? $0.value.spelling }
  }

  /// Whether the id is one of a trace, which pushes to several devices may share.
  var isTrace: Bool {
    facts.find(Self.joinNames).map { $0.key == "traceid" || $0.key == "correlationid" } == true
  }

  // MARK: How it was sent

  private mutating func takePlain() {
    let isPriority = { (field: RequestField) in
      Int(field.text ?? field.value.spelling).map { (1...10).contains($0) } == true
    }
    plain(["apnspriority", "priority"], "apns-priority", where: isPriority)
    takeWordOfPriority()
    plain(
      ["apnsexpiration", "expiration", "expiry", "apnsexpiry"], "apns-expiration",
      where: Self.isInstant)
    plain(["apnscollapseid", "collapseid", "collapsekey"], "apns-collapse-id", where: Self.isWord)
    let isCount = { (field: RequestField) in Int64(field.value.spelling) != nil }
    plain(["payloadbytes", "payloadsize", "payloadlength"], "bytes", where: isCount)
    let isLength = { (field: RequestField) in
      !field.isInAnswer && Int64(field.text ?? field.value.spelling) != nil
    }
    if isAPNs { plain(["contentlength"], "bytes", where: isLength) }
    if let text = facts.environment() { texts.append(("environment", text)) }
    let isText = { (field: RequestField) in
      field.value.type == .number || field.text?.isEmpty == false
    }
    let bundles = ["bundleid", "bundleidentifier", "appbundleid", "bundle", "appid"]
    if let bundle = facts.take(bundles, where: Self.isWord)?.string {
      texts.append(("bundle-id", APNsTopic.bundle(bundle) ?? bundle))
    }
    let isSingle = tokens.count < 2
    if let id = facts.take(["activityid", "liveactivityid"], where: Self.isWord)?.string {
      texts.append((isSingle && Self.isUUID(id) ? "activity-id" : "key", id))
    }
    plain(["deviceid", "device", "installationid"], "device", where: isText)
    plain(["build", "buildnumber", "appbuild", "bundleversion"], "build", where: isText)
    plain(["osversion", "iosversion", "systemversion"], "os", where: isText)
    if let text = facts.recorder() { texts.append(("recorder", text)) }
  }

  private static let priorities = [
    "immediate": 10, "immediately": 10, "conservepower": 5, "consideringdevicepower": 5,
  ]

  /// Libraries in Java and Swift name the two priorities.
  private mutating func takeWordOfPriority() {
    let isKnown = { (field: RequestField) in
      field.text.map { Self.priorities[RequestFields.key($0)] != nil } == true
    }
    guard let word = facts.take(["apnspriority", "priority"], where: isKnown)?.string,
      let number = Self.priorities[RequestFields.key(word)]
    else { return }
    texts.append(("apns-priority", String(number)))
    raw.append(("apns-priority", word))
  }

  /// A header that libraries leave out when it is negative or the zero of their dates.
  private static func isInstant(_ field: RequestField) -> Bool {
    let text = field.text ?? field.value.spelling
    if let number = Double(text) { return number >= 0 }
    return Timestamp(rfc3339: text).map { $0.microseconds >= 0 } == true
  }

  private mutating func plain(
    _ keys: [String], _ name: String, where fits: (RequestField) -> Bool
  ) {
    guard let value = facts.take(keys, where: fits) else { return }
    plain.append((name, value))
    origins.append((name, facts.last))
  }

  /// Adds everything but the handle, the ids and the answer.
  func take(into draft: inout EventDraft) {
    draft.set("apns-topic", text: topic)
    if isLivePushType, pushType != "liveactivity" {
      // The name of an enum's case; the header itself has this spelling.
      draft.set("apns-push-type", text: "liveactivity")
      draft.keepRaw("apns-push-type", pushType ?? "")
    }
    draft.set("apns-push-type", text: pushType)
    for (name, text) in raw { draft.keepRaw(name, text) }
    for (name, value) in plain { draft.set(name, value) }
    draft.set("vendor-status", vendorStatus)
    if let host { draft.setHost(host) }
    for (name, text) in texts { draft.set(name, text: text) }
    draft.set("bundle-id", text: topic.flatMap { APNsTopic.bundle($0) })
  }
}

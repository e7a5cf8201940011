internal import ActivityCore

/// What a record says about how APNs answered, or why it could not.
struct RequestAnswer: Sendable {
  var status: Int64?
  var reason: String?
  /// Since when a token is gone, as the record spells it.
  var goneSince: JSONSlice?
  var attempt: JSONSlice?
  var isFinal: JSONSlice?
  /// An error without an answer.
  var error: RequestError?

  /// Where its members were found, for a map.
  private(set) var origins: [(member: String, path: [String])] = []

  /// Whether it answers anything.
  var isEmpty: Bool { status == nil && reason == nil && error == nil }

  /// Reasons of APNs and the one status that each comes with (DOMAIN 2.6).
  static let statuses: [String: Int64] = {
    let reasons: [Int64: [String]] = [
      400: [
        "BadDeviceToken", "DeviceTokenNotForTopic", "MissingDeviceToken", "BadTopic",
        "MissingTopic", "TopicDisallowed", "InvalidPushType", "BadExpirationDate", "BadPriority",
        "BadMessageId", "BadCollapseId", "DuplicateHeaders", "PayloadEmpty", "IdleTimeout",
        "MissingChannelId", "BadChannelId", "CannotCreateChannelConfig", "MissingPushType",
      ],
      403: [
        "ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken", "BadCertificate",
        "BadCertificateEnvironment", "Forbidden", "FeatureNotEnabled", "BadEnvironmentKeyInToken",
        "BadEnvironmentKeyIdInToken", "UnrelatedKeyIdInToken",
      ],
      404: ["BadPath"], 405: ["MethodNotAllowed"],
      410: ["Unregistered", "ExpiredToken", "ChannelNotRegistered"],
      413: ["PayloadTooLarge"], 429: ["TooManyRequests", "TooManyProviderTokenUpdates"],
      500: ["InternalServerError"], 503: ["ServiceUnavailable", "Shutdown"],
    ]
    return Dictionary(
      uniqueKeysWithValues: reasons.flatMap { status, words in words.map { ($0, status) } })
  }()

  /// Takes what the record says; `isAPNs` when it tells of APNs for certain, so that looser words
  /// are meant for it too; `isSent` when the list it stands in says that it was taken.
  init(_ facts: inout RequestFacts, isAPNs: Bool, isSent: Bool = false) {
    takeStatus(&facts, isAPNs)
    takeReason(&facts)
    // Pushy and wrappers say only whether it was accepted.
    let flag = isAPNs && status == nil ? Self.takeFlag(&facts) : nil
    if flag == true, reason == nil { status = 200 }
    if status == nil, let reason { status = Self.statuses[reason] }
    if reason != nil || status == 410 { takeGoneSince(&facts) }
    attempt = facts.take(["attempt", "attemptnumber", "attemptno"], where: Self.isWhole)
    isFinal = facts.take(
      ["isfinalattempt", "finalattempt", "final"],
      where: { $0.value.type == .true || $0.value.type == .false })
    if status == nil, reason == nil {
      error = RequestError(&facts) ?? (flag == false ? RequestError(operation: "send") : nil)
    }
    if status == nil, reason == nil, error == nil, isSent { status = 200 }
  }

  private static func isWhole(_ field: RequestField) -> Bool {
    Int64(field.text ?? field.value.spelling) != nil
  }

  private static let statusNames = [
    "status", "statuscode", "httpstatus", "httpstatuscode", "responsestatus", "responsecode",
    "httpcode", "apnsstatus",
  ]
  private static let reasonNames = [
    "reason", "rejectionreason", "apnsreason", "errorreason", "failurereason",
  ]
  private static let textNames =
    reasonNames + [
      "error", "err", "errormessage", "message", "msg", "description", "code", "response", "result",
      "name", "type",
    ]

  /// What APNs answers with; any other number is somebody else's answer.
  private static let ofAPNs: Set<Int64> = [200, 400, 403, 404, 405, 410, 413, 429, 500, 503]

  /// What somebody else than APNs answered, who may have queued the push or sent it.
  static func vendorStatus(_ facts: inout RequestFacts) -> JSONSlice? {
    facts.take(statusNames, where: { number($0.value).map { (100..<600).contains($0) } == true })
  }

  private mutating func takeStatus(_ facts: inout RequestFacts, _ isAPNs: Bool) {
    let isStatus = { (field: RequestField) in
      Self.number(field.value).map { Self.ofAPNs.contains($0) } == true
    }
    let found =
      facts.take(Self.statusNames, where: isStatus)
      ?? facts.take(["code"], where: { isStatus($0) && ($0.isInAnswer || isAPNs) })
    status = found.flatMap { Self.number($0) }
    if status != nil { origins.append(("status", facts.last)) }
  }

  private static func number(_ value: JSONSlice) -> Int64? {
    switch value.type {
    case .number: Int64(value.spelling)
    // Rust and Go print the words of the status behind it.
    case .string: value.string?.split(separator: " ").first.flatMap { Int64($0) }
    case .object, .array, .true, .false, .null: nil
    }
  }

  private mutating func takeReason(_ facts: inout RequestFacts) {
    let isRefused = status.map { $0 != 200 } == true
    // Without a refusal a `reason` may be the business's: a word nobody knows is left to it.
    let isReason = { (field: RequestField) in
      guard let text = field.text, !text.isEmpty, !text.utf8.contains(0x20) else { return false }
      return isRefused || field.isInAnswer || field.key == "apnsreason"
        || Self.word(in: text, isAnswer: true) != nil
    }
    if let word = facts.take(Self.reasonNames, where: isReason)?.string {
      reason = Self.word(in: word, isAnswer: true) ?? word
      origins.append(("reason", facts.last))
      return
    }
    let holdsReason = { (field: RequestField) in
      field.text.map { Self.word(in: $0, isAnswer: field.isInAnswer) != nil } == true
    }
    if let field = facts.find(Self.textNames, where: holdsReason) {
      reason = field.text.flatMap { Self.word(in: $0, isAnswer: field.isInAnswer) }
      if field.text == reason { origins.append(("reason", field.path)) }
    }
  }

  /// A reason of APNs in a text, as it is or in the spelling of an enum: `badDeviceToken`.
  ///
  /// - Parameter isAnswer: whether the text is an answer's; elsewhere a single plain word
  ///   (`Forbidden`) is one only where it is quoted, or ends the text behind a colon.
  static func word(in text: String, isAnswer: Bool) -> String? {
    let isLetter = { (byte: UInt8) in byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
    let head = text.utf8.prefix(4_096)
    for part in head.split(whereSeparator: { !isLetter($0) }) where part.count >= 7 {
      var word = String(decoding: part, as: UTF8.self)
      let isPlain = !part.dropFirst().contains { $0 & 0x20 == 0 }
      if statuses[word] != nil, !isPlain || isAnswer || stands(part, aloneIn: head) { return word }
      // In small letters it may be anything: `forbidden`, `shutdown`.
      guard !isPlain else { continue }
      word = word.prefix(1).uppercased() + word.dropFirst()
      if statuses[word] != nil { return word }
    }
    return nil
  }

  private static func stands(
    _ word: Substring.UTF8View.SubSequence, aloneIn text: Substring.UTF8View
  ) -> Bool {
    let before = text[..<word.startIndex].last { $0 != 0x20 }
    let after = text[word.endIndex...].first
    switch before {
    case nil, UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      break
    default: return false
    }
    switch after {
    case nil, UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","),
      UInt8(ascii: "}"):
      return true
    default: return false
    }
  }

  private static func takeFlag(_ facts: inout RequestFacts) -> Bool? {
    let flag = facts.take(
      ["accepted", "isaccepted", "success", "ok"],
      where: { $0.value.type == .true || $0.value.type == .false })
    return flag.map { $0.type == .true }
  }

  private mutating func takeGoneSince(_ facts: inout RequestFacts) {
    let names = [
      "gonesince", "unregisteredsince", "tokeninvalidationtimestamp", "invalidationtime",
      "tokeninvalidationinstant", "invalidatedat",
    ]
    let all = facts
    // Beside a reason: in the answer, in an error, or capitalised as Go has it.
    let isGone = { (field: RequestField) in
      field.isInAnswer || field.path.last == "Timestamp" || all.isBesideReason(field)
    }
    goneSince = facts.take(names) ?? facts.take(["timestamp"], where: isGone)
  }

  /// Adds the answer to an act or a response.
  func take(into draft: inout EventDraft, _ time: SourceTime) {
    draft.set("attempt", attempt)
    draft.set("final", isFinal)
    draft.set("status", number: status)
    draft.set("reason", text: reason)
    guard status != 200, let goneSince, let instant = time.instant(goneSince),
      instant.microseconds > 0
    else { return }
    draft.set("gone-since", JSONSlice(instant.unixSpelling))
    let spelled = goneSince.string ?? goneSince.spelling
    if spelled != String(decoding: instant.unixSpelling, as: UTF8.self) {
      draft.keepRaw("gone-since", spelled)
    }
  }
}

/// Why a push was never answered.
struct RequestError: Sendable {
  var operation: String
  var domain: String?
  var code: JSONSlice?
  var message: String?

  private static let names = [
    "error", "err", "exception", "errormessage", "cause", "failure", "syserror",
  ]

  /// A push that failed, and nobody says how.
  init(operation: String) { self.operation = operation }

  /// Nil when the record tells of no error.
  init?(_ facts: inout RequestFacts) {
    let isError = { (field: RequestField) in
      field.path.contains { Self.names.contains(RequestFields.key($0)) }
        && field.value.type != .false && field.text?.isEmpty != true
    }
    guard facts.fields.contains(where: isError) else { return nil }
    let isText = { (field: RequestField) in isError(field) && field.value.type == .string }
    message = facts.take(["message", "msg", "errormessage"] + Self.names, where: isText)?.string
      .map { RequestFacts.redacted($0) }
    code = facts.take(["code", "errno", "errorcode"], where: isError)
    domain = facts.take(["type", "name", "domain", "kind"], where: isText)?.string
    _ = facts.take(["stack", "stacktrace"], where: isError)
    let words = [message, code?.string, domain].compactMap { $0?.lowercased() }
    operation = Self.operation(words.joined(separator: " "))
  }

  /// Where it failed, told by words that libraries and systems use.
  static func operation(_ text: String) -> String {
    let sign = [
      "jwt", "signing", "sign ", "es256", "private key", "provider token", ".p8", "pkcs8", "pem",
    ]
    let connect = [
      "econnrefused", "connection refused", "enotfound", "eai_again", "getaddrinfo", "dns", "tls",
      "ssl", "handshake", "certificate", "no such host", "name resolution", "cannot connect",
      "ehostunreach", "enetunreach", "unreachable", "dial tcp", "failed to connect",
      "connect timeout", "connecttimeout", "could not resolve", "couldn't connect",
    ]
    if sign.contains(where: { text.contains($0) }) { return "sign" }
    return connect.contains(where: { text.contains($0) }) ? "connect" : "send"
  }

  func take(into draft: inout EventDraft) {
    draft.set("operation", text: operation)
    draft.set("domain", text: domain)
    draft.set("code", code)
    draft.set("message", text: message)
  }
}

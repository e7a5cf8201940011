internal import ActivityCore

/// One value of a record, and the names that lead to it.
struct RequestField: Sendable {
  /// Names from the outermost in; a pointer goes through strings that hold JSON.
  let path: [String]
  /// Its name in small letters and digits: `apnsid` for `apns-id`, `apnsId`, `APNS_ID`.
  let key: String
  let value: JSONSlice
  /// The text of a string.
  let text: String?
  /// Whether it stands in an answer, and whether among the headers or options of a request.
  let isInAnswer: Bool
  let isInHeaders: Bool
}

/// What a record of requests to APNs holds, found by searching it: the payload, the values that
/// stand around it, answers in lists, and requests in lists.
///
/// Objects are entered to a depth of six, and so are strings that hold JSON. Nothing is decided
/// here but where the payload is.
struct RequestFields: Sendable {
  /// The payload, and where it was found.
  struct Payload: Sendable {
    /// An object with `aps`.
    var value: JSONSlice
    var path: [String]
    /// The length of the text that was sent, where the record has that very text.
    var bytes: Int?
    /// Whether `path` leads to what `aps` holds, and not to the object around it.
    var isBare = false
  }

  static let depthMax = 6

  var payload: Payload?
  var fields: [RequestField] = []
  /// Texts of lists of tokens.
  var tokens: [String] = []
  /// One answer each, and whether its list says that it was sent.
  var results: [(value: JSONSlice, isSent: Bool)] = []
  /// Requests that stand in a list.
  var batch: [JSONSlice] = []
  /// Where something was understood that is no field: it is not kept again.
  var consumed: [[String]] = []
  /// Whether a text names `aps` and holds no payload that can be read.
  var isBroken = false

  /// What the names around the last field say: its siblings follow it.
  private var around: (path: ArraySlice<String>, isAnswer: Bool, isHeaders: Bool) = (
    [], false, false
  )

  init() {}

  /// Searches an object.
  init(_ root: JSONSlice) { enter(root, []) }

  /// `apns-id`, `apnsId` and `APNS_ID` are `apnsid`.
  static func key(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
    if isPlain { return name }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(name.utf8.count)
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        bytes.append(byte)
      default: continue
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let bareNames: Set<String> = [
    "payload", "body", "notification", "aps", "rawpayload", "apspayload", "apnspayload", "data",
    "message", "json", "content", "push",
  ]
  private static let bareMarks: Set<String> = [
    "content-state", "attributes-type", "stale-date", "dismissal-date", "timestamp",
  ]
  static let answerNames: Set<String> = [
    "response", "res", "resp", "answer", "result", "reply", "apnsresponse", "responseheaders",
    "apnsresult", "responsebody",
  ]
  static let headerNames: Set<String> = [
    "headers", "requestheaders", "options", "responseheaders", "apnsheaders", "header", "apns",
    "notification", "note", "pushnotification", "message", "request", "req",
  ]
  private static let tokenLists: Set<String> = [
    "devicetokens", "tokens", "devices", "pushtokens", "activitytokens", "recipients",
  ]

  /// Enters an object at a path; one that is a payload itself gives it, and its other members are
  /// looked at as if they stood beside it.
  mutating func enter(_ object: JSONSlice, _ path: [String]) {
    let members = object.members
    let aps = members.first { $0.name == "aps" && $0.value.type == .object }
    if let aps, payload == nil, path.isEmpty {
      let wrapped = Self.wrapped(aps.value)
      payload = wrapped.map { Payload(value: $0, path: ["aps"], isBare: true) }
    }
    for (name, value) in members where name != "aps" || aps == nil || !path.isEmpty {
      visit(name, value, path)
    }
  }

  mutating func visit(_ name: String, _ value: JSONSlice, _ outer: [String]) {
    let path = outer + [name]
    switch value.type {
    case .null: return
    case .object:
      if takePayload(value, name, path, bytes: nil) { return }
      guard path.count < Self.depthMax, !value.members.isEmpty else { return add(value, path) }
      enter(value, path)
    case .array: visitList(value, path)
    case .string:
      guard path.count < Self.depthMax, let text = value.string,
        text.utf8.contains(UInt8(ascii: "{"))
      else {
        return add(value, path)
      }
      if let inner = JSONSlice(Array(text.utf8)), inner.type == .object {
        if !takePayload(inner, name, path, bytes: text.utf8.count) { enter(inner, path) }
      } else if text.contains("\"aps\"") {
        consumed.append(path)
        RequestText(text).take(into: &self, path)
        if payload == nil { isBroken = true }
      } else {
        add(value, path)
      }
    case .number, .true, .false: add(value, path)
    }
  }

  private mutating func takePayload(
    _ value: JSONSlice, _ name: String, _ path: [String], bytes: Int?
  ) -> Bool {
    guard payload == nil else { return false }
    if APNsPayload.isPayload(value) {
      payload = Payload(value: value, path: path, bytes: bytes)
      return true
    }
    guard Self.bareNames.contains(Self.key(name)) else { return false }
    let members = value.members
    guard members.contains(where: { ["event", "events"].contains($0.name) }),
      members.contains(where: { Self.bareMarks.contains($0.name) }),
      let wrapped = Self.wrapped(value)
    else { return false }
    payload = Payload(value: wrapped, path: path, isBare: true)
    return true
  }

  /// A payload around what `aps` holds.
  private static func wrapped(_ aps: JSONSlice) -> JSONSlice? {
    JSONSlice(Array("{\"aps\":".utf8) + aps.text + Array("}".utf8))
  }

  private mutating func visitList(_ list: JSONSlice, _ path: [String]) {
    let key = Self.key(path.last ?? "")
    let elements = list.elements
    if Self.headerNames.contains(key), APNsHeaders.areFields(list) {
      for (name, value) in APNsHeaders.pairs(list) { add(value, path + [name]) }
      return consumed.append(path)
    }
    if key == "sent" || key == "failed" || key == "results" || key == "responses" {
      let answers = elements.filter { key == "sent" || key == "failed" || Self.isAnswer($0) }
      if !answers.isEmpty || key == "sent" || key == "failed" {
        results += answers.map { ($0, key == "sent") }
        return consumed.append(path)
      }
    }
    // A reason, and since when a token is gone.
    if Self.answerNames.contains(key), let word = elements.first?.string,
      RequestAnswer.statuses[word] != nil
    {
      for (name, value) in zip(["reason", "timestamp"], elements) { add(value, path + [name]) }
      return consumed.append(path)
    }
    if Self.tokenLists.contains(key), !elements.isEmpty,
      elements.allSatisfy({ $0.type == .string })
    {
      tokens += elements.compactMap(\.string)
      return consumed.append(path)
    }
    if elements.contains(where: { $0.type == .object && Self.mayHoldPayload($0) }) {
      batch += elements
      return consumed.append(path)
    }
    if elements.count == 1, let only = elements.first, only.type == .string {
      // Header values of Go and of proxies are lists of one.
      return add(only, path)
    }
    add(list, path)
  }

  private static func isAnswer(_ value: JSONSlice) -> Bool {
    let keys = Set(value.members.map { key($0.name) })
    return !keys.isDisjoint(with: ["token", "device", "devicetoken", "apnsid"])
      && !keys.isDisjoint(with: ["status", "statuscode", "reason", "error", "response"])
  }

  private static func mayHoldPayload(_ value: JSONSlice) -> Bool {
    var rest = value.text
    let mark = Array("aps".utf8)
    while let start = rest.firstIndex(of: mark[0]) {
      rest = rest[start...]
      if rest.starts(with: mark) { return RequestFields(value).payload != nil }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Takes what stands around a list for each of its elements; what they say themselves wins.
  mutating func inherit(_ outer: RequestFields) {
    fields += outer.fields
    consumed += outer.fields.map(\.path)
  }

  /// Adds a value; one more than a record can have is enough to refuse it.
  mutating func add(_ value: JSONSlice, _ path: [String]) {
    guard fields.count <= EventDraft.membersMax else { return }
    let outer = path.dropLast()
    if outer != around.path {
      let keys = outer.map(Self.key)
      around = (
        outer, keys.contains { Self.answerNames.contains($0) },
        keys.contains { Self.headerNames.contains($0) }
      )
    }
    fields.append(
      RequestField(
        path: path, key: Self.key(path.last ?? ""), value: value, text: value.string,
        isInAnswer: around.isAnswer, isInHeaders: around.isHeaders))
  }
}

extension APNsHeaders {
  /// Whether a list is one of names and values: `[["apns-id","…"]]`, `[{"name":…,"value":…}]`.
  static func areFields(_ list: JSONSlice) -> Bool { !pairs(list).isEmpty }

  static func pairs(_ list: JSONSlice) -> [(name: String, value: JSONSlice)] {
    list.elements.compactMap { pair in
      let parts = pair.elements
      if parts.count == 2, let name = parts[0].string { return (name, parts[1]) }
      guard let name = (pair["name"] ?? pair["key"])?.string, let value = pair["value"] else {
        return nil
      }
      return (name, value)
    }
  }
}

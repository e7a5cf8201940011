internal import ActivityCore

/// One call of a vendor's API as a server logs it: what was asked (a body, at a URL, at a time) and
/// what was answered, found under the usual names, in any case, with `_` or without, also inside
/// `request` and `response`, also as JSON in a string. A body logged alone is a call too.
///
/// HTTP headers and other carriers of credentials are dropped; of tokens only digests are left.
struct VendorCall: Sendable {
  /// URL, path, or the name of the SDK's function that was called; without its query.
  private(set) var url = ""
  private(set) var method = ""
  /// An object, or an array of bodies.
  private(set) var body: JSONSlice
  /// Whether the record is the body itself, with what is known of the call among its members.
  let isBare: Bool
  /// When it was made, as the record spells it.
  private(set) var time: JSONSlice?
  /// The HTTP status of the vendor's answer, which is not the answer of APNs.
  private(set) var status: Int64?
  /// The vendor's answer, where it is JSON.
  private(set) var answer: JSONSlice?
  /// What the client said when no answer came.
  private(set) var error: String?
  private(set) var recorder: String?
  /// Members of the record that are no part of a call.
  private(set) var beside: [(name: String, value: JSONSlice)] = []
  /// Members of a bare body that say something of the call.
  private(set) var taken: Set<String> = []

  private var candidates: [(name: String, value: JSONSlice)] = []
  private var host: String?

  /// Finds a call in a record.
  ///
  /// - Parameters:
  ///   - isBody: whether an object is what this vendor is sent.
  ///   - isURL: whether a URL or path is this vendor's.
  /// - Returns: nil when neither a body nor a URL is the vendor's.
  init?(
    _ record: SourceRecord, isBody: (JSONSlice) -> Bool, isURL: (String) -> Bool
  ) {
    guard let json = VendorToken.digested(record).json, !Self.isOurs(json) else {
      return nil
    }
    isBare = isBody(json)
    guard isBare || NativeLines.likeness(of: record) < 5 else { return nil }
    body = json
    scan(json.members)
    if let host {
      // The vendor's host completes a path; any other is the machine that called.
      let base = host.contains("://") ? host : "https://\(host)"
      if isURL("\(base)/"), url.first == "/" {
        url = base + url
      } else if !host.contains("://") {
        recorder = recorder ?? host
      }
    }
    guard !isBare else { return }
    let found = candidates.firstIndex { candidate in
      isBody(candidate.value) || candidate.value.elements.contains(where: isBody)
    }
    guard found != nil || isURL(url) else { return nil }
    if let place = found ?? candidates.indices.first {
      body = candidates.remove(at: place).value
    } else {
      body = JSONSlice(Array("{}".utf8)) ?? json
    }
    beside.append(contentsOf: candidates)
    candidates = []
  }

  /// Whether it is a line of our own, perhaps one that came from such a call.
  private static func isOurs(_ json: JSONSlice) -> Bool {
    guard json["event"]?.type == .string else { return false }
    return ["recorder", "seq", "recorded-at", "content-state"].contains { json[$0] != nil }
  }

  /// What a member is in a logged call.
  private enum Role {
    case time, url, host, method, status, body, request, response, answer, error, recorder, secret
  }

  private static let roles: [String: Role] = {
    let names: [(Role, String)] = [
      (.time, "time timestamp ts at @timestamp date datetime createdat sentat requestedat"),
      (.time, "loggedat eventtime starttime startedat timefired"),
      (.url, "url uri path endpoint requesturl requesturi requestpath route call operation"),
      (.url, "function rpc api"),
      (.host, "host baseurl"),
      (.method, "method verb httpmethod requestmethod"),
      (.status, "status statuscode httpstatus httpstatuscode responsestatus responsestatuscode"),
      (.status, "responsecode"),
      (.body, "body requestbody json payload data params input arguments args requestpayload"),
      (.body, "message servicedata notification"),
      (.request, "request req httprequest config"),
      (.response, "response res reply result httpresponse"),
      (.answer, "responsebody responsedata responsejson answer"),
      (.error, "error err exception errormessage"),
      (.recorder, "hostname pod server instance"),
      (.secret, "headers requestheaders responseheaders authorization auth apikey accesstoken"),
      (.secret, "restapikey authtoken webhookid cookie cookies"),
    ]
    var roles: [String: Role] = [:]
    for (role, list) in names {
      for name in list.split(separator: " ") { roles[String(name)] = role }
    }
    return roles
  }()

  private static func role(_ name: String) -> Role? {
    roles[name.lowercased().filter { $0 != "_" && $0 != "-" }]
  }

  private mutating func scan(_ members: [(name: String, value: JSONSlice)]) {
    for (name, value) in members {
      let role = Self.role(name)
      if isBare, role == .body || role == .request { continue }
      if take(role, name, value) {
        taken.insert(name)
      } else if !isBare {
        beside.append((name, value))
      }
    }
  }

  /// Takes a member in its role; false when its value does not fit it.
  private mutating func take(_ role: Role?, _ name: String, _ value: JSONSlice) -> Bool {
    switch role {
    case .time where time == nil: time = value
    case .url where url.isEmpty:
      guard let text = value.string else { return false }
      url = String(text.prefix { $0 != "?" })
    case .method: method = value.string ?? ""
    case .status where status == nil:
      status = Int64(value.string ?? value.spelling)
      return status != nil
    case .body:
      guard let body = Self.document(value) else { return false }
      candidates.append((name, body))
    case .request: takeRequest(name, value)
    case .response: return takeResponse(value)
    case .answer where answer == nil:
      answer = Self.document(value)
      return answer != nil
    case .error where error == nil && value.type != .null: takeError(value)
    case .recorder where recorder == nil: recorder = value.string
    case .host where host == nil && value.string != nil: host = value.string
    case .secret: break
    case .time, .url, .host, .status, .answer, .error, .recorder, nil: return false
    }
    return true
  }

  /// `{"url":…, "body":…}`, or the body itself.
  private mutating func takeRequest(_ name: String, _ value: JSONSlice) {
    guard let request = Self.document(value) else { return }
    let roles = request.members.map { Self.role($0.name) }
    guard roles.contains(.url) || roles.contains(.method) || request["body"] != nil else {
      return candidates.append((name, request))
    }
    for (name, value) in request.members where !take(Self.role(name), name, value) {
      beside.append((name, value))
    }
  }

  /// What a client threw: its words, the vendor's answer, or the error the vendor answered with.
  private mutating func takeError(_ value: JSONSlice) {
    let code = value["code"]?.string
    let words = value.string ?? value["message"]?.string ?? code ?? value.spelling
    if let response = value["response"], takeResponse(response) {
      error = words
      return
    }
    let isAnswer = ["code", "statusCode", "status"].contains { value[$0]?.type == .number }
    if isAnswer, answer == nil {
      answer = JSONSlice(VendorObject.bytes([("error", Array(value.text))]))
    } else {
      error = code.map { words.contains($0) ? words : "\($0): \(words)" } ?? words
    }
  }

  /// `{"status":…, "body":…}`, or the answer itself, or a status alone.
  private mutating func takeResponse(_ value: JSONSlice) -> Bool {
    if let code = Int64(value.string ?? value.spelling) {
      status = status ?? code
      return true
    }
    guard let response = Self.document(value) else { return false }
    var inner: JSONSlice?
    for (name, value) in response.members {
      switch Self.role(name) {
      case .status: status = status ?? Int64(value.string ?? value.spelling)
      case .body, .answer: inner = inner ?? Self.document(value)
      default: break
      }
    }
    answer = answer ?? inner ?? Self.withoutSecrets(response)
    return true
  }

  /// An answer logged together with its headers.
  private static func withoutSecrets(_ answer: JSONSlice) -> JSONSlice {
    let kept = answer.members.filter { role($0.name) != .secret }
    guard answer.type == .object, kept.count < answer.members.count else { return answer }
    return JSONSlice(VendorObject.bytes(kept.map { ($0.name, Array($0.value.text)) })) ?? answer
  }

  /// An object or an array, also as JSON in a string.
  static func document(_ value: JSONSlice) -> JSONSlice? {
    switch value.type {
    case .object, .array: return value
    case .string:
      guard let text = value.string, let mark = text.trimmedBlanks.first, "{[".contains(mark)
      else { return nil }
      return JSONSlice(Array(text.utf8))
    case .number, .true, .false, .null: return nil
    }
  }

  /// A member of the body, or else of the record beside it.
  subscript(name: String) -> JSONSlice? {
    body[name] ?? beside.first { $0.name == name }?.value
  }

  /// The part of the URL's path behind a word, when there is one: of `…/live_activities/a1/end`
  /// behind `live_activities` it is `a1`.
  func part(after word: String) -> String? {
    let parts = url.split(separator: "/")
    guard let place = parts.lastIndex(where: { $0 == word }), place + 1 < parts.count else {
      return nil
    }
    return String(parts[place + 1])
  }

  /// The last part of the URL's path, or of a function's name: `start` of
  /// `push.admin.liveActivity.start`.
  var lastPart: String {
    url.split { $0 == "/" || $0 == "." }.last.map(String.init) ?? ""
  }
}

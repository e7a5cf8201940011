internal import ActivityCore

/// What the values around a payload mean, whatever a library or a logger calls them.
struct RequestFacts: Sendable {
  let fields: [RequestField]
  /// By number in `fields`: what was understood, and is not kept again.
  private(set) var isUsed: [Bool]
  /// Where the last value taken stands.
  private(set) var last: [String] = []

  /// The first number in `fields` by key, and by number the next of the same key.
  private var firsts: [String: Int] = [:]
  private var nexts: [Int?]
  /// A bit for each key: most names that are asked for are told absent by it.
  private var marks: UInt64 = 0

  init(_ fields: [RequestField]) {
    self.fields = fields
    isUsed = Array(repeating: false, count: fields.count)
    nexts = Array(repeating: nil, count: fields.count)
    firsts.reserveCapacity(fields.count)
    for index in fields.indices.reversed() {
      let key = fields[index].key
      nexts[index] = firsts.updateValue(index, forKey: key)
      marks |= Self.mark(key)
    }
  }

  private static func mark(_ key: String) -> UInt64 {
    1 << UInt64((key.utf8.count &* 7 &+ Int(key.utf8.first ?? 0)) & 63)
  }

  /// The first number of a key.
  private func first(_ key: String) -> Int? {
    marks & Self.mark(key) == 0 ? nil : firsts[key]
  }

  private func indices(of key: String) -> [Int] {
    Array(
      sequence(state: first(key)) { next in
        defer { next = next.flatMap { nexts[$0] } }
        return next
      })
  }

  /// The first value under one of these names, in the order of the names, that fits.
  mutating func take(
    _ keys: [String], where fits: (RequestField) -> Bool = { _ in true }
  ) -> JSONSlice? {
    takeField(keys, where: fits)?.value
  }

  mutating func takeField(
    _ keys: [String], where fits: (RequestField) -> Bool = { _ in true }
  ) -> RequestField? {
    guard let index = index(of: keys, where: fits) else { return nil }
    isUsed[index] = true
    last = fields[index].path
    return fields[index]
  }

  private func index(of keys: [String], where fits: (RequestField) -> Bool) -> Int? {
    for key in keys {
      var next = first(key)
      while let index = next {
        if !isUsed[index], fits(fields[index]) { return index }
        next = nexts[index]
      }
    }
    return nil
  }

  /// Looks without taking.
  func find(_ keys: [String], where fits: (RequestField) -> Bool = { _ in true }) -> RequestField? {
    index(of: keys, where: fits).map { fields[$0] }
  }

  /// What must never be kept: it is as good as the key itself.
  private static let secrets = SecretScrub.secrets.union(["cert", "teamid", "keyid"])
  /// What every request to APNs has, and tells nothing.
  private static let noise: Set<String> = [
    "method", "scheme", "protocol", "httpversion", "accept", "acceptencoding", "contenttype",
  ]

  private static let dropped = secrets.union(noise)

  mutating func dropSecrets() {
    for (index, field) in fields.enumerated() {
      let isKey = field.key == "key" && field.path.count > 1
      if Self.dropped.contains(field.key) || isKey
        || field.text?.utf8.starts(with: "eyJ".utf8) == true
      {
        isUsed[index] = true
      }
    }
  }

  // MARK: Whom it is for

  private static let tokenKeys = [
    "liveactivitytoken", "activitypushtoken", "activitytoken", "pushtostarttoken", "starttoken",
    "updatetoken", "pushtoken", "devicetoken", "apnsdevicetoken", "apnstoken", "token",
  ]
  private static let loosely = ["device", "recipient", "to", "target", "destination"]

  /// The token it is for: what looks like one, beside the payload, and as far out as can be.
  ///
  /// - Parameter payload: where the payload stands.
  mutating func token(besidePayload payload: [String]?) -> String? {
    let besides = payload?.dropLast()
    var best: (rank: [Int], index: Int)?
    for (order, key) in Self.tokenKeys.enumerated() {
      for index in indices(of: key) where !isUsed[index] && !fields[index].isInAnswer {
        let field = fields[index]
        guard let text = field.text, TokenText.isToken(text) else { continue }
        let isBeside = besides.map { $0.elementsEqual(field.path.dropLast()) } ?? false
        let looks = TokenText.looksLikeToken(text)
        let rank = [looks ? 0 : 1, isBeside ? 0 : 1, field.path.count, order]
        if best.map({ rank.lexicographicallyPrecedes($0.rank) }) ?? true { best = (rank, index) }
      }
    }
    if let best {
      isUsed[best.index] = true
      last = fields[best.index].path
      return fields[best.index].text
    }
    let looks = { (field: RequestField) in
      field.text.map { TokenText.looksLikeToken($0) } == true
    }
    return take(Self.loosely, where: looks)?.string
  }

  /// A text without the token of a path of APNs in it.
  static func redacted(_ text: String) -> String {
    guard case .device(let token) = APNsHeaders.target(text) else { return text }
    return text.replacing(token, with: TokenDigest.digest(of: token))
  }

  /// Values that repeat what was taken are not kept.
  mutating func drop(repeating texts: [String]) {
    for (index, field) in fields.enumerated() {
      if let text = field.text, texts.contains(text) { isUsed[index] = true }
    }
  }

  private static let pathKeys = [
    "path", "url", "uri", "requestpath", "requesturl", "endpoint", "target", "route",
  ]

  /// What the paths of the record name, and the host they go to; a path with a token is not kept.
  mutating func target() -> (target: APNsHeaders.Target?, url: String?) {
    let names = { (field: RequestField) in
      field.text.map { Self.mayNameTarget($0) && APNsHeaders.target($0) != nil } == true
    }
    if let url = take(Self.pathKeys, where: names)?.string { return (APNsHeaders.target(url), url) }
    for field in fields where names(field) {
      let words = (field.text ?? "").split(separator: " ").map(String.init)
      let word = words.first { APNsHeaders.target($0) != nil }
      return (word.flatMap { APNsHeaders.target($0) }, word)
    }
    return (nil, nil)
  }

  /// Whether a text has `/3/` or `/4/` in it, as the paths of APNs do.
  private static func mayNameTarget(_ text: String) -> Bool {
    var before: (UInt8, UInt8) = (0, 0)
    let slash = UInt8(ascii: "/")
    for byte in text.utf8 {
      if byte == slash, before.0 == slash, before.1 == 0x33 || before.1 == 0x34 { return true }
      before = (before.1, byte)
    }
    return false
  }

  /// Whether it names the URL of another host than APNs' that is no stand-in for it.
  var isForOtherHost: Bool {
    fields.contains { field in
      guard Self.pathKeys.contains(field.key), let text = field.text else { return false }
      return text.utf8.starts(with: "http".utf8) && text.holds("://")
        && !text.holds("push.apple.com") && APNsHeaders.target(text) == nil
    }
  }

  /// Whether it tells of a request to somebody else than APNs.
  var isForOthers: Bool {
    fields.contains { field in
      guard Self.pathKeys.contains(field.key), let text = field.text else { return false }
      return (text.utf8.first == UInt8(ascii: "/") || text.holds("://"))
        && !text.holds("push.apple.com")
        && APNsHeaders.target(text) == nil
    }
  }

  /// The channel it is for; names that others use as well count only where it is certain.
  mutating func channel(isBroadcast: Bool, isAPNs: Bool) -> String? {
    let names =
      ["apnschannelid"] + (isBroadcast || isAPNs ? ["channelid"] : [])
      + (isBroadcast ? ["channel"] : [])
    return take(names, where: { $0.value.type == .string })?.string
  }

  mutating func host() -> String? {
    let isAPNs = { (field: RequestField) in
      field.text?.holds("push.apple.com") == true
    }
    let names = [
      "host", "authority", "apnshost", "hostname", "server", "endpoint", "baseurl", "url",
      "address",
      "origin", "gateway", "uri",
    ]
    return take(names, where: isAPNs)?.string
  }

  /// Who wrote the record.
  mutating func recorder() -> String? {
    take(
      ["hostname", "host", "pod", "podname", "instance", "instanceid", "containername"],
      where: { $0.text.map { !$0.isEmpty && !$0.holds("apple.com") } == true })?.string
  }

  private static let environments = [
    "production": "production", "prod": "production", "sandbox": "sandbox",
    "development": "sandbox", "dev": "sandbox",
  ]

  mutating func environment() -> String? {
    let names = ["environment", "apnsenvironment", "apnsenv", "env", "gateway", "mode"]
    let known = { (field: RequestField) in
      Self.environments[field.text?.lowercased() ?? ""] != nil
    }
    if let word = take(names, where: known)?.string { return Self.environments[word.lowercased()] }
    let isFlag = { (field: RequestField) in
      field.value.type == .true || field.value.type == .false
    }
    if let flag = take(["production", "isproduction"], where: isFlag) {
      return flag.type == .true ? "production" : "sandbox"
    }
    let flag = take(["sandbox", "usesandbox", "issandbox", "development"], where: isFlag)
    return flag.map { $0.type == .true ? "sandbox" : "production" }
  }

  // MARK: When

  private static let requestTimes = ["sentat", "requestedat", "sendtime", "requesttime"]
  private static let answerTimes = [
    "receivedat", "respondedat", "answeredat", "responsetime", "finishedat", "completedat",
  ]
  private static let lineTimes = ["time", "timestamp", "ts", "datetime", "asctime", "loggedat"]
  private static let looseTimes = ["date", "eventtime", "occurredat", "createdat", "t"]

  /// The names of times in the order in which they are looked for; those of a line count alike.
  private static func order(_ own: [String], _ others: [String]) -> [[String]] {
    own.map { [$0] } + [lineTimes] + (looseTimes + others).map { [$0] }
  }
  private static let orderOfRequest = order(requestTimes, answerTimes)
  private static let orderOfAnswer = order(answerTimes, requestTimes)

  /// The earliest instant a record of our days can have.
  private static let floor = Timestamp(microseconds: 946_684_800_000_000)

  /// When it was written, sent or answered; and a text that would be that time, had it a zone.
  mutating func at(_ time: SourceTime, ofAnswer: Bool) -> (at: Timestamp?, zoneless: String?) {
    var zoneless: String?
    for keys in ofAnswer ? Self.orderOfAnswer : Self.orderOfRequest {
      let indices = keys.flatMap { self.indices(of: $0) }.sorted()
      for index in indices where !isUsed[index] {
        // The `timestamp` of an answer tells since when a token is gone.
        if fields[index].key == "timestamp" || fields[index].key == "date",
          fields[index].isInAnswer || isBesideReason(fields[index])
        {
          continue
        }
        if let at = time.instant(fields[index].value), at >= Self.floor {
          isUsed[index] = true
          last = fields[index].path
          return (at, nil)
        }
        if let text = fields[index].text, time.lacksZone(text) { zoneless = text }
      }
    }
    return (nil, zoneless)
  }

  /// Whether it stands with a reason in an object inside the record.
  func isBesideReason(_ field: RequestField) -> Bool {
    field.path.count > 1
      && fields.contains {
        $0.key == "reason" && $0.path.dropLast().elementsEqual(field.path.dropLast())
      }
  }
}

internal import ActivityCore

/// What the log says somewhere of a word, by the word's code: told beforehand, so that a row with
/// the word shows what its life is to be looked at for.
struct WordFlags: Sendable {
  /// Each is about words of one role: a device, a key, a token, an id, a recorder or a reason.
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt16
    /// A handle of a decode failure.
    static var stray: Flags { Flags(rawValue: 1) }
    /// A reason that speaks of topic or push type.
    static var topicReason: Flags { Flags(rawValue: 2) }
    /// A token that addresses no card, and takes starts.
    static var startToken: Flags { Flags(rawValue: 4) }
    /// A token that addresses no card, and takes no starts.
    static var otherToken: Flags { Flags(rawValue: 8) }
    /// A token of which rows say different things.
    static var unclearToken: Flags { Flags(rawValue: 16) }
    /// The key or device of a request that failed.
    static var failedRequest: Flags { Flags(rawValue: 32) }
    /// An id whose updates the system refused.
    static var refusedUpdates: Flags { Flags(rawValue: 64) }
    /// A device that said what it does not allow.
    static var restrictedDevice: Flags { Flags(rawValue: 128) }
    /// An id of several activities.
    static var sharedID: Flags { Flags(rawValue: 256) }
    /// A device of several activities.
    static var sharedDevice: Flags { Flags(rawValue: 512) }
    /// A device of any activity, an id of any.
    static var knownDevice: Flags { Flags(rawValue: 1024) }
    static var knownID: Flags { Flags(rawValue: 2048) }
  }

  private var flags: [Flags]
  /// The pushes that decode failures name.
  private(set) var strayPushes: Set<PushID> = []

  init(_ resolution: Resolution, _ survey: Survey, _ contents: Contents) {
    flags = [Flags](repeating: [], count: resolution.set.texts.count)
    noteNames(resolution)
    let reasons = WrongTopicOrPushType.reasons
    for reason in reasons {
      if let code = resolution.set.texts.code(of: reason.utf8) { flags[code].insert(.topicReason) }
    }
    noteTokens(resolution.set, survey)
    noteFailures(resolution.set, survey)
    for index in survey.rows(of: .authorization) {
      let row = resolution.set.rows[Int(index)]
      let marks = contents[row.seq]?.marks ?? []
      if row.marks.contains(.speaksForAll) || marks.contains(.infrequent) {
        insert(.restrictedDevice, resolution.set.scopes[row.scope].device)
      }
    }
  }

  @inline(__always)
  subscript(code: Int32) -> Flags { code < 0 ? [] : flags[Int(code)] }

  private mutating func insert(_ flag: Flags, _ code: Int32) {
    if code >= 0 { flags[Int(code)].insert(flag) }
  }

  private mutating func noteNames(_ resolution: Resolution) {
    for (activity, name) in resolution.names.enumerated() {
      if case .activity(let id) = name {
        insert(self[id].contains(.knownID) ? .sharedID : .knownID, id)
      }
      let device = resolution.activityScopes[activity].device
      insert(self[device].contains(.knownDevice) ? .sharedDevice : .knownDevice, device)
    }
  }

  /// As token-kind-mismatch tells tokens apart.
  private mutating func noteTokens(_ set: RowSet, _ survey: Survey) {
    let start = set.texts.code(of: "start".utf8).map { Int32($0) } ?? -2
    let any: Flags = [.startToken, .otherToken, .unclearToken]
    var known: [Int32: Int32] = [:]
    for index in survey.rows(of: .token) {
      let row = set.rows[Int(index)]
      guard row.marks.contains(.otherToken), row.token >= 0 else { continue }
      if let word = known[row.token], word != row.word {
        insert(.unclearToken, row.token)
      } else {
        known[row.token] = row.word
        insert(row.word == start ? .startToken : .otherToken, row.token)
      }
    }
    guard !known.isEmpty else { return }
    for index in survey.rows(of: .token) {
      let row = set.rows[Int(index)]
      if !row.marks.contains(.otherToken), !self[row.token].isDisjoint(with: any) {
        insert(.unclearToken, row.token)
      }
    }
  }

  private mutating func noteFailures(_ set: RowSet, _ survey: Survey) {
    let words = ["decode", "update", "request"].map { word in
      set.texts.code(of: word.utf8).map { Int32($0) } ?? -2
    }
    for index in survey.rows(of: .failure) {
      let row = set.rows[Int(index)]
      if row.word == words[0] {
        if row.push != .none { strayPushes.insert(row.push) }
        let handle = [row.activity, row.token, row.key].first { $0 >= 0 }
        if row.push == .none, let handle { insert(.stray, handle) }
      } else if row.word == words[1] {
        insert(.refusedUpdates, row.activity)
      } else if row.word == words[2] {
        insert(.failedRequest, row.key)
        insert(.failedRequest, set.scopes[row.scope].device)
      }
    }
  }
}

/// What rules ask of the headers of a push, by their index in the row set.
struct HeaderFlags: Sendable {
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt8
    /// A push type or topic that may be no Live Activity's.
    static var strange: Flags { Flags(rawValue: 1) }
    /// APNs tries it once.
    static var once: Flags { Flags(rawValue: 2) }
    /// A priority is stated.
    static var stated: Flags { Flags(rawValue: 4) }
    /// The stated priority is 10 or more.
    static var loud: Flags { Flags(rawValue: 8) }
    /// Its priority is 10, stated or not.
    static var urgent: Flags { Flags(rawValue: 16) }
  }

  private let flags: [Flags]

  init(_ set: RowSet) {
    flags = set.headers.values.enumerated().map { index, headers in
      guard index > 0 else { return [] }
      var flags: Flags = []
      let type = set.text(headers.pushType)
      let topic = set.text(headers.topic)
      if let type, type != "liveactivity" { flags.insert(.strange) }
      if let topic, !topic.hasSuffix(WrongTopicOrPushType.topicSuffix) { flags.insert(.strange) }
      if headers.expiration == .once { flags.insert(.once) }
      if headers.priority >= 0 { flags.insert(.stated) }
      if headers.priority >= 10 { flags.insert(.loud) }
      if headers.priority < 0 || headers.priority >= 10 { flags.insert(.urgent) }
      return flags
    }
  }

  @inline(__always)
  subscript(index: Int32) -> Flags { flags[Int(index)] }
}

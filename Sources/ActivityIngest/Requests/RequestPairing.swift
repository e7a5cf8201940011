internal import ActivityCore

/// Which request an answer on a record of its own belongs to.
enum RequestPairing: Equatable {
  /// The act with this `apns-id`.
  case id(String)
  /// The one act with the request id of the answer, by the act's `join:`.
  case request(String)
  /// An act that was not seen: only the request id is known.
  case unseen(String)
  /// The latest act with the token, or with what else the record names.
  case handle
  /// A push that is none of ours, or several of one request id: nobody can tell which.
  case ordinary
}

extension RequestReading {
  /// What pairs an act with an answer that has only its request id: two pushes under one request
  /// id are two acts, the tries of one push are one.
  func joined(_ id: String, _ word: String, token: String?) -> String {
    Self.join(id, mark(word, token: token))
  }

  private func mark(_ word: String, token: String?) -> UInt32 {
    let sent = found.payload?.value["aps"]?["timestamp"]?.spelling ?? ""
    let handle = token.map { TokenDigest.digest(of: $0) } ?? parts.channel ?? ""
    return RequestMemory.mark(of: "\(handle)\n\(word)\n\(sent)")
  }

  private static func join(_ id: String, _ mark: UInt32) -> String {
    let digits = String(mark, radix: 16)
    return "join:\(id):" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Pairs one answer: by its `apns-id` where a request had it, else by what it names, else by the
  /// other id of the record.
  func pairing(id: String?, token: String?, _ memory: RequestMemory) -> RequestPairing {
    if let id {
      let pushes = memory.pushes(of: .push(id))
      if pushes.contains(.acts) { return .id(id) }
      if pushes == .ordinary { return .ordinary }
    }
    let request = parts.joinID.map { RequestMemory.Name.request($0) }
    let pushes = request.map { memory.pushes(of: $0) } ?? []
    // A trace may go on to pushes that are not logged, or were logged before the source was
    // resumed.
    if token == nil || !parts.isTrace, pushes == .ordinary { return .ordinary }
    if token != nil || parts.channel != nil { return .handle }
    if let request, let id = parts.joinID {
      if pushes.contains(.severalActs) || pushes == [.acts, .ordinary] { return .ordinary }
      if let mark = memory.mark(of: request) { return .request(Self.join(id, mark)) }
      return .unseen("join:\(id)")
    }
    return id.map { .id($0) } ?? .handle
  }

  /// Remembers what the record says of ids. A push that is refused counts as an act: its answer is
  /// no other act's.
  func remember(_ content: Content, in memory: inout RequestMemory) {
    switch content {
    case .act(let payload): rememberAct(payload.event, in: &memory)
    case .hook(let word): rememberAct(word, in: &memory)
    case .noEvent, .broken, .noPayload: rememberAct("", in: &memory)
    case .ordinary:
      if let id = parts.apnsID { memory.remember(.push(id), as: .ordinary) }
      if let id = parts.joinID { memory.remember(.request(id), as: .ordinary) }
    case .batch, .results, .answer, .channels, .nothing: break
    }
  }

  private func rememberAct(_ word: String, in memory: inout RequestMemory) {
    // One of several to different tokens has no id.
    let isAlone = parts.tokens.count < 2 && found.results.count < 2
    if isAlone, let id = parts.apnsID { memory.remember(.push(id), as: .acts) }
    guard let id = parts.joinID else { return }
    let pushes: RequestMemory.Pushes = isAlone ? .acts : [.acts, .severalActs]
    memory.remember(.request(id), as: pushes, mark: mark(word, token: parts.tokens.first))
  }
}

extension EventDraft {
  /// Sets what pairs an answer, and which of the events it is that the record could have given.
  ///
  /// - Parameters:
  ///   - own: the `apns-id` of the answer, kept in `raw` where it is not what pairs.
  ///   - token: its token, where it is paired by handle.
  mutating func pair(_ pairing: RequestPairing, own: String?, token: String?) {
    switch pairing {
    case .id(let id): set("apns-id", text: id)
    case .request(let id):
      set("apns-id", text: id)
      if own != nil { form = "by request" }
    case .unseen(let id):
      set("apns-id", text: id)
      form = "by request that was not seen"
    case .handle:
      set("token", text: token)
      if own != nil { form = "by handle" }
    case .ordinary: break
    }
  }
}

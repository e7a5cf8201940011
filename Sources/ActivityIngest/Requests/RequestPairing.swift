internal import ActivityCore

/// Which request an answer on a record of its own belongs to.
enum RequestPairing: Equatable {
  /// The act with this `apns-id`, which may be a `join:`.
  case id(String)
  /// The latest act with the token, or with what else the record names.
  case handle
  /// A push that is none of ours.
  case ordinary
}

extension RequestReading {
  /// Pairs one answer: by its `apns-id` where a request had it, else by what it names, else by the
  /// other id of the record.
  func pairing(id: String?, token: String?, _ memory: RequestMemory) -> RequestPairing {
    if let id {
      let pushes = memory.pushes(of: .push(id))
      if pushes.contains(.acts) { return .id(id) }
      if pushes == .ordinary { return .ordinary }
    }
    // A trace may go on to pushes that are not logged, or were logged before the source was
    // resumed.
    if let request = parts.joinID, token == nil || !parts.isTrace,
      memory.pushes(of: .request(request)) == .ordinary
    {
      return .ordinary
    }
    if token != nil || parts.channel != nil { return .handle }
    if let request = parts.joinID { return .id("join:\(request)") }
    return id.map { .id($0) } ?? .handle
  }

  /// Remembers what the record says of ids. A push that is refused counts as an act: its answer is
  /// no other act's.
  func remember(_ content: Content, in memory: inout RequestMemory) {
    switch content {
    case .act, .hook, .noEvent, .broken, .noPayload:
      // One of several to different tokens has no id.
      let isAlone = parts.tokens.count < 2 && found.results.count < 2
      if isAlone, let id = parts.apnsID { memory.remember(.push(id), as: .acts) }
      if let id = parts.joinID { memory.remember(.request(id), as: .acts) }
    case .ordinary:
      if let id = parts.apnsID { memory.remember(.push(id), as: .ordinary) }
      if let id = parts.joinID { memory.remember(.request(id), as: .ordinary) }
    case .batch, .results, .answer, .channels, .nothing: break
    }
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
    case .id(let id):
      set("apns-id", text: id)
      if let own, id != own { form = "by request" }
    case .handle:
      set("token", text: token)
      if own != nil { form = "by handle" }
    case .ordinary: break
    }
  }
}

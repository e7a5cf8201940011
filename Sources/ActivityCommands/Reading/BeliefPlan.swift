internal import ActivityCore

/// The fewest pushes after which every card that can be reached is what its sender believes: at
/// most one a card, and none for a card that is right.
struct BeliefPlan {
  /// What a sender believes that a card shows.
  struct Belief {
    var isOver: Bool
    var contentSeq: Int64?
    var staleDate: Timestamp?
  }

  /// Why a card that is wrong stays so.
  enum Obstacle: CaseIterable {
    /// No update token is known, or APNs answered 410 to the newest.
    case withoutToken, tokenGone
    /// The push would be too big.
    case tooBig
    /// What the sender believes was lost to damage.
    case damaged
  }

  private(set) var pushes: [PushLine] = []
  /// By card: what its sender believed at Now.
  private(set) var beliefs: [String: Belief] = [:]
  /// Cards running on a screen that are not what their sender believes.
  private(set) var wrong = 0
  private(set) var obstacles: [Obstacle: Int] = [:]
  /// Cards that are wrong and still on the screen, but which the system ended after 8 hours.
  private(set) var pastLimit = 0
  /// Cards that were ended otherwise and linger with another content; they take no push either.
  private(set) var over = 0
  /// For every push: what ties its row to its card.
  private(set) var scopes: [Scope] = []

  /// What a row of the push says beside the push itself.
  struct Scope {
    var card: String
    var bundle: String?
    var contentSeq: Int64?
  }

  let now: Timestamp
  private let contents: [Int64: PushContent]

  /// - Parameter contents: of every row whose content `contentSeqs` names.
  init(
    _ pairs: [ViewPair], of resolution: Resolution, now: Timestamp,
    contents: [Int64: PushContent]
  ) {
    self.now = now
    self.contents = contents
    for pair in pairs {
      if resolution.names[pair.activity].isChannel { continue }
      take(pair, resolution)
    }
  }

  /// The rows whose content tells whether cards are right.
  static func contentSeqs(_ pairs: [ViewPair]) -> [Int64] {
    pairs.flatMap { pair -> [Int64] in
      guard let shown = pair.deviceState, shown.isVisible, let believed = pair.sentState,
        believed.phase.isOver || shown.staleDate != believed.staleDate
          || shown.contentSeq != believed.contentSeq
      else { return [] }
      return [believed.contentSeq, shown.contentSeq].compactMap(\.self)
    }
  }

  private mutating func take(_ pair: ViewPair, _ resolution: Resolution) {
    guard let device = pair.device, let shown = pair.deviceState, shown.isVisible,
      let sent = pair.sent, let believed = pair.sentState
    else { return }
    let belief = Belief(
      isOver: sent.phase.isOver, contentSeq: believed.contentSeq, staleDate: believed.staleDate)
    guard device.phase.isLive else {
      let isEarlier = sent.phase.isOver && sent.endCause != .clock
      let isOther = differs(shown.contentSeq, belief.contentSeq, contents)
      if device.endCause == .clock {
        if isEarlier || isOther { pastLimit += 1 }
      } else if isOther {
        over += 1
      }
      return
    }
    beliefs[pair.card] = belief
    guard isWrong(shown, belief, contents) else { return }
    wrong += 1
    switch push(pair, device, sent, believed, resolution) {
    case .success(let line):
      pushes.append(line)
      scopes.append(
        Scope(card: pair.card, bundle: shown.bundleID, contentSeq: belief.contentSeq))
    case .failure(let blocked): obstacles[blocked.by, default: 0] += 1
    }
  }

  private struct Blocked: Error { let by: Obstacle }

  private func push(
    _ pair: ViewPair, _ device: Life, _ sent: Life, _ believed: ActivityState,
    _ resolution: Resolution
  ) -> Result<PushLine, Blocked> {
    guard let newest = resolution.newestToken(of: pair.activity),
      let token = resolution.set.text(newest.token)
    else { return .failure(Blocked(by: .withoutToken)) }
    if newest.isGone { return .failure(Blocked(by: .tokenGone)) }
    let content = believed.contentSeq.flatMap { contents[$0] }
    if believed.contentSeq != nil, content?.isDamaged ?? true {
      return .failure(Blocked(by: .damaged))
    }
    var line = PushLine(
      schema: .push, event: sent.phase.isOver ? .end : .update,
      activityID: believed.activityID, name: believed.name, key: pair.deviceState?.key,
      device: pair.deviceState?.device, environment: pair.deviceState?.environment, token: token,
      topic: content?.topic ?? PushLine.topic(ofBundle: pair.deviceState?.bundleID),
      timestamp: max(now.wholeSeconds, device.mark),
      expiration: Timestamp(microseconds: device.limit).wholeSeconds,
      content: content?.contentState)
    if sent.phase.isOver {
      line.dismissalDate = max(
        now.wholeSeconds, Timestamp(microseconds: sent.dismissAt).wholeSeconds)
    } else {
      line.relevance = content?.relevance
      line.staleDate = believed.staleDate
    }
    return line.fits(resolution.set.limits) ? .success(line) : .failure(Blocked(by: .tooBig))
  }

  /// Whether a running card is not what its sender believes. A sender that never sent a content
  /// believes nothing of it.
  private func isWrong(
    _ shown: ActivityState, _ belief: Belief, _ contents: [Int64: PushContent]
  ) -> Bool {
    if belief.isOver { return true }
    guard belief.contentSeq != nil else { return false }
    return shown.staleDate != belief.staleDate
      || differs(shown.contentSeq, belief.contentSeq, contents)
  }

  /// A content that was lost is never taken for equal.
  private func differs(
    _ shown: Int64?, _ believed: Int64?, _ contents: [Int64: PushContent]
  ) -> Bool {
    guard let believed, shown != believed else { return false }
    guard let shown else { return true }
    guard let one = contents[shown], let other = contents[believed],
      let before = one.contentState.flatMap({ JSONSlice($0) }),
      let after = other.contentState.flatMap({ JSONSlice($0) })
    else { return true }
    return !ContentDifference.between(before, after).isEmpty
  }
}

extension BeliefPlan {
  /// Adds the pushes as rows that were answered 200 at Now, behind every row of the log.
  ///
  /// - Throws: when a push is no event that a log would take.
  func addRows(to projector: inout Projector, after lastSeq: Int64) throws {
    var reader = LineReader()
    for (place, (push, scope)) in zip(pushes, scopes).enumerated() {
      guard case .row = reader.read(line(push, scope)[...], number: place + 1) else {
        throw CommandError("the push for \(push.name) is no event that a log takes")
      }
      var batch = reader.finish()
      batch.firstSeq = lastSeq + 1 + Int64(place)
      batch.recordedAt = [now.microseconds]
      // No segment numbers its subjects so, and each of these batches begins at 0 again.
      batch.space = -1 - place
      projector.add(batch)
    }
  }

  private func line(_ push: PushLine, _ scope: Scope) -> [UInt8] {
    var json = JSONText()
    json.object {
      $0.member("event", push.event.rawValue)
      $0.member("at", now.rfc3339)
      $0.member("source", "push")
      $0.member("status", 200)
      $0.member("token", push.token)
      if let id = push.activityID { $0.member("activity-id", id) }
      if let device = push.device { $0.member("device", device) }
      if let bundle = scope.bundle { $0.member("bundle-id", bundle) }
      if let environment = push.environment { $0.member("environment", environment) }
      $0.member("bytes", push.payload.count)
      push.writeFacts(members: &$0)
    }
    return json.bytes
  }

  /// How many running cards are not what their sender believed, in a reading that has the pushes'
  /// rows: counted again from what was folded, never from what was planned.
  func wrongCards(_ pairs: [ViewPair], after lastSeq: Int64) -> Int {
    var contents = contents
    for (place, scope) in scopes.enumerated() {
      contents[lastSeq + 1 + Int64(place)] = scope.contentSeq.flatMap { contents[$0] }
    }
    var shown: [String: ActivityState] = [:]
    for pair in pairs { shown[pair.card] = pair.deviceState }
    return beliefs.count { card, belief in
      guard let state = shown[card] else { return true }
      guard state.phase.isLive else { return !belief.isOver }
      return isWrong(state, belief, contents)
    }
  }
}

extension ActivityName {
  /// A broadcast's audience of unknown size.
  fileprivate var isChannel: Bool {
    if case .channel = self { return true }
    return false
  }
}

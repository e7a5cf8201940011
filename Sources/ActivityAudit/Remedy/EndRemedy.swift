public import ActivityCore

/// A card that somebody tried to end and could not, or whose leak is confirmed, and what would end
/// it. Whoever has the raw token sends the push; nothing is ever sent from here.
public struct EndRemedy: Sendable, Equatable {
  /// Whether a push can end the card, and if not, why.
  public enum Reach: Sendable, Equatable {
    /// A push to this token (its digest), before the system ends the card.
    case push(token: String)
    /// The system ended it 8 hours after its start: it stays on the screen until then at the
    /// latest, and accepts nothing any more.
    case pastLimit(onScreenUntil: Timestamp)
    /// The system ended it, and by now it is gone.
    case left
    /// No update token of it is known.
    case withoutToken
    /// APNs answered 410 to its newest token.
    case tokenGone
  }

  /// What `state` calls it.
  public var name: String
  public var activityID: String?
  public var key: String?
  public var device: String?
  public var bundleID: String?
  public var environment: String?
  public var build: String?
  public var attributesType: String?
  /// Since when it is left behind: its first lost end or when its work was finished, else when it
  /// began.
  public var from: Timestamp
  /// Whether a push can end it.
  public var reach: Reach
  /// The content's version for that push, whole Unix seconds: no earlier than Now or than the
  /// newest content the card has taken.
  public var timestamp: Int64
  /// X, when the system ends the card: whole Unix seconds, rounded down.
  public var expiration: Int64
  /// `seq` of the rows whose content the push should carry, best first: that of the end which was
  /// lost, then the last the card has taken. Empty when no content is known.
  public var contentSeqs: [Int64]
  /// `seq` of the lost end, which says what headers its sender uses; nil when none was sent.
  public var lostEndSeq: Int64?
  /// `seq` of its first and last row, to tie it to findings.
  public var seqs: ClosedRange<Int64>
}

extension EndRemedy {
  /// What a life needs; nil for one that was ended, or of which nothing is sure.
  init?(_ life: Timeline) {
    let lost = life.leak.lostEnds
    let isSure = life.leak.verdict == .confirmed
    guard !life.isChannel, life.isOpen, isSure || EndRemedy.isUnended(life, lost) else {
      return nil
    }
    let state = life.state
    let now = life.log.now
    name = state.name
    activityID = state.activityID
    key = state.key
    device = state.device
    bundleID = state.bundleID
    environment = state.environment
    build = state.build
    attributesType = state.attributesType
    from = [lost.first?.at, life.finishedAt].compactMap(\.self).min() ?? life.opening
    seqs = state.firstSeq...max(state.firstSeq, state.lastSeq)
    let versions = life.entries.filter { $0.isAppliedAct && ($0.kind?.isContentAct ?? false) }
    timestamp = max(now.wholeSeconds, versions.map(\.version).max() ?? .min)
    expiration = life.limit.wholeSeconds
    lostEndSeq = lost.last?.seq
    // What the device could not read it will not read the second time.
    let readable = lost.last { $0.hasContent && $0.outcome != .undecodable }
    contentSeqs = [readable?.seq, state.contentSeq].compactMap(\.self)
    reach = EndRemedy.reach(of: life, state)
  }

  /// Whether an end was asked for and the card never took one; an answer 410 later on is no end
  /// that somebody sent.
  private static func isUnended(_ life: Timeline, _ lost: [Entry]) -> Bool {
    guard !lost.isEmpty, life.leak.appliedEnd == nil else { return false }
    return life.endedAt == nil || isEndedByGoneToken(life)
  }

  private static func isEndedByGoneToken(_ life: Timeline) -> Bool {
    let end = life.entries.last { $0.before.isLive && $0.after.isOver }
    return life.isEndInferred && end?.isRefused == true
  }

  private static func reach(of life: Timeline, _ state: ActivityState) -> Reach {
    let now = life.log.now
    let resolution = life.log.resolution
    if let over = life.over, over <= now { return .left }
    if life.endedAt != nil { return .tokenGone }
    guard life.limit.wholeSeconds > now.wholeSeconds else {
      return .pastLimit(onScreenUntil: state.visibleUntil ?? now)
    }
    guard let token = resolution.newestToken(of: life.number),
      let text = resolution.set.text(token.token)
    else { return .withoutToken }
    return token.isGone ? .tokenGone : .push(token: text)
  }
}

extension AuditReport {
  /// Its remedies, only those of cards that one of its findings is about, and none of a card whose
  /// end is suppressed.
  package var remediesOfFindings: [EndRemedy] {
    let ends: Set = ["end-not-delivered", "ended-by-system-limit", "never-ended", "late-end"]
    var seqs: [String: [Int64]] = [:]
    var accepted: [String: [Int64]] = [:]
    for finding in findings { seqs[finding.name, default: []].append(finding.first) }
    for finding in suppressed.map(\.finding) where ends.contains(finding.rule) {
      accepted[finding.name, default: []].append(finding.first)
    }
    return remedies.filter { remedy in
      let isAccepted = accepted[remedy.name]?.contains(where: remedy.seqs.contains) ?? false
      return !isAccepted && seqs[remedy.name]?.contains(where: remedy.seqs.contains) ?? false
    }
  }
}

internal import ActivityCore

/// Pushes to a channel that no channel takes.
package struct BroadcastMisuse: AuditRule {
  package static let info = RuleInfo(
    id: "broadcast-misuse", severity: .error,
    summary: "a broadcast channel was sent pushes that it cannot deliver",
    reason: "Everybody who follows the channel misses the same thing at once.",
    condition: """
      A start was sent to a channel (channels carry updates and ends only); or a push with an \
      expiration other than 0 to a channel that stores nothing (message-storage-policy 0), or \
      answered BadExpirationDate; or a push to a channel that APNs does not know (BadChannelId, \
      MissingChannelId, ChannelNotRegistered) or that was deleted before. One finding for each \
      channel. A broadcast of more than 5120 bytes belongs to oversize-payload.
      """,
    advice: """
      Start each card by itself and name the channel in the start; send expiration 0 to a channel \
      that stores nothing; drop a channel's id when it is deleted.
      """,
    scope: .channel, needs: [.headers], reads: .all,
    fires: [
      RuleExample(
        "an expiration on a channel that stores nothing",
        """
        0m channel channel=c1 operation=create message-storage-policy=0
        5m update channel=c1 source=broadcast status=400 apns-expiration=@2h content
        6m update channel=c1 source=broadcast status=200 apns-expiration=0 content
        """, finds: .confirmed),
      RuleExample(
        "a start to everybody",
        """
        0m start channel=c1 source=broadcast status=200 apns-priority=10 alert content
        """, finds: .confirmed),
      RuleExample(
        "a push to a channel that is gone",
        """
        0m channel channel=c1 operation=create message-storage-policy=1
        5m update channel=c1 source=broadcast status=200 apns-priority=10 content
        50m channel channel=c1 operation=delete
        55m update channel=c1 source=broadcast apns-priority=10 content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "kept for a channel that keeps",
        """
        0m channel channel=c1 operation=create message-storage-policy=1
        5m update channel=c1 source=broadcast status=200 apns-expiration=@2h content
        50m end channel=c1 source=broadcast status=200 apns-expiration=@2h
        """),
      RuleExample(
        "a card that listens is started by its app",
        """
        0m start A source=app device=phone push-type=channel channel=c1 content
        5m update channel=c1 source=broadcast status=200 apns-expiration=0 content
        50m end channel=c1 source=broadcast status=200 apns-expiration=0
        """),
    ])

  private enum Misuse: String, CaseIterable {
    case start, expiration, unknown

    var words: String {
      switch self {
      case .start: "starts, which no channel carries"
      case .expiration: "pushes with an expiration that it does not allow"
      case .unknown: "pushes though it is unknown or deleted"
      }
    }
  }

  private struct Wrong {
    var tally = Tally()
    var misuses: Set<Misuse> = []
  }

  package static var wants: LifeTraits { [] }

  package init(_ settings: RuleSettings) {}

  private static func misuse(_ entry: Entry, _ known: Channels, _ log: AuditLog) -> Misuse? {
    if entry.kind == .start { return .start }
    let reason = log.text(entry.reason) ?? ""
    if ["BadChannelId", "MissingChannelId", "ChannelNotRegistered"].contains(reason) {
      return .unknown
    }
    if let deletion = known.deletions[entry.channel]?.last(where: { $0 <= entry.at }),
      known.creations[entry.channel]?.contains(where: { $0 > deletion && $0 <= entry.at }) != true
    {
      return .unknown
    }
    let isKept = log.headers(of: entry).expiration == .kept
    return reason == "BadExpirationDate" || isKept && known.storeless.contains(entry.channel)
      ? .expiration : nil
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let broadcasts = log.broadcasts
    guard !broadcasts.isEmpty else { return }
    let known = Channels(log)
    var wrong: [Entry.Word: Wrong] = [:]
    for entry in broadcasts {
      guard let misuse = BroadcastMisuse.misuse(entry, known, log) else { continue }
      wrong[entry.channel, default: Wrong()].misuses.insert(misuse)
      wrong[entry.channel]?.tally.add(at: entry.at, seq: entry.seq, device: Entry.Word(-1))
    }
    for (channel, found) in wrong {
      let name = log.text(channel) ?? ""
      let what = Misuse.allCases.filter(found.misuses.contains).map(\.words)
      findings.append(
        Finding(
          BroadcastMisuse.info, .confirmed, tally: found.tally, identity: [name],
          message: "channel \(name) was sent \(what.joined(separator: ", and "))"))
    }
  }

  /// What the log says of channels themselves.
  private struct Channels {
    var creations: [Entry.Word: [Timestamp]] = [:]
    var deletions: [Entry.Word: [Timestamp]] = [:]
    /// Channels that were made to store nothing.
    var storeless: Set<Entry.Word> = []

    init(_ log: AuditLog) {
      let (create, delete) = (log.word("create"), log.word("delete"))
      for row in log.rows(of: .channel) where !row.channel.isAbsent {
        if row.word == create { creations[row.channel, default: []].append(row.at) }
        if row.word == delete { deletions[row.channel, default: []].append(row.at) }
        guard let policy = log.contentText(log.content(of: row)?.rare?.storagePolicy) else {
          continue
        }
        if policy == "0" { storeless.insert(row.channel) } else { storeless.remove(row.channel) }
      }
    }
  }
}

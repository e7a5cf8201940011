internal import ActivityCore

/// A channel that nobody needs any more.
package struct ChannelLeaked: AuditRule {
  package static let info = RuleInfo(
    id: "channel-leaked", severity: .warning,
    summary: "a channel was not deleted after its work was over",
    reason: "An app has 10 000 channels; when they are used up, the next event has none.",
    condition: """
      The log records the creation of a channel, the work of its keys is finished, and for 24 \
      hours since then, and since its last push, it was neither sent anything nor deleted. A \
      channel that goes on with another key does not count. Inferred; not judged where a recorder \
      lost a part of that time.
      """,
    advice: """
      Delete the channel once its end is sent; list all channels now and then, and delete the \
      rest.
      """,
    scope: .channel, needs: [.work],
    thresholds: [idle],
    fires: [
      RuleExample(
        "still there the day after the match",
        """
        0m channel channel=c1 key=M operation=create
        5m update channel=c1 source=broadcast status=200 content
        50m work key=M outcome=finished
        50m5s end channel=c1 source=broadcast status=200
        26h channel channel=c2 key=N operation=create
        """, finds: .inferred),
      RuleExample(
        "made, never used, its match cancelled",
        """
        0m channel channel=c1 key=M operation=create
        50m work key=M outcome=cancelled
        26h channel channel=c2 key=N operation=create
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "deleted after the end",
        """
        0m channel channel=c1 key=M operation=create
        5m update channel=c1 source=broadcast status=200 content
        50m work key=M outcome=finished
        50m5s end channel=c1 source=broadcast status=200
        3h channel channel=c1 operation=delete
        26h channel channel=c2 key=N operation=create
        """),
      RuleExample(
        "used again for the next match",
        """
        0m channel channel=c1 key=M operation=create
        5m update channel=c1 source=broadcast status=200 content
        50m work key=M outcome=finished
        50m5s end channel=c1 source=broadcast status=200
        20h update channel=c1 key=N source=broadcast status=200 content
        26h channel channel=c2 key=O operation=create
        """),
    ])

  private static let idle = RuleThreshold(
    "channel-leaked", "idle", 24 * 3600, "seconds", "how long a channel may stay unused")

  private let idle: Timestamp.Span
  private var channels = ChannelNotes()

  package static var wants: LifeTraits { .channel }

  package init(_ settings: RuleSettings) { idle = settings.span(ChannelLeaked.idle) }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    channels.add(life)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for note in channels.all(log) {
      guard let made = note.created, note.deletedAt == nil, let done = note.finishedAt(log) else {
        continue
      }
      let from = max(done, note.broadcasts.last?.at ?? done, made.at)
      guard log.now - from >= idle, !log.hasAnyHole(from: from, until: log.now) else { continue }
      let name = log.text(note.channel) ?? ""
      findings.append(
        Finding(
          ChannelLeaked.info, .inferred, identity: [name], from: from, until: nil,
          evidence: [made.seq] + note.broadcasts.suffix(1).map(\.seq),
          message: """
            channel \(name) has been unused for \(Wording.length(log.now - from)), its work is \
            over, and it was not deleted
            """))
    }
  }
}

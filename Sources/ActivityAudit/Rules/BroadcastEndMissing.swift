internal import ActivityCore

/// A whole audience left with a card of something that is over.
package struct BroadcastEndMissing: AuditRule {
  package static let info = RuleInfo(
    id: "broadcast-end-missing", severity: .error,
    summary: "the work behind a channel was over, and its audience was sent no end",
    reason: "Everybody who follows the match keeps its card until the system takes it.",
    condition: """
      The work of a channel's key (as the channel's own rows and pushes tell it, else the cards \
      that listen) was finished, no end was sent to the channel since, nor in the 12 hours before, \
      and 5 minutes later a card that listens had not been ended in any other way either: \
      confirmed. Where no card is known to listen, the audience is of unknown size: inferred, and \
      a refused end counts as none.
      """,
    advice: "Send the end to the channel when the work is over, then delete the channel.",
    scope: .channel, needs: [.work],
    thresholds: [grace],
    fires: [
      RuleExample(
        "the match is over, its audience keeps the score",
        """
        0m channel channel=c1 key=M operation=create
        1m start A source=app device=phone push-type=channel channel=c1 content
        2m update channel=c1 source=broadcast status=200 content
        50m work key=M outcome=finished
        60m inventory device=phone
        """, finds: .confirmed),
      RuleExample(
        "nobody knows who listens",
        """
        0m update channel=c1 key=M source=broadcast status=200 content
        50m work key=M outcome=finished
        60m update channel=c2 key=N source=broadcast status=200 content
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "the end is sent to all",
        """
        0m channel channel=c1 key=M operation=create
        1m start A source=app device=phone push-type=channel channel=c1 content
        50m work key=M outcome=finished
        50m5s end channel=c1 source=broadcast status=200
        60m channel channel=c1 operation=delete
        """),
      RuleExample(
        "each card is ended by itself",
        """
        0m channel channel=c1 key=M operation=create
        1m start A source=app device=phone push-type=channel channel=c1 content
        2m update channel=c1 source=broadcast status=200 content
        50m work key=M outcome=finished
        50m5s end A source=app device=phone
        60m inventory device=phone
        """),
      RuleExample(
        "the channel's next match goes on",
        """
        0m update channel=c1 key=M source=broadcast status=200 content
        50m work key=M outcome=finished
        55m update channel=c1 key=N source=broadcast status=200 content
        70m inventory device=phone
        """),
    ])

  private static let grace = RuleThreshold(
    "broadcast-end-missing", "grace", 300, "seconds", "how soon after its work an end is due")
  private static let reach = Timestamp.Span.hours(12)

  private let grace: Timestamp.Span
  private var channels = ChannelNotes()

  package static var wants: LifeTraits { .channel }

  package init(_ settings: RuleSettings) { grace = settings.span(BroadcastEndMissing.grace) }

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    channels.add(life)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for note in channels.all(log) {
      guard let done = note.finishedAt(log) else { continue }
      let ends = note.broadcasts.filter { $0.isEnd && $0.at >= done - BroadcastEndMissing.reach }
      let name = log.text(note.channel) ?? ""
      if note.listeners.isEmpty {
        let isTold = note.broadcasts.contains { !$0.isEnd && !$0.isRefused }
        guard isTold, let seenUntil = note.seenUntil, seenUntil - done >= grace,
          ends.allSatisfy(\.isRefused)
        else { continue }
        findings.append(
          finding(
            .inferred, name, done, note.broadcasts.suffix(2).map(\.seq),
            "channel \(name) got no end after its work was over; who listens is not known"))
        continue
      }
      let left = note.listeners.filter { listener in
        listener.endedAt == nil && listener.opening < done && listener.seenUntil - done >= grace
          && !ends.contains { $0.at >= listener.opening }
      }
      guard !left.isEmpty else { continue }
      var found = finding(
        .confirmed, name, done, left.map(\.openingSeq) + note.broadcasts.suffix(1).map(\.seq),
        """
        channel \(name) got no end after its work was over; \
        \(Wording.count(left.count, "card")) of \(note.listeners.count) known to listen stayed
        """)
      found.count = left.count
      found.devices = Set(left.map(\.device)).filter { !$0.isAbsent }.count
      findings.append(found)
    }
  }

  private func finding(
    _ verdict: Verdict, _ name: String, _ done: Timestamp, _ evidence: [Int64], _ message: String
  ) -> Finding {
    Finding(
      BroadcastEndMissing.info, verdict, identity: [name], from: done, until: nil,
      evidence: evidence, message: message)
  }
}

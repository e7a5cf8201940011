internal import ActivityCore

/// A card that was ended, but late.
package struct LateEnd: AuditRule {
  package static var wants: LifeTraits { [.late, .lostEnd] }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "late-end", severity: .error,
    summary: "an end took effect 5 minutes or more after the work was over",
    reason: "Meanwhile the person looked at a card about something that was done.",
    condition: """
      An end took effect 5 minutes or more after the first attempt to end the activity, after the \
      end's own timestamp, or after its work was finished; or the card left the screen otherwise, \
      5 minutes or more after an end that did not take effect. Inferred when the end is a push \
      nobody answered, else confirmed.
      """,
    advice: """
      Send the end with the event that finishes the work; repeat refused ends within seconds.
      """,
    scope: .activity,
    yieldsTo: ["end-not-delivered", "ended-by-system-limit", "never-ended"],
    fires: [
      RuleExample(
        "refused, and repeated half an hour later",
        """
        0m start A source=app device=phone content
        20m end A source=push status=500
        50m end A source=push status=200
        """, finds: .confirmed),
      RuleExample(
        "sent long after the work was finished",
        """
        0m start A key=K source=app device=phone content
        20m work key=K outcome=finished
        31m end A source=app device=phone
        """, finds: .confirmed),
      RuleExample(
        "nobody answered the late end",
        """
        0m start A key=K source=app device=phone content
        20m work key=K outcome=cancelled
        31m end A source=push
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "within seconds",
        """
        0m start A key=K source=app device=phone content
        20m work key=K outcome=finished
        20m3s end A source=push status=200
        """),
      RuleExample(
        "the work was taken up again",
        """
        0m start A key=K source=app device=phone content
        20m work key=K outcome=finished
        22m work key=K outcome=open
        50m end A source=app device=phone
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt, let endedAt = life.endedAt else { return }
    let leak = life.leak
    // Evidence of an end says when it was seen, not when it came: it closes an attempt only.
    let seen = life.entries.first { $0.at == endedAt && $0.after.isOver && $0.kind == .dismiss }
    guard leak.appliedEnd != nil || seen != nil && !leak.lostEnds.isEmpty else { return }
    var starts = [leak.lostEnds.first?.at]
    if let end = leak.appliedEnd {
      starts.append(life.finishedAt)
      if end.statesVersion { starts.append(version(of: end, life)) }
    }
    guard let from = starts.compactMap(\.self).min(), endedAt - from >= Leak.grace else { return }
    let rows = leak.lostEnds + [leak.appliedEnd ?? seen].compactMap(\.self)
    let length = Wording.length(endedAt - from)
    let message =
      leak.appliedEnd == nil
      ? "left the screen \(length) after an end that did not reach it"
      : "ended \(length) after its work was over"
    var finding = Finding(
      LateEnd.info, life.isEndInferred ? .inferred : .confirmed, about: life, from: from,
      until: endedAt, evidence: rows, message: message)
    finding.wrong = life.seen(from: from, until: endedAt).map { [$0] } ?? []
    findings.append(finding)
  }

  /// An end's timestamp, unless it lies outside the life and so says nothing.
  private func version(of end: Entry, _ life: Timeline) -> Timestamp? {
    let seconds = life.opening.wholeSeconds...max(life.opening.wholeSeconds, end.at.wholeSeconds)
    return seconds.contains(end.version) ? Timestamp(seconds: end.version) : nil
  }
}

internal import ActivityCore

/// Requests that APNs or the device cannot take for those of a Live Activity.
package struct WrongTopicOrPushType: AuditRule {
  package static var wants: LifeTraits { .strangeHeaders }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "wrong-topic-or-push-type", severity: .error,
    summary: "pushes carry a topic or a push type that is not a Live Activity's",
    reason: "APNs refuses them, or the phone shows a plain notification instead of the card.",
    condition: """
      A start, update or end by push has a topic that does not end in .push-type.liveactivity (a \
      broadcast needs none), or a push type other than liveactivity, or is answered BadTopic, \
      MissingTopic, TopicDisallowed, InvalidPushType or DeviceTokenNotForTopic. One finding for \
      each recorder and reason, from the first push on.
      """,
    advice: """
      Send apns-topic BUNDLE.push-type.liveactivity and apns-push-type liveactivity, and sign with \
      a provider token: certificates are not taken for these.
      """,
    scope: .recorder, needs: [.responses, .headers],
    fires: [
      RuleExample(
        "the topic of ordinary notifications",
        """
        0m start A source=app device=phone content
        20m update A source=push apns-id=P1 apns-topic=com.example.a status=400 reason=BadTopic \
          content
        20m4s update A source=push apns-id=P1 apns-topic=com.example.a.push-type.liveactivity \
          status=200 content
        50m end A source=push apns-topic=com.example.a.push-type.liveactivity status=200 content=2
        """, finds: .confirmed),
      RuleExample(
        "taken by APNs, as an ordinary notification",
        """
        0m start A source=app device=phone content
        20m update A source=push apns-push-type=alert apns-priority=10 status=200 content
        50m end A source=push apns-push-type=liveactivity status=200 content=2
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "a broadcast has no topic",
        """
        0m start A source=app device=phone push-type=channel channel=C1 content
        20m update source=broadcast channel=C1 apns-push-type=liveactivity status=200 content
        50m end source=broadcast channel=C1 apns-push-type=liveactivity status=200 content=2
        51m state A device=phone state=ended
        """),
      RuleExample(
        "a service fills the headers in",
        """
        0m start A source=app device=phone content
        20m update A source=push apns-priority=5 status=200 content
        50m end A source=push apns-priority=10 status=200 content=2
        """),
    ])

  static let topicSuffix = ".push-type.liveactivity"
  static let reasons: Set<String> = [
    "BadTopic", "MissingTopic", "TopicDisallowed", "InvalidPushType", "DeviceTokenNotForTopic",
  ]

  private var tallies: [RecorderAndReason: Tally] = [:]
  private var fanned = Fanned()

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.traits.isDisjoint(with: [.headers, .refusal]) else { return }
    for entry in life.entries where entry.isByPush && entry.kind?.isContentAct ?? false {
      guard let reason = fault(entry, life.log), fanned.isNew(entry) else { continue }
      tallies[RecorderAndReason(entry.recorder, reason), default: Tally()].add(
        push: entry, of: life)
    }
  }

  private func fault(_ entry: Entry, _ log: AuditLog) -> String? {
    if entry.isRefused, let reason = log.text(entry.reason),
      WrongTopicOrPushType.reasons.contains(reason)
    {
      return reason
    }
    let headers = log.headers(of: entry)
    guard headers.areRecorded else { return nil }
    if let type = log.text(headers.pushType), type != "liveactivity" { return "apns-push-type" }
    let isBroadcast = entry.source == .broadcast || entry.isToChannelAlone
    if !isBroadcast, let topic = log.text(headers.topic),
      !topic.hasSuffix(WrongTopicOrPushType.topicSuffix)
    {
      return "apns-topic"
    }
    return nil
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for (scope, tally) in tallies {
      let pushes = Wording.count(tally.count, "push", "pushes") + scope.whose(log)
      let what =
        switch scope.reason {
        case "apns-topic": "with a topic that is not a Live Activity's"
        case "apns-push-type": "with a push type other than liveactivity"
        default: "refused with \(scope.reason)"
        }
      findings.append(
        Finding(
          WrongTopicOrPushType.info, .confirmed, tally: tally, scope, log,
          message: "\(pushes) \(what)"))
    }
  }
}

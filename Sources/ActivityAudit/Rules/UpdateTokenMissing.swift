internal import ActivityCore

/// A card that pushes cannot reach.
package struct UpdateTokenMissing: AuditRule {
  static let grace = RuleThreshold(
    "update-token-missing", "grace", 60, "seconds", "how long a token may take after the start")
  private let grace: Timestamp.Span
  private var missing: [Missing] = []

  /// A card without a token of its own; one may be known by its key.
  private struct Missing {
    var finding: Finding
    var key: Entry.Word
    var device: Entry.Word
    var from: Timestamp
    var until: Timestamp
  }

  package static var wants: LifeTraits { .unaddressed }

  package init(_ settings: RuleSettings) { grace = settings.span(UpdateTokenMissing.grace) }

  package static let info = RuleInfo(
    id: "update-token-missing", severity: .warning,
    summary: "a card was started for pushes, and its update token never came",
    reason: "Nothing that the server knows reaches the card, its end least of all.",
    condition: """
      It was started with push-type token, or by push with input-push-token 1, and within 60 \
      seconds, or ever, no update token of it (nor of its key) was recorded, no push used one, and \
      none was taken under its activity id or key. Error when the card then outlived its work. \
      Info when a token came after more than 60 seconds. Nothing is said of a card that was over, \
      or a log that stopped, before.
      """,
    advice: """
      Listen to activityUpdates from the start of the process, so that push-started cards hand \
      over their token too; send it to the server again until it is taken; keep it by key.
      """,
    scope: .activity, needs: [.tokens], reads: .starts, isCause: true, thresholds: [grace],
    fires: [
      RuleExample(
        "the app waits for tokens of cards it started itself, never of others",
        """
        0m start A source=push push-type=token device=phone key=K alert content status=200
        5s state A device=phone state=active
        10m start B source=app push-type=token device=phone content
        10m2s token B device=phone token=t2
        20m end B source=push token=t2 status=200 content
        30m end A source=app device=phone content
        """, finds: .inferred),
      RuleExample(
        "asked for with input-push-token, and lost on the way to the server",
        """
        0m start A source=push input-push-token=1 device=phone alert content status=200
        5s state A device=phone state=active
        10m start B source=app push-type=token device=other content
        10m2s token B device=other token=t2
        20m end B source=push token=t2 status=200 content
        30m end A source=app device=phone content
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "local by design",
        """
        0m start A source=app push-type=none device=phone content
        20m end A source=app device=phone content
        21m start B source=app push-type=token device=phone content
        21m1s token B device=phone token=t2
        30m end B source=push token=t2 status=200 content
        """),
      RuleExample(
        "its token is recorded under the order's number only",
        """
        0m start A source=app push-type=token key=K device=phone content
        4s token key=K token=t1
        20m end A source=app device=phone content
        """),
      RuleExample(
        "served by a channel",
        """
        0m start A source=app push-type=channel channel=C1 device=phone content
        20m end A source=app device=phone content
        21m start B source=app push-type=token device=phone content
        21m1s token B device=phone token=t2
        30m end B source=push token=t2 status=200 content
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isExempt,
      let start = life.entries.first(where: { $0.kind == .start && $0.isAppliedAct }),
      isForPushes(start, life.log)
    else { return }
    let bound = min(life.endedAt ?? life.limit, min(life.limit, life.seenUntil))
    guard bound - life.opening > grace else { return }
    var token: Entry?
    for entry in life.entries where entry.kind != .start {
      if entry.kind == .token, token == nil { token = entry }
      let isAddressed = !entry.token.isAbsent || entry.isAccepted && entry.channel.isAbsent
      if entry.isByPush, entry.kind?.isAct ?? false, isAddressed { return }
    }
    if let token, token.at - life.opening <= grace { return }
    func made(_ message: String, _ severity: Severity, _ entries: [Entry]) -> Finding {
      Finding(
        UpdateTokenMissing.info, .inferred, about: life, from: life.opening,
        until: token?.at ?? life.over, evidence: entries, message: message, severity: severity)
    }
    if let token {
      let length = Wording.length(token.at - life.opening)
      findings.append(made("its update token came after \(length)", .info, [start, token]))
      return
    }
    let length = Wording.length(bound - life.opening)
    let isLeaked = life.leak.verdict != nil
    let message = "no update token came in \(length); no push can reach it"
    missing.append(
      Missing(
        finding: made(message, isLeaked ? .error : .warning, [start]), key: life.key,
        device: life.deviceWord, from: life.opening - grace, until: bound))
  }

  private func isForPushes(_ start: Entry, _ log: AuditLog) -> Bool {
    if log.text(start.word) == "token" { return true }
    return start.isByPush && log.content(of: start)?.marks.contains(.inputPushToken) ?? false
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    let keys = Set(missing.map(\.key)).subtracting([Entry.Word(-1)])
    // Tokens that no id ties to a card; those with one are that card's.
    var tokens: [Entry.Word: [(at: Timestamp, device: Entry.Word)]] = [:]
    if !keys.isEmpty {
      log.forEachRow(of: .token) { entry in
        guard !entry.isOtherToken, entry.activityID.isAbsent, keys.contains(entry.key) else {
          return
        }
        tokens[entry.key, default: []].append((entry.at, log.device(of: entry)))
      }
    }
    for card in missing {
      let known = tokens[card.key] ?? []
      let isKnown = known.contains { token in
        token.at >= card.from && token.at <= card.until
          && (token.device == card.device || token.device.isAbsent || card.device.isAbsent)
      }
      if isKnown { continue }
      findings.append(card.finding)
    }
  }
}

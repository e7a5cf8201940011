internal import ActivityCore

/// A card whose token died, and which nobody looked after since.
package struct TokenGoneNoRecovery: AuditRule {
  private static let recovery = RuleThreshold(
    "token-gone-no-recovery", "recovery", 900, "seconds",
    "how long after a 410 a new token, an end or another start may take")
  private static let open = RuleThreshold(
    "token-gone-no-recovery", "open", 3600, "seconds",
    "how long the work must stay open where nobody goes on pushing")
  private let recovery: Timestamp.Span
  private let open: Timestamp.Span
  private var gone: [Gone] = []
  private var starts: [(key: Entry.Word, at: Timestamp, device: Entry.Word)] = []

  private struct Gone {
    var finding: Finding
    var key: Entry.Word
    var device: Entry.Word
    var at: Timestamp
    /// Whether the sender still had news for it when the time for recovery was over.
    var isWorkedOn: Bool
  }

  package static var wants: LifeTraits { .gone }
  package static var counts: Bool { true }

  package init(_ settings: RuleSettings) {
    recovery = settings.span(TokenGoneNoRecovery.recovery)
    open = settings.span(TokenGoneNoRecovery.open)
  }

  package static let info = RuleInfo(
    id: "token-gone-no-recovery", severity: .error,
    summary: "APNs answered 410, and neither a new token, nor an end, nor another start followed",
    reason: "The order goes on, and the person has no card, or one that never changes again.",
    condition: """
      An update to the newest token of a live card was answered 410, and within 15 minutes no \
      token of the activity or its key came, no end of it, and no start of the key, while the work \
      was not finished. Error when the sender still pushed to the card after these 15 minutes; \
      info when it fell silent and a work event says that the order was open for an hour more, \
      since the person may have swiped the card away unseen. Not when a dismissal was seen, nor \
      when the card's record ends sooner. Always inferred: what did not follow may have happened \
      unseen.
      """,
    advice: """
      At 410 drop the token, and start the card again if the work goes on, or let the app send its \
      token at the next launch.
      """,
    scope: .activity, needs: [.responses, .tokens], isCause: true,
    thresholds: [recovery, open],
    fires: [
      RuleExample(
        "the order is open for another hour",
        """
        0m start A key=K source=app device=phone content
        1m token A device=phone token=t1
        20m update A key=K source=push token=t1 status=410 reason=Unregistered content
        100m work key=K outcome=finished
        """, finds: .inferred),
      RuleExample(
        "a work row says that it is open, and the log goes on",
        """
        0m start A key=K source=app device=phone content
        1m token A device=phone token=t1
        2m work key=K outcome=open
        20m update A key=K source=push token=t1 status=410 reason=Unregistered content
        80m state B device=phone state=active
        90m end B source=app device=phone content
        """, finds: .inferred),
    ],
    passes: [
      RuleExample(
        "410 after a real end is normal",
        """
        0m start A key=K source=app device=phone content
        1m token A device=phone token=t1
        15m end A source=app device=phone content
        16m update A key=K source=push token=t1 status=410 reason=Unregistered content
        80m work key=K outcome=finished
        """),
      RuleExample(
        "the app starts another card for it",
        """
        0m start A key=K source=app device=phone content
        1m token A device=phone token=t1
        70m update A key=K source=push token=t1 status=410 reason=Unregistered content
        74m start B key=K source=app device=phone content
        74m1s token B device=phone token=t2
        90m work key=K outcome=finished
        90m1s end B source=push token=t2 status=200 content
        """),
      RuleExample(
        "the order is over soon: it was swiped away, perhaps",
        """
        0m start A key=K source=app device=phone content
        1m token A device=phone token=t1
        20m update A key=K source=push token=t1 status=410 reason=Unregistered content
        25m work key=K outcome=finished
        41m state B device=phone state=active
        50m end B source=app device=phone content
        """),
    ])

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.isChannel else { return }
    if !life.key.isAbsent,
      let start = life.entries.first(where: { $0.kind == .start && !$0.isLostAct })
    {
      starts.append((life.key, start.at, life.deviceWord))
    }
    guard life.traits.contains(.refusal) else { return }
    let gone = life.entries.lastIndex {
      $0.status == 410 && $0.kind == .update && $0.before.isLive && $0.after.isOver
    }
    guard let gone else { return }
    let entry = life.entries[gone]
    let deadline = entry.at + recovery
    guard life.seenUntil >= deadline else { return }
    var later: [Entry] = []
    for entry in life.entries[(gone + 1)...] {
      if entry.kind == .dismiss || entry.shown == .dismissed { return }
      let isRecovery = entry.kind == .token || entry.kind == .end || entry.kind == .start
      if isRecovery, entry.at <= deadline { return }
      if entry.isByPush, !entry.fansOut, entry.kind == .update || entry.kind == .alert {
        later.append(entry)
      }
    }
    let isWorkedOn = later.contains { $0.at > deadline }
    let more =
      later.isEmpty ? "" : "; \(Wording.count(later.count, "push", "pushes")) went on to it"
    let finding = Finding(
      TokenGoneNoRecovery.info, .inferred, about: life, from: entry.at, until: life.over,
      evidence: [entry] + later,
      message: "its token was answered 410, and no token, end or start followed\(more)",
      severity: isWorkedOn ? .error : .info)
    self.gone.append(
      Gone(
        finding: finding, key: life.key, device: life.deviceWord, at: entry.at,
        isWorkedOn: isWorkedOn))
  }

  package mutating func count(_ facts: LifeFacts) {
    guard !facts.isChannel, facts.key >= 0, let at = facts.startAt.stamp else { return }
    starts.append((Entry.Word(facts.key), at, Entry.Word(facts.device)))
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    guard !gone.isEmpty else { return }
    let keys = Set(gone.map(\.key)).subtracting([Entry.Word(-1)])
    var recoveries: [Entry.Word: [(at: Timestamp, device: Entry.Word)]] = [:]
    for start in starts where keys.contains(start.key) {
      recoveries[start.key, default: []].append((start.at, start.device))
    }
    log.forEachRow(of: .token) { entry in
      guard !entry.isOtherToken, keys.contains(entry.key) else { return }
      recoveries[entry.key, default: []].append((entry.at, log.device(of: entry)))
    }
    var works: [Entry.Word: [Entry]] = [:]
    log.forEachRow(of: .work) { entry in
      if keys.contains(entry.key) { works[entry.key, default: []].append(entry) }
    }
    for card in gone {
      let deadline = card.at + recovery
      // What came to another phone of the same key mends nothing here.
      let isRecovered = (recoveries[card.key] ?? []).contains { recovery in
        recovery.at > card.at && recovery.at <= deadline
          && (recovery.device == card.device || recovery.device.isAbsent || card.device.isAbsent)
      }
      if isRecovered || !isOpen(works[card.key] ?? [], card, log) { continue }
      findings.append(card.finding)
    }
  }

  /// Whether somebody still had something to say when the time for recovery was over.
  private func isOpen(_ works: [Entry], _ card: Gone, _ log: AuditLog) -> Bool {
    let deadline = card.at + (card.isWorkedOn ? recovery : open)
    if let last = works.last(where: { $0.at <= deadline }) {
      return log.text(last.word) == "open" && (card.isWorkedOn || log.now >= deadline)
    }
    return card.isWorkedOn || works.contains { log.text($0.word) != "open" }
  }
}

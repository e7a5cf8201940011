internal import ActivityCore

/// Tokens used for what they are not for.
package struct TokenKindMismatch: AuditRule {
  package static var wants: LifeTraits { .wrongToken }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "token-kind-mismatch", severity: .error,
    summary: "pushes used a token of the wrong kind",
    reason: "The three kinds of tokens look alike; a push to the wrong one changes no card.",
    condition: """
      A start went to a token recorded as an update token, an update, alert or end to one recorded \
      as a start token, or any of them to the device token of ordinary notifications. A token \
      whose rows say no kind, or two, is not judged. One finding for each recorder and pair of act \
      and token kind; attempts of one push count once.
      """,
    advice: "Store tokens by kind, one start token per device and type, one update token per card.",
    scope: .recorder, needs: [.responses],
    fires: [
      RuleExample(
        "an update to the token that starts",
        """
        0m token device=phone token-kind=start token=s1
        1m start A source=app device=phone content
        1m2s token A device=phone token-kind=update token=t1
        20m update A source=push token=s1 timestamp=@20m apns-id=P1 status=400 \
          reason=BadDeviceToken content
        20m9s update A source=push token=t1 timestamp=@20m apns-id=P1 status=200 content
        50m end A source=push token=t1 status=200 content=2
        """, finds: .confirmed),
      RuleExample(
        "the device token of ordinary notifications",
        """
        0m token device=phone token-kind=device token=d1
        1m start A source=app device=phone content
        1m2s token A device=phone token-kind=update token=t1
        20m update A source=push token=d1 timestamp=@20m apns-id=P1 status=400 \
          reason=BadDeviceToken content
        20m9s update A source=push token=t1 timestamp=@20m apns-id=P1 status=200 content
        50m end A source=push token=t1 status=200 content=2
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "nobody says of which kind it is",
        """
        0m token A device=phone token=t1
        1m start A source=app device=phone content
        20m update A source=push token=t1 status=200 content=2
        50m end A source=push token=t1 status=200 content=3
        """),
      RuleExample(
        "each for its own",
        """
        0m token device=phone attributes-type=Ride token-kind=start token=s1
        1m start source=push token=s1 attributes-type=Ride alert content status=200
        1m4s token A device=phone attributes-type=Ride token-kind=update token=t1
        20m update A source=push token=t1 status=200 content=2
        50m end A source=push token=t1 status=200 content=3
        """),
    ])

  private struct Start {
    var token: Entry.Word
    var recorder: Entry.Word
    var at: Timestamp
    var seq: Int64
    var device: Entry.Word
    var card: Int
  }

  /// By token: its kind, for tokens that address no card; absent where rows disagree.
  private var others: [Entry.Word: Entry.Word]?
  private var tallies: [RecorderAndReason: Tally] = [:]
  private var starts: [Start] = []

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard life.traits.contains(.push) else { return }
    let others = self.others ?? TokenKindMismatch.others(life.log)
    self.others = others
    var wrong: [(entry: Entry, reason: String)] = []
    // Most pushes of a card go to the same token as the one before.
    var last = Entry.Word(-1)
    var known: Entry.Word?
    for entry in life.entries where entry.isByPush && !entry.token.isAbsent {
      guard let kind = entry.kind, kind.isAct else { continue }
      if entry.token != last { (last, known) = (entry.token, others[entry.token]) }
      if let known {
        guard let word = life.log.text(known), kind != .start || word != "start" else { continue }
        wrong.append((entry, kind == .start ? "start \(word)" : "update \(word)"))
      } else if kind == .start {
        starts.append(
          Start(
            token: entry.token, recorder: entry.recorder, at: entry.at, seq: entry.seq,
            device: life.deviceWord, card: life.number))
      }
    }
    guard !wrong.isEmpty else { return }
    var seen: Set<Int> = []
    for (found, act) in zip(wrong, Acts(wrong.map(\.entry)).number) where seen.insert(act).inserted
    {
      let scope = RecorderAndReason(found.entry.recorder, found.reason)
      tallies[scope, default: Tally()].add(found.entry, of: life)
    }
  }

  private static func others(_ log: AuditLog) -> [Entry.Word: Entry.Word] {
    var kinds: [Entry.Word: Entry.Word] = [:]
    log.forEachRow(of: .token) { entry in
      guard entry.isOtherToken else { return }
      let known = kinds[entry.token]
      kinds[entry.token] = known == nil || known == entry.word ? entry.word : Entry.Word(-1)
    }
    guard !kinds.isEmpty else { return [:] }
    log.forEachRow(of: .token) { entry in
      if !entry.isOtherToken, kinds[entry.token] != nil { kinds[entry.token] = Entry.Word(-1) }
    }
    return kinds
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    countStarts(log)
    for (scope, tally) in tallies {
      let words = scope.reason.split(separator: " ")
      let act = words.first == "start" ? "start" : "update or end"
      findings.append(
        Finding(
          TokenKindMismatch.info, .confirmed, tally: tally, scope, log,
          message: """
            \(Wording.count(tally.count, "push", "pushes"))\(scope.whose(log)) (\(act)) \
            went to \(words.last == "update" ? "an" : "a") \(words.last ?? "") token
            """))
    }
  }

  /// Starts that went to a token of an activity.
  private mutating func countStarts(_ log: AuditLog) {
    let asked = Set(starts.map(\.token))
    var updates: Set<Entry.Word> = []
    if !asked.isEmpty {
      log.forEachRow(of: .token) { entry in
        guard asked.contains(entry.token), !entry.isOtherToken, !entry.word.isAbsent else { return }
        updates.insert(entry.token)
      }
    }
    for start in starts where updates.contains(start.token) {
      tallies[RecorderAndReason(start.recorder, "start update"), default: Tally()].add(
        at: start.at, seq: start.seq, device: start.device, card: start.card)
    }
  }
}

internal import ActivityCore

/// A card that a person never got.
package struct StartNotDelivered: AuditRule {
  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "start-not-delivered", severity: .error,
    summary: "a start was refused or dropped, and the person never got a card",
    reason: "Nothing on the phone says that anything is missing.",
    condition: """
      A start did not take effect (refused, without alert, too big, not decodable), no other \
      attempt of it did, and within 12 hours no activity of the same key on the device, nor one of \
      the same type on the device within 120 seconds, came to be. Confirmed when it was refused or \
      could not be decoded, else inferred.
      """,
    advice: """
      Refresh the push-to-start token at every launch; carry an alert on every push that starts; \
      repeat refused starts.
      """,
    scope: .activity, needs: [.responses],
    fires: [
      RuleExample(
        "the start token had expired",
        """
        0m start source=push token=s1 key=K alert content status=410 reason=ExpiredToken
        1h work key=K outcome=finished
        """, finds: .confirmed),
      RuleExample(
        "APNs could not be reached",
        """
        0m start source=push token=s1 key=K apns-id=P1 alert content
        2s failure key=K operation=connect apns-id=P1
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "the second attempt is taken",
        """
        0m start source=push token=s1 key=K timestamp=@0m alert content status=503
        2s start source=push token=s1 key=K timestamp=@0m alert content status=200
        """),
      RuleExample(
        "repeated with a new timestamp, and taken",
        """
        0m start source=push token=s1 key=K timestamp=@0m alert content status=503
        1m start source=push token=s1 key=K timestamp=@1m alert content status=200
        1m5s state A key=K device=phone state=active
        20m end A source=app device=phone
        """),
      RuleExample(
        "the app started it instead",
        """
        0m start source=push token=s1 key=K alert content status=503
        3m start A source=app key=K device=phone content
        20m end A source=app device=phone
        """),
    ])

  /// A start that did not reach its phone, as one of its acts knows it.
  private struct Lost {
    var finding: Finding
    var act: String
    var addressee: Addressee?
  }

  /// One phone, as far as a start token and a key tell; without a key, a token and a type.
  private struct Addressee: Hashable {
    var token: Entry.Word
    var key: Entry.Word
    var type: Entry.Word

    init?(_ entry: Entry, _ life: Timeline) {
      guard !entry.token.isAbsent, !entry.key.isAbsent || !life.type.isAbsent else { return nil }
      token = entry.token
      key = entry.key
      type = entry.key.isAbsent ? life.type : Entry.Word(-1)
    }

    /// How long after a start a card is the one it asked for.
    var reach: Timestamp.Span {
      key.isAbsent ? .seconds(120) : Timestamp.Span(microseconds: Relations.keyReach)
    }
  }

  private var lost: [Lost] = []
  private var delivered: Set<String> = []
  private var arrivals: [Addressee: [Timestamp]] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    for entry in life.entries where entry.kind == .start && !entry.fansOut {
      let act = identity(of: entry, life)
      let addressee = Addressee(entry, life)
      // A life that came to be later under the same name is the card.
      let isAnswered = life.isOpen && life.opening >= entry.at
      if entry.isAppliedAct { delivered.formUnion(act) }
      if let addressee, entry.isAppliedAct || isAnswered {
        arrivals[addressee, default: []].append(entry.isAppliedAct ? entry.at : life.opening)
      }
      guard entry.isLostAct, !entry.before.isLive, !isAnswered else { continue }
      if life.log.relations.hasArrived(life, after: entry.at) { continue }
      let isKnown = entry.isRefused || entry.outcome == .undecodable
      var finding = Finding(
        StartNotDelivered.info, isKnown ? .confirmed : .inferred, about: life, from: entry.at,
        until: entry.at, evidence: [entry],
        message: "the start did not reach the phone (\(Wording.loss(entry, life.log)))")
      finding.isMissingCard = true
      finding.visibleUntil = nil
      for key in act { lost.append(Lost(finding: finding, act: key, addressee: addressee)) }
    }
  }

  /// What the attempts of one start share: the `apns-id`; the token, version and kind.
  private func identity(of entry: Entry, _ life: Timeline) -> [String] {
    var keys: [String] = []
    if entry.push != .none { keys.append("push \(entry.push.high) \(entry.push.low)") }
    if entry.statesVersion, let token = life.log.text(entry.token) {
      keys.append("token \(token) \(entry.version)")
    }
    return keys.isEmpty ? ["seq \(entry.seq)"] : keys
  }

  /// Whether a later start reached the same phone for the same key.
  private func hasArrived(_ lost: Lost) -> Bool {
    guard let addressee = lost.addressee, let times = arrivals[addressee] else { return false }
    return times.contains { $0 >= lost.finding.from && $0 - lost.finding.from <= addressee.reach }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    var acts: [String: [Finding]] = [:]
    var order: [String] = []
    var cleared: Set<String> = []
    for lost in lost {
      if delivered.contains(lost.act) || hasArrived(lost) {
        cleared.insert(lost.finding.fingerprint)
      }
      if acts[lost.act] == nil { order.append(lost.act) }
      acts[lost.act, default: []].append(lost.finding)
    }
    // Attempts of one start are one finding: the earliest, with every row as evidence.
    var reported: Set<String> = []
    for act in order {
      let attempts = (acts[act] ?? []).sorted { ($0.from, $0.first) < ($1.from, $1.first) }
      guard var finding = attempts.first,
        !attempts.contains(where: { cleared.contains($0.fingerprint) }),
        !attempts.contains(where: { reported.contains($0.fingerprint) })
      else { continue }
      reported.formUnion(attempts.map(\.fingerprint))
      finding.absorb(attempts.dropFirst())
      findings.append(finding)
    }
  }
}

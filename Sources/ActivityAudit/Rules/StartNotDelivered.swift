internal import ActivityCore

/// A card that a person never got.
package struct StartNotDelivered: AuditRule {
  package static var wants: LifeTraits { [.lostStart, .strangeStart, .manyStarts] }
  package static var counts: Bool { true }

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
    var act: Act
    var addressee: Addressee?
  }

  /// One phone, as far as a start token and a key tell; without a key, a token and a type.
  private struct Addressee: Hashable {
    var token: Entry.Word
    var key: Entry.Word
    var type: Entry.Word

    init?(_ token: Entry.Word, _ key: Entry.Word, _ type: Entry.Word) {
      guard !token.isAbsent, !key.isAbsent || !type.isAbsent else { return nil }
      self.token = token
      self.key = key
      self.type = key.isAbsent ? type : Entry.Word(-1)
    }

    /// How long after a start a card is the one it asked for.
    var reach: Timestamp.Span {
      key.isAbsent ? .seconds(120) : Timestamp.Span(microseconds: Relations.keyReach)
    }
  }

  /// What the attempts of one start share: the `apns-id`; the token and version.
  private enum Act: Hashable {
    case push(PushID)
    case token(Entry.Word, version: Int64)
    case row(Int64)
  }

  private var lost: [Lost] = []
  private var delivered: Set<Act> = []
  /// Starts of lives that were not looked at, with the type of the card, and when they took effect.
  private var others: [(start: LifeFacts.Start, type: Int32)] = []
  private var arrivals: [Addressee: [Timestamp]] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    for entry in life.entries where entry.kind == .start && !entry.fansOut {
      let act = StartNotDelivered.acts(
        push: entry.push, token: entry.token, version: entry.statesVersion ? entry.version : nil,
        seq: entry.seq)
      let addressee = Addressee(entry.token, entry.key, life.type)
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

  private static func acts(
    push: PushID, token: Entry.Word, version: Int64?, seq: Int64
  ) -> [Act] {
    var acts: [Act] = []
    if push != .none { acts.append(.push(push)) }
    if let version, !token.isAbsent { acts.append(.token(token, version: version)) }
    return acts.isEmpty ? [.row(seq)] : acts
  }

  package mutating func count(_ facts: LifeFacts) {
    // Without both nothing else can be another attempt at it.
    guard let start = facts.start, start.token >= 0 || start.push != .none else { return }
    others.append((start, facts.type))
  }

  /// What the other lives say of the starts that were lost.
  private mutating func gather() {
    let acts = Set(lost.map(\.act))
    let addressees = Set(lost.compactMap(\.addressee))
    for (start, type) in others {
      let token = Entry.Word(start.token)
      let own = StartNotDelivered.acts(
        push: start.push, token: token, version: start.isVersioned ? start.version : nil, seq: 0)
      for act in own where acts.contains(act) { delivered.insert(act) }
      if let addressee = Addressee(token, Entry.Word(start.key), Entry.Word(type)),
        addressees.contains(addressee)
      {
        arrivals[addressee, default: []].append(Timestamp(microseconds: start.at))
      }
    }
    others = []
  }

  /// Whether a later start reached the same phone for the same key.
  private func hasArrived(_ lost: Lost) -> Bool {
    guard let addressee = lost.addressee, let times = arrivals[addressee] else { return false }
    return times.contains { $0 >= lost.finding.from && $0 - lost.finding.from <= addressee.reach }
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    guard !lost.isEmpty else { return }
    gather()
    var acts: [Act: [Finding]] = [:]
    var order: [Act] = []
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

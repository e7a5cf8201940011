internal import ActivityCore

/// Tokens of one of APNs' two worlds, used in the other.
package struct WrongEnvironmentToken: AuditRule {
  package static var wants: LifeTraits { [.refusal, .pushStart] }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "wrong-environment-token", severity: .error,
    summary: "tokens of development builds were used in production, or the other way round",
    reason: "APNs refuses every push to them, so these cards never change and never end.",
    condition: """
      A push that was not taken went to a host of the other environment than the one recorded for \
      its token or activity; or it was answered BadDeviceToken, and the same token was taken by \
      the other host at any time. A token that nothing is known of may be damaged: no finding. \
      One finding for each recorder and host.
      """,
    advice: "Store the environment with every token, and choose the host by it.",
    scope: .recorder, needs: [.responses], isCause: true,
    fires: [
      RuleExample(
        "a development build's token in production",
        """
        0m token device=phone environment=sandbox token-kind=start token=s1
        1m start A environment=sandbox source=app device=phone content
        2m token A environment=sandbox device=phone token=t1
        20m update A source=push token=t1 apns-id=P1 host=api.push.apple.com status=400 \
          reason=BadDeviceToken content
        20m9s update A source=push token=t1 apns-id=P1 host=api.sandbox.push.apple.com status=200 \
          content
        50m end A source=push token=t1 host=api.sandbox.push.apple.com status=200 content=2
        """, finds: .confirmed),
      RuleExample(
        "the other host takes the same token",
        """
        0m start A source=app device=phone content
        2m token A device=phone token=t1
        20m update A source=push token=t1 apns-id=P1 host=api.sandbox.push.apple.com status=400 \
          reason=BadDeviceToken content
        20m9s update A source=push token=t1 apns-id=P1 host=api.push.apple.com status=200 content
        50m end A source=push token=t1 host=api.push.apple.com status=200 content=2
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "a damaged token, sent again with the right one",
        """
        0m start A source=app device=phone content
        2m token A device=phone token=t1
        20m update A source=push token=t9 apns-id=P1 host=api.push.apple.com status=400 \
          reason=BadDeviceToken content
        20m1s update A source=push token=t1 apns-id=P1 host=api.push.apple.com status=200 content
        50m end A source=push token=t1 host=api.push.apple.com status=200 content=2
        """),
      RuleExample(
        "each host with its own tokens",
        """
        0m start A environment=sandbox source=app device=phone content
        1m token A environment=sandbox device=phone token=t1
        1m start B environment=production source=app device=other content
        2m token B environment=production device=other token=t2
        20m update A source=push token=t1 host=api.sandbox.push.apple.com status=200 content=2
        21m update B source=push token=t2 host=api.push.apple.com status=200 content=2
        50m end A source=push token=t1 host=api.sandbox.push.apple.com status=200 content=3
        51m end B source=push token=t2 host=api.push.apple.com status=200 content=3
        """),
    ])

  /// A push that a host did not take, and that nothing of its own card explains.
  private struct Refused {
    var at: Timestamp
    var seq: Int64
    var recorder: Entry.Word
    var token: Entry.Word
    var host: PushHost
    var device: Entry.Word
    var card: Int
    /// Whether APNs itself said that the token is not its own.
    var isBad: Bool
  }

  private var tallies: [RecorderAndReason: Tally] = [:]
  private var rows: [RecorderAndReason: [Int64]] = [:]
  private var open: [Refused] = []
  /// Start tokens, and who took them; update tokens are of one activity.
  private var taken: [Entry.Word: PushHost] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    guard !life.traits.isDisjoint(with: [.refusal, .pushStart]) else { return }
    var takenHere: [Entry.Word: PushHost] = [:]
    var refused: [Refused] = []
    let bad = "BadDeviceToken"
    for entry in life.entries where entry.isByPush && !entry.token.isAbsent {
      guard let host = PushHost(host: life.log.text(life.log.headers(of: entry).host)) else {
        continue
      }
      if entry.isAccepted {
        takenHere[entry.token] = host
        if entry.kind == .start { taken[entry.token] = host }
      } else if entry.isRefused {
        refused.append(
          Refused(
            at: entry.at, seq: entry.seq, recorder: entry.recorder, token: entry.token,
            host: host, device: life.deviceWord, card: life.number,
            isBad: life.log.text(entry.reason) == bad))
      }
    }
    guard !refused.isEmpty else { return }
    let own = PushHost(environment: life.log.text(life.environment))
    for push in refused {
      let worked = push.isBad ? takenHere[push.token] : nil
      if let known = own ?? worked, known != push.host {
        note(push)
      } else if own == nil || push.isBad {
        open.append(push)
      }
    }
  }

  private mutating func note(_ push: Refused) {
    let scope = RecorderAndReason(push.recorder, push.host.word)
    tallies[scope, default: Tally()].add(
      at: push.at, seq: push.seq, device: push.device, card: push.card)
    rows[scope, default: []].append(push.seq)
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    // What a token row says of a token is not always in the same activity as the push.
    let asked = Set(open.map(\.token))
    var said: [Entry.Word: PushHost] = [:]
    if !asked.isEmpty {
      log.forEachRow(of: .token) { entry in
        guard asked.contains(entry.token) else { return }
        let word = log.text(log.environment(of: entry))
        if let environment = PushHost(environment: word) { said[entry.token] = environment }
      }
    }
    for push in open {
      guard let known = said[push.token] ?? (push.isBad ? taken[push.token] : nil) else { continue }
      if known != push.host { note(push) }
    }
    let scopes = tallies.keys.sorted {
      (log.text($0.recorder) ?? "", $0.reason) < (log.text($1.recorder) ?? "", $1.reason)
    }
    for scope in scopes {
      guard let tally = tallies[scope] else { continue }
      let other = scope.reason == PushHost.sandbox.word ? PushHost.production : .sandbox
      var finding = Finding(
        WrongEnvironmentToken.info, .confirmed, tally: tally, scope, log,
        message: """
          \(Wording.count(tally.count, "push", "pushes"))\(scope.whose(log)) to the \
          \(scope.reason) host used tokens of \(other.word) builds, \
          on \(Wording.count(tally.cards.count, "card"))
          """)
      finding.rows.formUnion(rows[scope] ?? [])
      findings.append(finding)
    }
  }
}

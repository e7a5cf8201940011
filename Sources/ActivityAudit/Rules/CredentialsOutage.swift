internal import ActivityCore

/// A span of time in which a sender reached nobody.
package struct CredentialsOutage: AuditRule {
  package static var wants: LifeTraits { .senderRefusal }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "credentials-outage", severity: .error,
    summary: "a sender's pushes to everybody were refused for a while",
    reason: "Every card it serves stands still at once, and every end in that time is lost.",
    condition: """
      Within 5 minutes three keys or more (activities, where there is no key) met a refusal that \
      concerns the sender or APNs itself: 403, 429 TooManyProviderTokenUpdates, any 5xx, or a \
      failure to sign or to connect. It lasts from the first to the last such refusal of a \
      recorder with no 200 between; spans of several recorders that overlap are one.
      """,
    advice: """
      Renew the provider token in time; afterwards repeat every end that was refused meanwhile.
      """,
    scope: .window, needs: [.responses], isCause: true,
    fires: [
      RuleExample(
        "an expired provider token",
        """
        0m start A source=app device=p1 content
        0m start B source=app device=p2 content
        0m start C source=app device=p3 content
        9m update A source=push status=200 content
        10m update A source=push status=403 reason=ExpiredProviderToken apns-id=P1 content
        11m update B source=push status=403 reason=ExpiredProviderToken apns-id=P2 content
        12m update C source=push status=403 reason=ExpiredProviderToken apns-id=P3 content
        13m update A source=push status=200 apns-id=P1 content
        13m update B source=push status=200 apns-id=P2 content
        13m update C source=push status=200 apns-id=P3 content
        14m end A source=push status=200 content
        14m end B source=push status=200 content
        14m end C source=push status=200 content
        """, finds: .confirmed)
    ],
    passes: [
      RuleExample(
        "one card's bad luck",
        """
        0m start A source=app device=p1 content
        10m update A source=push status=503 apns-id=P1 content
        10m1s update A source=push status=503 apns-id=P1 content
        10m2s update A source=push status=200 apns-id=P1 content
        14m end A source=push status=200
        """),
      RuleExample(
        "one broadcast to many cards is one push",
        """
        0m start A source=app device=p1 input-push-channel=match content
        0m start B source=app device=p2 input-push-channel=match content
        0m start D source=app device=p3 input-push-channel=match content
        10m update source=broadcast channel=match status=503 apns-id=P1 content
        10m1s update source=broadcast channel=match status=200 apns-id=P1 content
        14m end source=broadcast channel=match status=200
        """),
    ])

  /// One push of a recorder that was refused for everybody.
  private struct Push {
    var at: Timestamp
    var seq: Int64
    /// The key, else the activity's name.
    var subject: String
    var reason: String
    var device: Entry.Word
  }

  /// A run of refusals by one recorder.
  private struct Outage {
    var recorders: [String]
    var pushes: [Push]
    var from: Timestamp
    var until: Timestamp
  }

  private static let subjectsMin = 3

  private var pushes: [Entry.Word: [Push]] = [:]
  /// One push may reach many cards by their key or channel; it is one push all the same.
  private var counted: Set<Int64> = []

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    for entry in life.entries where entry.isByPush && entry.isRefused {
      let reason = life.log.text(entry.reason) ?? ""
      guard CredentialsOutage.speaksOfSender(entry, reason), counted.insert(entry.seq).inserted
      else { continue }
      pushes[entry.recorder, default: []].append(
        Push(
          at: entry.at, seq: entry.seq, subject: CredentialsOutage.subject(entry, life),
          reason: Wording.loss(entry, life.log),
          device: Entry.Word(entry.fansOut ? -1 : life.device)))
    }
  }

  private static func subject(_ entry: Entry, _ life: Timeline) -> String {
    if entry.fansOut {
      return life.log.text(entry.key) ?? "channel " + (life.log.text(entry.channel) ?? "")
    }
    return life.log.text(life.key) ?? life.identity.joined(separator: " ")
  }

  private static func speaksOfSender(_ entry: Entry, _ reason: String) -> Bool {
    guard let status = entry.status else { return entry.isUnreached }
    return status == 403 || status >= 500 && status < 600
      || status == 429 && reason == "TooManyProviderTokenUpdates"
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    var outages: [Outage] = []
    for (recorder, refused) in pushes {
      let name = log.text(recorder) ?? ""
      let sorted = refused.sorted { ($0.at, $0.seq) < ($1.at, $1.seq) }
      // Where all together are no outage, no run of them is.
      guard CredentialsOutage.isOutage(sorted) else { continue }
      let taken = log.taken(by: recorder, before: sorted.map { ($0.at, $0.seq) })
      outages += CredentialsOutage.runs(of: sorted, taken).map { run in
        Outage(
          recorders: [name], pushes: run, from: run[0].at, until: run[run.count - 1].at)
      }
    }
    outages.sort { ($0.from, $0.until, $0.recorders[0]) < ($1.from, $1.until, $1.recorders[0]) }
    for outage in CredentialsOutage.merged(outages) {
      findings.append(CredentialsOutage.finding(outage))
    }
  }

  /// The runs of refusals with no push taken between that met enough keys soon enough; `taken` says
  /// how many were taken before each.
  private static func runs(of refused: [Push], _ taken: [Int]) -> [[Push]] {
    var runs: [[Push]] = []
    var run: [Push] = []
    for (place, push) in refused.enumerated() {
      if place > 0, taken[place - 1] != taken[place] {
        if isOutage(run) { runs.append(run) }
        run = []
      }
      run.append(push)
    }
    if isOutage(run) { runs.append(run) }
    return runs
  }

  /// Whether three keys or more fall into some 5 minutes of a run.
  private static func isOutage(_ run: [Push]) -> Bool {
    var counts: [String: Int] = [:]
    var first = 0
    for push in run {
      counts[push.subject, default: 0] += 1
      while push.at - run[first].at > Leak.grace {
        let left = (counts[run[first].subject] ?? 0) - 1
        counts[run[first].subject] = left > 0 ? left : nil
        first += 1
      }
      if counts.count >= subjectsMin { return true }
    }
    return false
  }

  private static func merged(_ outages: [Outage]) -> [Outage] {
    var merged: [Outage] = []
    for outage in outages {
      guard let last = merged.last, outage.from <= last.until else {
        merged.append(outage)
        continue
      }
      merged[merged.count - 1].recorders += outage.recorders
      merged[merged.count - 1].pushes += outage.pushes
      merged[merged.count - 1].until = max(last.until, outage.until)
    }
    return merged
  }

  private static func finding(_ outage: Outage) -> Finding {
    let subjects = Set(outage.pushes.map(\.subject)).count
    var reasons: [String: Int] = [:]
    for push in outage.pushes { reasons[push.reason, default: 0] += 1 }
    let most = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.first?.key ?? ""
    let senders = Set(outage.recorders.filter { !$0.isEmpty }).sorted().joined(separator: ", ")
    let length = Wording.length(outage.until - outage.from)
    var finding = Finding(
      info, .confirmed, identity: [senders, String(outage.from.microseconds)],
      from: outage.from, until: outage.until, evidence: outage.pushes.map(\.seq),
      message: """
        for \(length) no push\(senders.isEmpty ? "" : " of \(senders)") was taken: \
        \(Wording.count(outage.pushes.count, "refusal")) to \
        \(Wording.count(subjects, "card")), mostly \(most)
        """)
    finding.devices = Set(outage.pushes.map(\.device)).subtracting([Entry.Word(-1)]).count
    return finding
  }
}

internal import ActivityCore

/// Pushes and contents larger than the system takes, or nearly.
package struct OversizePayload: AuditRule {
  package static let nearLimit = RuleThreshold(
    "oversize-payload", "near-limit", 90, "percent", "share of a limit that counts as near it")
  package static let occurrences = RuleThreshold(
    "oversize-payload", "occurrences", 3, "acts", "acts near a limit before a type is warned of")

  private let share: Double
  private let least: Int

  package static var wants: LifeTraits { [.large, .rareContent] }

  package init(_ settings: RuleSettings) {
    share = settings[OversizePayload.nearLimit] / 100
    least = settings.count(OversizePayload.occurrences)
  }

  package static let info = RuleInfo(
    id: "oversize-payload", severity: .error,
    summary: "a payload is larger than the system takes, or nearly",
    reason: "Beyond the limit nothing is shown at all, and a request in the app throws.",
    condition: """
      Error, one for each activity: an act's bytes are more than 4096 (of a broadcast 5120), its \
      attributes and content-state are together more than 4096 bytes of JSON, APNs answered 413, \
      or, where content is read, a failure's case is attributesTooLarge. A warning when every such \
      act took effect within 5 minutes by another attempt. Inferred when only the size of our own \
      JSON says so, which is an estimate, else confirmed. Warning, one for each type and build, \
      whose scope it names: 3 acts or more that fit are at 90 percent of a limit or more.
      """,
    advice: """
      Send ids instead of texts and images; leave room, since a device's own limit lies somewhat \
      below 4096 bytes.
      """,
    scope: .activity, isCause: true, thresholds: [nearLimit, occurrences],
    fires: [
      RuleExample(
        "a push of 4300 bytes",
        """
        0m start A source=app device=phone content
        10m update A source=push timestamp=@10m bytes=4300 content
        12m update A source=push timestamp=@12m bytes=900 content
        20m end A source=push timestamp=@20m content
        """, finds: .confirmed),
      RuleExample(
        "413, and taken when it was trimmed",
        """
        0m start A source=app device=phone content
        10m update A source=push apns-id=P1 status=413 reason=PayloadTooLarge content
        10m9s update A source=push apns-id=P1 status=200 content
        20m end A source=push status=200 content
        """, finds: .confirmed),
      RuleExample(
        "the app's request is too large",
        """
        0m failure key=K operation=request case=attributesTooLarge device=phone
        1m start A key=K source=app device=phone content
        20m end A source=app device=phone content
        """, finds: .confirmed),
      RuleExample(
        "three pushes with a hair's breadth left",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m bytes=3900 content
        10m update A source=push timestamp=@10m bytes=3950 content
        15m update A source=push timestamp=@15m bytes=4010 content
        20m end A source=push timestamp=@20m content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "a broadcast may be larger",
        """
        0m start A source=app device=phone push-type=channel channel=C content
        10m update channel=C source=broadcast timestamp=@10m bytes=4500 content
        20m end A source=app device=phone content
        """),
      RuleExample(
        "one large push of many",
        """
        0m start A source=app device=phone content
        5m update A source=push timestamp=@5m bytes=700 content
        10m update A source=push timestamp=@10m bytes=3950 content
        20m end A source=push timestamp=@20m bytes=600 content
        """),
    ])

  /// Whom a push was for that names no card.
  private struct Audience: Hashable {
    var channel: Entry.Word
    var key: Entry.Word
  }

  private var near: [TypeAndBuild: RowTally] = [:]
  private var wide: [Audience: RowTally] = [:]

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    var large: [Entry] = []
    for entry in life.entries where entry.kind?.isAct ?? false {
      if entry.isTooBig || entry.status == 413 {
        if entry.fansOut {
          let audience = Audience(channel: entry.channel, key: entry.key)
          wide[audience, default: RowTally()].add(entry, of: life)
        } else {
          large.append(entry)
        }
      } else if entry.bytes != nil || entry.hasContent, isNear(entry, life.log) {
        near[TypeAndBuild(life), default: RowTally()].add(entry, of: life)
      }
    }
    guard let first = large.first, let last = large.last else { return }
    let isKnown = large.contains { $0.status == 413 || isBeyond($0, life.log) }
    var finding = Finding(
      OversizePayload.info, isKnown ? .confirmed : .inferred, about: life, from: first.at,
      until: last.at, evidence: large, message: message(large, life.log, isKnown: isKnown),
      severity: allCameThrough(large, life) ? .warning : nil)
    finding.count = large.count
    findings.append(finding)
  }

  private func limit(_ entry: Entry, _ log: AuditLog) -> Int {
    Int(entry.source == .broadcast ? log.limits.broadcastBytes : log.limits.pushBytes)
  }

  private func isBeyond(_ entry: Entry, _ log: AuditLog) -> Bool {
    (entry.bytes ?? 0) > limit(entry, log)
  }

  private func isNear(_ entry: Entry, _ log: AuditLog) -> Bool {
    let size = log.rareContent(of: entry)?.size ?? 0
    return Double(entry.bytes ?? 0) >= share * Double(limit(entry, log))
      || Double(size) >= share * Double(log.limits.contentBytes)
  }

  /// Whether each of them took effect soon after, by another attempt.
  private func allCameThrough(_ large: [Entry], _ life: Timeline) -> Bool {
    let acts = Acts(life.entries).number
    var wanted: [Int: Timestamp] = [:]
    let rows = Set(large.map(\.seq))
    for (entry, act) in zip(life.entries, acts) where act >= 0 {
      if rows.contains(entry.seq), entry.kind?.isAct ?? false { wanted[act] = entry.at }
      if entry.isAppliedAct, let lost = wanted[act], entry.at - lost < Leak.grace {
        wanted[act] = nil
      }
    }
    return wanted.isEmpty
  }

  private func message(_ large: [Entry], _ log: AuditLog, isKnown: Bool) -> String {
    let acts = Wording.count(large.count, "act")
    if let bytes = large.compactMap(\.bytes).max(), isKnown, bytes > 0 {
      return "\(acts) larger than the system takes, up to \(bytes) bytes"
    }
    if isKnown { return "\(acts) that APNs called too large" }
    return "\(acts) whose attributes and content are estimated at more than 4096 bytes"
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    addRequests(log, &findings)
    addAudiences(log, &findings)
    for (scope, tally) in near.sorted(by: { $0.key.precedes($1.key, log) })
    where tally.count >= least {
      var finding = Finding(
        OversizePayload.info, .confirmed, tally: tally, scope, log,
        message: """
          \(Wording.count(tally.count, "act")) at \(Int((share * 100).rounded())) % of a size \
          limit or more
          """, severity: .warning)
      finding.scope = .typeAndBuild
      findings.append(finding)
    }
  }

  /// One push to many cards is one finding.
  private func addAudiences(_ log: AuditLog, _ findings: inout [Finding]) {
    for (audience, tally) in wide {
      let (channel, key) = (log.text(audience.channel), log.text(audience.key))
      var finding = Finding(
        OversizePayload.info, .confirmed, tally: tally,
        identity: ["audience", channel ?? "", key ?? ""],
        message: """
          \(Wording.count(tally.count, "push", "pushes")) to everybody of \
          \(channel ?? key ?? "a channel") larger than the system takes
          """)
      finding.scope = .channel
      finding.key = key
      findings.append(finding)
    }
  }

  /// Requests that the app was refused: nothing came to be, so no life tells of them.
  private func addRequests(_ log: AuditLog, _ findings: inout [Finding]) {
    var refused: [[String]: (entry: Entry, tally: RowTally)] = [:]
    for entry in log.rows(of: .failure) {
      guard let rare = log.rareContent(of: entry),
        log.contentText(rare.failureCase) == "attributesTooLarge"
      else { continue }
      let words = [entry.activityID, entry.key, log.device(of: entry), entry.recorder]
      let identity = words.map { log.text($0) ?? "" }
      refused[identity, default: (entry, RowTally())].tally.add(
        entry, device: log.device(of: entry))
    }
    for (identity, found) in refused.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      var finding = Finding(
        OversizePayload.info, .confirmed, tally: found.tally, identity: identity,
        message: "the app's request was refused: attributes and content are too large")
      finding.activityID = log.text(found.entry.activityID)
      finding.key = log.text(found.entry.key)
      finding.device = log.text(log.device(of: found.entry))
      finding.attributesType = log.text(log.type(of: found.entry))
      finding.build = log.text(log.build(of: found.entry))
      finding.name = finding.activityID ?? finding.key.map { "key:\($0)" } ?? finding.name
      findings.append(finding)
    }
  }
}

internal import ActivityCore

/// Content that the app on the device could not read.
package struct UndecodableContent: AuditRule {
  package static var wants: LifeTraits { [.undecodable, .stray] }

  package init(_ settings: RuleSettings) {}

  package static let info = RuleInfo(
    id: "undecodable-content", severity: .error,
    summary: "the app could not decode the content it was sent",
    reason: """
      The whole content is thrown away without a word: the card stands still, or never appears, \
      while APNs answers 200.
      """,
    condition: """
      A decode failure names an act: by its apns-id, else the latest content act of its activity \
      at or before it. Decode failures whose push or activity has no act in the log count for the \
      type and build they name. A refused act never came to be decoded. One finding for each type \
      and build, since an app decodes by its own struct.
      """,
    advice: """
      Decode what the server sends with the app's own struct in a test; make new members optional, \
      numbers tolerant, and mind that dates count from 2001 unless the app says otherwise.
      """,
    scope: .typeAndBuild,
    fires: [
      RuleExample(
        "a date as text, where the app decodes a number",
        """
        0m start A source=app device=phone attributes-type=Ride build=7 content
        10m update A source=push content={"eta":"12:40"} apns-id=P1
        10m1s failure A operation=decode apns-id=P1 device=phone
        12m update A source=push content apns-id=P2
        30m end A source=app device=phone content
        """, finds: .confirmed),
      RuleExample(
        "the device's own log tells of a push that nobody recorded",
        """
        0m start A source=app device=phone attributes-type=Ride build=7 content
        10m failure apns-id=P9 operation=decode device=phone attributes-type=Ride build=7
        30m end A source=app device=phone content
        """, finds: .confirmed),
    ],
    passes: [
      RuleExample(
        "a request that failed for another reason",
        """
        0m start A source=app device=phone attributes-type=Ride content
        10m failure A operation=update device=phone message=busy
        30m end A source=app device=phone content
        """),
      RuleExample(
        "what APNs refused was never decoded",
        """
        0m start A source=app device=phone content
        10m update A source=push apns-id=P1 status=503 content
        10m1s failure A operation=decode apns-id=P1 device=phone
        10m2s update A source=push apns-id=P1 status=200 content
        30m end A source=app device=phone content
        """),
    ])

  /// What a decode failure names.
  private enum Subject: Hashable {
    case push(PushID)
    case handle(Entry.Word)
  }

  private var lost: [TypeAndBuild: RowTally] = [:]
  /// By what they name, decode failures of which no act was met.
  private var strays: [Subject: [Entry]]?

  package mutating func observe(_ life: Timeline, _ findings: inout [Finding]) {
    if strays == nil { strays = UndecodableContent.failures(life.log) }
    let mayMeet = !(strays?.isEmpty ?? true)
    if mayMeet, life.entries.contains(where: { $0.kind?.isContentAct ?? false }) {
      // The fold has tied failures by any of its handles to the card's own contents.
      for entry in life.entries {
        for handle in [life.activityWord, entry.activityID, entry.token, entry.key]
        where !handle.isAbsent { strays?[.handle(handle)] = nil }
      }
    }
    for entry in life.entries where entry.kind?.isContentAct ?? false {
      if entry.outcome == .undecodable {
        lost[TypeAndBuild(life), default: RowTally()].add(entry, of: life)
      }
      guard mayMeet else { continue }
      if entry.push != .none { strays?[.push(entry.push)] = nil }
    }
  }

  private static func failures(_ log: AuditLog) -> [Subject: [Entry]] {
    var failures: [Subject: [Entry]] = [:]
    guard let decode = log.word("decode") else { return failures }
    for entry in log.rows(of: .failure) where entry.word == decode {
      let handle = [entry.activityID, entry.token, entry.key].first { !$0.isAbsent }
      let subject = entry.push == .none ? handle.map { Subject.handle($0) } : .push(entry.push)
      if let subject { failures[subject, default: []].append(entry) }
    }
    return failures
  }

  package mutating func conclude(_ log: AuditLog, _ findings: inout [Finding]) {
    for entry in (strays ?? UndecodableContent.failures(log)).values.joined() {
      let scope = TypeAndBuild(type: log.type(of: entry), build: log.build(of: entry))
      lost[scope, default: RowTally()].add(entry, device: log.device(of: entry))
    }
    for (scope, tally) in lost.sorted(by: { $0.key.precedes($1.key, log) }) {
      let build = log.text(scope.build).map { " by build \($0)" } ?? ""
      let cards = tally.cards > 0 ? " on \(Wording.count(tally.cards, "card"))" : ""
      findings.append(
        Finding(
          UndecodableContent.info, .confirmed, tally: tally, scope, log,
          message: """
            \(Wording.count(tally.count, "content")) could not be decoded\(build)\(cards); each \
            was thrown away whole
            """))
    }
  }
}
